package g40

// compensate makes good in a treasury what cannot be corrected; the United Kingdom has two
// (G40-UK-SEPARATE).
func (d *decision) compensate() {
	d.Compensate(func(at, name string) (treasury, power string, ok bool) {
		p, ok := d.purse(at, name)
		return p.treasury, p.power, ok
	})
}
