package coast

// Cross reports whether the line from a to b crosses that from c to d. Lines that begin or end at one place, or lie on
// each other, do not.
func Cross(a, b, c, d Spot) bool {
	return turning(a, b, c)*turning(a, b, d) < 0 && turning(c, d, a)*turning(c, d, b) < 0
}

// turning is positive where the way from a over b to c turns to one side, negative for the other, and 0 for neither.
func turning(a, b, c Spot) float64 { return (b.X-a.X)*(c.Y-a.Y) - (b.Y-a.Y)*(c.X-a.X) }

// Cut reports whether a line leads through the rectangle, or ends in it.
func (b Frame) Cut(from, to Spot) bool {
	if b.Holds(from) || b.Holds(to) {
		return true
	}
	corners := [4]Spot{{b.Left, b.Top}, {b.Right, b.Top}, {b.Right, b.Bottom}, {b.Left, b.Bottom}}
	for i, c := range corners {
		if Cross(from, to, c, corners[(i+1)%4]) {
			return true
		}
	}
	return false
}

// Curve are points of a quadratic curve.
func Curve(from, by, end Spot) (list []Spot) {
	for t := 0.0; t <= 1; t += .04 {
		u := 1 - t
		list = append(list, Spot{X: u*u*from.X + 2*u*t*by.X + t*t*end.X, Y: u*u*from.Y + 2*u*t*by.Y + t*t*end.Y})
	}
	return list
}
