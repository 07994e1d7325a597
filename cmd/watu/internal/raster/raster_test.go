package raster

import (
	"bytes"
	"fmt"
	"image/color"
	"math"
	"strings"
	"testing"
)

const head = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 100 50">`

// at is what a picture of 200 to 100 pixels has at a pixel.
func at(t *testing.T, svg string, x, y int) color.RGBA {
	t.Helper()
	img, err := Draw([]byte(head+svg+"</svg>"), 200, 100)
	if err != nil {
		t.Fatalf("%s: %v", svg, err)
	}
	return img.RGBAAt(x, y)
}

func TestDraw(t *testing.T) {
	red, none := color.RGBA{255, 0, 0, 255}, color.RGBA{}
	for _, c := range []struct {
		what, svg string
		x, y      int
		want      color.RGBA
	}{
		{"within a path", `<path fill="#ff0000" d="M10 10h20v20h-20z"/>`, 40, 40, red},
		{"beside it", `<path fill="#ff0000" d="M10 10h20v20h-20z"/>`, 62, 40, none},
		{"a second contour", `<path fill="#f00" d="M10 10h5v5h-5zm50 0h20v20h-20z"/>`, 140, 40, red},
		{"its own colour in a group", `<g fill="#00ff00"><path fill="#ff0000" d="M0 0h50v50h-50z"/></g>`, 20, 20, red},
		{"the colour of a group", `<g fill="#ff0000"><path d="M0 0H50V50H0"/></g>`, 20, 20, red},
		{"behind a group", `<g fill="#00ff00"></g><path d="M0 0h9v9h-9z" fill="#ff0000"/>`, 4, 4, red},
		{"a line", `<path fill="none" stroke="#ff0000" stroke-width="4" d="M0 25L100 25"/>`, 100, 50, red},
		{"beside a line", `<path fill="none" stroke="#ff0000" stroke-width="4" d="M0 25L100 25"/>`, 100, 60, none},
		{"a corner", `<path fill="none" stroke="#f00" stroke-width="6" d="M20 40V20H80"/>`, 36, 36, red},
		{"the line of a closed contour",
			`<path fill="none" stroke="#f00" stroke-width="4" d="M10 10h30v30h-30z"/>`, 20, 50, red},
		{"within it", `<path fill="none" stroke="#f00" stroke-width="4" d="M10 10h30v30h-30z"/>`, 50, 50, none},
		{"a bow", `<path fill="#f00" d="M0 0Q50 80 100 0z"/>`, 100, 70, red},
		{"below it", `<path fill="#f00" d="M0 0Q50 80 100 0z"/>`, 100, 90, none},
		{"one of two bows that go on", `<path fill="#f00" d="M0 25q25 -40 50 0t50 0z"/>`, 150, 60, red},
		{"a picture within", `<svg x="50" y="0" width="50" height="50" viewBox="0 0 10 10">` +
			`<path fill="#f00" d="M0 0h5v5h-5z"/></svg>`, 120, 20, red},
		{"what is cut off", `<svg x="50" y="0" width="50" height="50" viewBox="0 0 10 10">` +
			`<path fill="#f00" d="M-9 0h5v5h-5z"/></svg>`, 20, 20, none},
		{"beside letters", `<text x="0" y="45" font-size="40" fill="#ff0000">7</text>`, 150, 50, none},
	} {
		if got := at(t, c.svg, c.x, c.y); got != c.want {
			t.Errorf("%s: %v, want %v", c.what, got, c.want)
		}
	}
	half := at(t, `<path fill="none" stroke="#ff0000" stroke-opacity=".5" stroke-width="9" d="M0 25H100"/>`, 9, 50)
	if half.A < 126 || half.A > 129 {
		t.Errorf("half of a line is %v", half)
	}
}

// What is not known is said, and nothing is drawn without it.
func TestUnknown(t *testing.T) {
	for _, svg := range []string{`<rect width="9" height="9"/>`, `<path style="fill:red" d="M0 0"/>`,
		`<path d="M0 0A1 1 0 0 0 9 9"/>`,
		`<path d="M0"/>`, `<path d="0 0"/>`, `<path d="M0 0h9v9z" fill="red"/>`, `<path d="M0 0z 5 5"/>`,
		`<svg viewBox="0 0 0 0"></svg>`, `<script>1</script>`, `<path`} {
		if _, err := Draw([]byte(head+svg+"</svg>"), 200, 100); err == nil {
			t.Errorf("%s is drawn", svg)
		}
	}
	for _, size := range [][2]int{{0, 5}, {5, -1}, {Most + 1, 5}} {
		if _, err := Draw([]byte(head+"</svg>"), size[0], size[1]); err == nil {
			t.Errorf("a picture of %v", size)
		}
	}
}

// Letters stand where they are put, and are as wide as they are measured, in each face.
func TestText(t *testing.T) {
	seen := map[float64]bool{}
	for _, f := range []Face{{}, {Bold: true}, {Serif: true}, {Serif: true, Bold: true}} {
		wide := Width("Convoys", f, 20)
		if wide < 50 || wide > 90 || seen[wide] {
			t.Errorf("%v: Convoys is %f wide", f, wide)
		}
		seen[wide] = true
		if twice := Width("Convoys", f, 40); math.Abs(twice-2*wide) > 1 {
			t.Errorf("%v: %f and %f", f, wide, twice)
		}
	}
	for anchor, from := range map[string]float64{"start": 50, "middle": 50 - Width("HHH", Face{}, 10)/2,
		"end": 50 - Width("HHH", Face{}, 10)} {
		svg := head + fmt.Sprintf(`<text x="50" y="30" font-size="10" text-anchor="%s">HHH</text></svg>`, anchor)
		img, err := Draw([]byte(svg), 100, 50)
		if err != nil {
			t.Fatal(err)
		}
		first, last := 100, 0
		for x := range 100 {
			if img.RGBAAt(x, 26).A > 100 {
				first, last = min(first, x), max(last, x)
			}
		}
		if float64(first) < from || float64(first) > from+3 || float64(last) > from+Width("HHH", Face{}, 10) {
			t.Errorf("%s: from %d to %d, want from %f", anchor, first, last, from)
		}
	}
	// A face that lacks a letter borrows it; one that nobody has takes no room.
	if Width("a\U000e0001b", Face{}, 10) <= 0 || Width("\U000e0001", Face{Serif: true}, 10) != 0 {
		t.Error("a letter that nobody has takes room")
	}
}

// The same bytes are the same picture.
func TestSame(t *testing.T) {
	svg := []byte(head + `<path fill="#f00" stroke="#00f" d="M1 1q9 40 50 9t30 30z"/>` +
		`<text x="9" y="30" font-size="18">watu</text></svg>`)
	first, err := Draw(svg, 300, 150)
	if err != nil {
		t.Fatal(err)
	}
	for range 3 {
		if again, err := Draw(svg, 300, 150); err != nil || !bytes.Equal(first.Pix, again.Pix) {
			t.Fatal("it is another", err)
		}
	}
}

// Whatever a path says, nothing ends the program.
func FuzzDraw(f *testing.F) {
	for _, d := range []string{"M0 0h5v5z", "m1-1l.5.5q1 2 3 4t5 6c1 2 3 4 5 6s7 8 9 9zh4", "M1e9 5",
		"M-99999999999 5L9 99999999999z"} {
		f.Add(d)
	}
	f.Fuzz(func(_ *testing.T, d string) {
		if strings.ContainsAny(d, `<&"`) {
			return
		}
		_, _ = Draw([]byte(head+`<path stroke="#000" stroke-width="3" d="`+d+`"/></svg>`), 20, 10)
	})
}
