package raster

import (
	"strings"
	"sync"

	"github.com/go-fonts/liberation/liberationsansbold"
	"github.com/go-fonts/liberation/liberationsansregular"
	"github.com/go-fonts/stix/stix2textregular"
	"github.com/go-fonts/stix/stix2textsemibold"
	"golang.org/x/image/font"
	"golang.org/x/image/font/sfnt"
	"golang.org/x/image/math/fixed"
)

// Face is a face of letters.
type Face struct{ Serif, Bold bool }

// fonts are the faces. They are read for the first picture.
var fonts = sync.OnceValue(func() map[Face]*sfnt.Font {
	all := map[Face]*sfnt.Font{}
	for face, data := range map[Face][]byte{
		{}: liberationsansregular.TTF, {Bold: true}: liberationsansbold.TTF,
		{Serif: true}: stix2textregular.TTF, {Serif: true, Bold: true}: stix2textsemibold.TTF,
	} {
		f, err := sfnt.Parse(data)
		if err != nil {
			panic(err) // it is part of the program
		}
		all[face] = f
	}
	return all
})

// Width is how wide a line of text is at a size in pixels.
func Width(text string, f Face, size float64) float64 {
	return (*outline)(nil).write(text, f, size, point{})
}

// faceOf is the face that attributes name.
func faceOf(family, weight string) Face {
	return Face{Serif: strings.Contains(family, "STIX"), Bold: weight == "bold" || weight >= "600" && len(weight) == 3}
}

// write adds a line of text at a size in pixels, from a place on its base line, and gives its width; to nil it only
// measures. A letter that the face lacks is taken from Liberation Sans, and left out where that lacks it too.
func (o *outline) write(text string, face Face, size float64, at point) (wide float64) {
	var b sfnt.Buffer
	ppem := fixed.Int26_6(size*64 + .5)
	own, spare := fonts()[face], fonts()[Face{Bold: face.Bold}]
	before := sfnt.GlyphIndex(0)
	for _, r := range text {
		f := own
		glyph, err := f.GlyphIndex(&b, r)
		if err != nil || glyph == 0 {
			f = spare
			if glyph, err = f.GlyphIndex(&b, r); err != nil || glyph == 0 {
				before = 0
				continue
			}
		}
		if before != 0 && f == own {
			if kern, err := f.Kern(&b, before, glyph, ppem, font.HintingNone); err == nil {
				wide += pixels(kern)
			}
		}
		if o != nil {
			if segments, err := f.LoadGlyph(&b, glyph, ppem, nil); err == nil {
				o.glyph(segments, point{at.x + wide, at.y})
			}
		}
		if advance, err := f.GlyphAdvance(&b, glyph, ppem, font.HintingNone); err == nil {
			wide += pixels(advance)
		}
		if before = glyph; f != own {
			before = 0
		}
	}
	return wide
}

func pixels(n fixed.Int26_6) float64 { return float64(n) / 64 }

// glyph adds the outline of a letter.
func (o *outline) glyph(list sfnt.Segments, at point) {
	for _, s := range list {
		p := func(i int) point { return at.plus(point{pixels(s.Args[i].X), pixels(s.Args[i].Y)}) }
		switch s.Op {
		case sfnt.SegmentOpMoveTo:
			o.end(true)
			o.move(p(0))
		case sfnt.SegmentOpLineTo:
			o.line(p(0))
		case sfnt.SegmentOpQuadTo:
			o.quad(p(0), p(1))
		case sfnt.SegmentOpCubeTo:
			o.cube(p(0), p(1), p(2))
		}
	}
	o.end(true)
}
