package g40

import ()

// settledConvoys puts an option of convoy disruptions that is still to be asked to the umpire, if what is
// lost, or why, turns on it.
func (d *decision) settledConvoys(in ConvoyInput) bool {
	return OptionList().SettledFor(d.Hearing, d.Command, d.Options, func(options map[string]string) any {
		in.Options = convoyOptionsOf(options)
		ruling, _ := DisruptConvoys(in)
		return []any{ruling.Loss, ruling.Disruptions}
	}, convoyOptions().Names()...)
}

// convoyOptionsOf gives a campaign's options in the form that the rule takes.
func convoyOptionsOf(settled map[string]string) ConvoyOptions {
	var o ConvoyOptions
	OptionList().Fill(&o, settled)
	return o
}

// raidOptions gives them in the form that a bombing raid takes.
func raidOptions(settled map[string]string) RaidOptions {
	var o RaidOptions
	OptionList().Fill(&o, settled)
	return o
}
