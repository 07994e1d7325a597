package typeface

import (
	"bytes"
	"encoding/binary"
	"flag"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/andybalholm/brotli"
	"github.com/go-fonts/liberation/liberationsansbold"
	"github.com/go-fonts/liberation/liberationsansregular"
	"github.com/go-fonts/liberation/liberationserifbold"
	"github.com/go-fonts/liberation/liberationserifregular"
	"github.com/go-fonts/stix/stix2textregular"
	"github.com/go-fonts/stix/stix2textsemibold"
	"golang.org/x/image/font"
	"golang.org/x/image/font/sfnt"
	"golang.org/x/image/math/fixed"
)

var update = flag.Bool("update", false, "cut the faces anew")

// originals are what the faces are cut from.
var originals = map[string][]byte{
	"serif-400.woff2": stix2textregular.TTF, "serif-600.woff2": stix2textsemibold.TTF,
	"sans-400.woff2": liberationsansregular.TTF, "sans-700.woff2": liberationsansbold.TTF,
}

// letters are what a face has: Latin 1, the letters of Latin Extended A that names of places have, punctuation, and the
// signs of the pages.
func letters() (list []rune) {
	for r := rune(0x20); r <= 0xff; r++ {
		if r < 0x7f || r > 0x9f {
			list = append(list, r)
		}
	}
	list = append(list, []rune("ĀāĂăĄąĆćČčĎďĐđĒēĘęĚěĞğĪīİıŁł"+
		"ŃńŇňŌōŐőŒœŘřŚśŞşŠšŤťŪūŮůŰűŸŹźŻżŽžȘșȚț"+
		"–—‘’‚“”„†•…‰‹›€™←↑→↓−≈≠≤≥○●◀▲▶▼│")...)
	slices.Sort(list)
	return list
}

// cut makes a font of the letters of another.
func cut(t *testing.T, face Face, original []byte) map[string][]byte {
	t.Helper()
	f, err := sfnt.Parse(original)
	if err != nil {
		t.Fatal(err)
	}
	c := cutter{t: t, font: f, em: int(f.UnitsPerEm()), ppem: fixed.I(int(f.UnitsPerEm()))}
	c.take(0, 0)
	for _, r := range letters() {
		if g, err := f.GlyphIndex(&c.b, r); err == nil && g != 0 {
			c.take(r, g)
		}
	}
	was := tablesOf(original)
	name := face.Family + " " + face.weighed()
	return map[string][]byte{
		"CFF ": c.outlines(name), "OS/2": was["OS/2"], "cmap": c.characters(), "head": headOf(was["head"]),
		"hhea": hheaOf(was["hhea"], len(c.glyphs)), "hmtx": c.widths(), "kern": c.kerning(),
		"maxp": binary.BigEndian.AppendUint16([]byte{0, 0, 0x50, 0}, uint16(len(c.glyphs))),
		"name": nameOf(was["name"], face), "post": slices.Concat([]byte{0, 3, 0, 0}, was["post"][4:32]),
	}
}

// cutter gathers the glyphs that a cut font has.
type cutter struct {
	t      *testing.T
	font   *sfnt.Font
	b      sfnt.Buffer
	em     int
	ppem   fixed.Int26_6 // with as many pixels an em as it has units, lengths are whole
	glyphs []glyph
	at     map[rune]int // the glyph of each character
}

type glyph struct {
	from    sfnt.GlyphIndex
	rune    rune
	width   int
	program []byte // a charstring of type 2
	box     fixed.Rectangle26_6
}

func (c *cutter) take(r rune, from sfnt.GlyphIndex) {
	c.t.Helper()
	width, err := c.font.GlyphAdvance(&c.b, from, c.ppem, font.HintingNone)
	if err != nil {
		c.t.Fatal(err)
	}
	outline, err := c.font.LoadGlyph(&c.b, from, c.ppem, nil)
	if err != nil {
		c.t.Fatal(err)
	}
	g := glyph{from: from, rune: r, width: width.Round(), box: outline.Bounds()}
	g.program = charstring(g.width, outline)
	if c.at == nil {
		c.at = map[rune]int{}
	}
	c.at[r] = len(c.glyphs)
	c.glyphs = append(c.glyphs, g)
}

