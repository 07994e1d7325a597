package aar

// compensate makes good in a power's treasury what cannot be corrected.
func (d *decision) compensate() {
	d.Compensate(func(at, name string) (treasury, power string, ok bool) {
		power, ok = d.Power(at, name)
		return power, power, ok
	})
}
