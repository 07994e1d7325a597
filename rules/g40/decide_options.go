package g40

import (
	"slices"
	"strconv"

	"github.com/watu-ledger/watu/rules"
	"github.com/watu-ledger/watu/rules/axisallies"
)

// settled puts an option of convoy disruptions that is still to be asked to the umpire, if what is
// lost, or why, turns on it.
func (d *decision) settled(in ConvoyInput) bool {
	for _, o := range convoyOptions() {
		if d.Options[o.Name] == rules.Ask && d.turnsOn(o, in) {
			return OptionList().Settled(d.Hearing, d.Command, d.Options, o.Name)
		}
	}
	return true
}

func (d *decision) turnsOn(o rules.Option, in ConvoyInput) bool {
	asDefault, _ := DisruptConvoys(in) // an option that is to be asked reads as its default
	return slices.ContainsFunc(o.Values(), func(value string) bool {
		in.Options = convoyOptionsOf(axisallies.With(d.Options, o.Name, value))
		other, _ := DisruptConvoys(in)
		return other.Loss != asDefault.Loss || !slices.Equal(other.Disruptions, asDefault.Disruptions)
	})
}

// convoyOptionsOf gives a campaign's options in the form that the rule takes.
func convoyOptionsOf(options map[string]string) ConvoyOptions {
	value := func(name string) int {
		n, err := strconv.Atoi(options[name])
		if err != nil {
			o, _ := OptionList().Named(name)
			n, _ = strconv.Atoi(o.Default())
		}
		return n
	}
	return ConvoyOptions{
		GermanSubmarine: value(OptionGermanSubmarine), SuperSubmarine: value(OptionSuperSubmarine),
		Submarine: value(OptionSubmarine), SurfaceWarship: value(OptionSurfaceWarship),
	}
}