// widths is the table hmtx.
func (c *cutter) widths() (b []byte) {
	for _, g := range c.glyphs {
		b = binary.BigEndian.AppendUint16(b, uint16(g.width))
		b = binary.BigEndian.AppendUint16(b, uint16(int16(g.box.Min.X.Floor())))
	}
	return b
}

// characters is the table cmap: one of format 4, a segment for each run of characters.
func (c *cutter) characters() []byte {
	var first, last []rune
	for _, g := range c.glyphs[1:] {
		if n := len(last); n > 0 && last[n-1]+1 == g.rune {
			last[n-1] = g.rune
			continue
		}
		first, last = append(first, g.rune), append(last, g.rune)
	}
	first, last = append(first, 0xffff), append(last, 0xffff)
	n := len(first)
	search := 1
	for 2*search <= n {
		search *= 2
	}
	log := 0
	for 1<<(log+1) <= search {
		log++
	}
	words := func(list ...int) (b []byte) {
		for _, x := range list {
			b = binary.BigEndian.AppendUint16(b, uint16(x))
		}
		return b
	}
	b := words(4, 16+8*n, 0, 2*n, 2*search, log, 2*n-2*search)
	for _, r := range last {
		b = append(b, words(int(r))...)
	}
	b = append(b, 0, 0)
	for _, r := range first {
		b = append(b, words(int(r))...)
	}
	for _, r := range first {
		delta := 1
		if r != 0xffff {
			delta = c.at[r] - int(r)
		}
		b = append(b, words(delta)...)
	}
	b = append(b, make([]byte, 2*n)...)
	return slices.Concat(words(0, 1, 3, 1, 0, 12), b)
}

// kerning is the table kern: pairs of ASCII characters.
func (c *cutter) kerning() []byte {
	var pairs []byte
	n := 0
	for i, x := range c.glyphs {
		for j, y := range c.glyphs {
			if x.rune == 0 || y.rune == 0 || x.rune > '~' || y.rune > '~' {
				continue
			}
			k, err := c.font.Kern(&c.b, x.from, y.from, c.ppem, font.HintingNone)
			if err != nil || k == 0 {
				continue
			}
			for _, v := range []int{i, j, k.Round()} {
				pairs = binary.BigEndian.AppendUint16(pairs, uint16(v))
			}
			n++
		}
	}
	search, log := 1, 0
	for 2*search <= n {
		search, log = 2*search, log+1
	}
	b := []byte{0, 0, 0, 1, 0, 0}
	for _, v := range []int{14 + 6*n, 1, n, 6 * search, log, 6 * (n - search)} {
		b = binary.BigEndian.AppendUint16(b, uint16(v))
	}
	return append(b, pairs...)
}

// Each face is what the cutter makes of its original. That the compressor of another version packs it otherwise does
// not matter.
func TestFacesAreCut(t *testing.T) {
	for _, f := range Faces {
		tables := cut(t, f, originals[f.File])
		data := woff2(t, tables)
		if *update {
			if err := os.WriteFile(filepath.Join("files", f.File), data, 0o644); err != nil {
				t.Fatal(err)
			}
			continue
		}
		if !bytes.Equal(unpacked(t, f.Data), unpacked(t, data)) {
			t.Errorf("%s is not what is cut from its original: run the test with -update", f.File)
		}
		if len(f.Data) > 22<<10 {
			t.Errorf("%s has %d bytes", f.File, len(f.Data))
		}
		t.Logf("%s: %d bytes of %d", f.File, len(f.Data), len(originals[f.File]))
	}
}

