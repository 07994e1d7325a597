package dashboard

import "strconv"

// face is a die as it lies. One with six sides shows pips, any other its number.
type face struct {
	Shows string
	Pips  []pip
}

// pip is a dot on a die that is 40 wide.
type pip struct{ X, Y int }

// Faces are dice as they fell. Six sides that count from zero are no die with pips.
func (why) Faces(sides int, fromZero bool, fell []int) []face {
	var list []face
	for _, n := range fell {
		f := face{Shows: strconv.Itoa(n)}
		if sides == 6 && !fromZero {
			f.Pips = pips(n)
		}
		list = append(list, f)
	}
	return list
}

// pips of a die that shows n, 1 to 6.
func pips(n int) []pip {
	const low, middle, high = 10, 20, 30
	var list []pip
	if n%2 == 1 {
		list = append(list, pip{middle, middle})
	}
	for i, pair := range [][2]pip{{{low, low}, {high, high}}, {{low, high}, {high, low}},
		{{low, middle}, {high, middle}}} {
		if n >= 2*i+2 {
			list = append(list, pair[0], pair[1])
		}
	}
	return list
}