// unpacked is a WOFF2 file with its tables as they were before the compressor.
func unpacked(t *testing.T, data []byte) []byte {
	t.Helper()
	head, packed := headLength(data), int(binary.BigEndian.Uint32(data[20:]))
	var b bytes.Buffer
	if _, err := b.ReadFrom(brotli.NewReader(bytes.NewReader(data[head : head+packed]))); err != nil {
		t.Fatal(err)
	}
	return append(slices.Clone(data[48:head]), b.Bytes()...)
}

// Figures are as wide as each other, in each face, but for a thousandth of an em: a column of them stands straight.
func TestFiguresAreTabular(t *testing.T) {
	for _, f := range Faces {
		from, err := sfnt.Parse(originals[f.File])
		if err != nil {
			t.Fatal(err)
		}
		var b sfnt.Buffer
		var widths []fixed.Int26_6
		for r := '0'; r <= '9'; r++ {
			g, err := from.GlyphIndex(&b, r)
			if err != nil {
				t.Fatal(err)
			}
			w, err := from.GlyphAdvance(&b, g, fixed.I(1000), font.HintingNone)
			if err != nil {
				t.Fatal(err)
			}
			widths = append(widths, w)
		}
		if slices.Max(widths)-slices.Min(widths) > fixed.I(1) {
			t.Errorf("%s: figures of the widths %v", f.File, widths)
		}
	}
}

// What stands in until a face has come is as wide as that, and its line as high: a headline is as long in both. Times
// has the widths of Liberation Serif. DejaVu is measured where it is.
func TestStandInsAreAsWide(t *testing.T) {
	const headline = "U-boats and bombers cost Britain 17 IPCs, the most yet. Germany collects 25, from 44 in Round 3"
	times := map[int][]byte{400: liberationserifregular.TTF, 600: liberationserifbold.TTF}
	for _, s := range standIns {
		awaited := originals[Face{Weight: s.weight}.of(s.kind)]
		em := float64(binary.BigEndian.Uint16(tablesOf(awaited)["head"][18:]))
		hhea := tablesOf(awaited)["hhea"]
		up, down := int16(binary.BigEndian.Uint16(hhea[4:])), int16(binary.BigEndian.Uint16(hhea[6:]))
		line := lines[s.kind]
		if math.Abs(float64(up)/em-line.ascent) > 0.001 || math.Abs(float64(-down)/em-line.descent) > 0.001 {
			t.Errorf("the %s of %d has an ascent of %d and a descent of %d in an em of %g", s.kind, s.weight, up, down,
				em)
		}
		face, wide := times[s.weight], 0.002
		if _, name, ok := strings.Cut(s.local, "DejaVu "); ok {
			name = strings.ReplaceAll(strings.TrimSuffix(name, `")`), " Bold", "-Bold")
			data, err := os.ReadFile("/usr/share/fonts/truetype/dejavu/DejaVu" + name + ".ttf")
			if err != nil {
				t.Logf("NOT TESTED: the width of DejaVu %s: %v", name, err)
				continue
			}
			face, wide = data, 0.012 // its letters differ more from each other: the pages say other sentences
		}
		ratio := lengthOf(t, awaited, headline) / lengthOf(t, face, headline)
		if math.Abs(ratio-s.size) > wide {
			t.Errorf("the %s of %d is %.3f times as wide as %s; it says %.3f", s.kind, s.weight, ratio, s.local, s.size)
		}
	}
}

// lengthOf is how long a line is, in ems.
func lengthOf(t *testing.T, face []byte, line string) float64 {
	t.Helper()
	f, err := sfnt.Parse(face)
	if err != nil {
		t.Fatal(err)
	}
	var b sfnt.Buffer
	all := fixed.Int26_6(0)
	for _, r := range line {
		g, err := f.GlyphIndex(&b, r)
		if err != nil {
			t.Fatal(err)
		}
		w, err := f.GlyphAdvance(&b, g, fixed.I(1000), font.HintingNone)
		if err != nil {
			t.Fatal(err)
		}
		all += w
	}
	return float64(all) / 64000
}
