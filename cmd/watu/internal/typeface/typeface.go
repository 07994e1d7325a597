// Package typeface holds the two faces of the pages, as Latin subsets in WOFF2: a serif for headlines, a sans with
// tabular lining figures for the rest.
//
// They are cut from STIX Two Text and Liberation Sans, which the modules github.com/go-fonts/stix and
// github.com/go-fonts/liberation hold. The cutter is part of the tests: each run cuts the faces anew and compares, and
//
//	go test ./cmd/watu/internal/typeface -update
//
// writes them. A cut face has the outlines of its letters without hints, their widths, and kerning between ASCII
// characters. Both originals are under the SIL Open Font License, whose text lies beside the files. Liberation reserves
// its name for unmodified fonts, so the cut faces are called "watu sans" and "watu serif".
//
// [Sheet] is the beginning of a style sheet that declares them.
package typeface

import (
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"fmt"
	"strings"
)

//go:embed files
var files embed.FS

// Face is a font as a page loads it.
type Face struct {
	Family string // "watu serif" or "watu sans"
	Weight int    // of CSS: 400 to 700
	File   string // its name, "serif-600.woff2"
	Hash   string // of its contents, 16 digits
	Data   []byte // WOFF2
}

// Faces are all that the pages use.
var Faces = []Face{face("serif", 400), face("serif", 600), face("sans", 400), face("sans", 700)}

func face(kind string, weight int) Face {
	f := Face{Family: "watu " + kind, Weight: weight}
	f.File = f.of(kind)
	var err error
	if f.Data, err = files.ReadFile("files/" + f.File); err != nil {
		panic(err) // the files are part of the program
	}
	sum := sha256.Sum256(f.Data)
	f.Hash = hex.EncodeToString(sum[:8])
	return f
}

// of is the name of its file, by what kind it is of.
func (f Face) of(kind string) string { return fmt.Sprintf("%s-%d.woff2", kind, f.Weight) }

// Path is the address of the face below a directory, "/static": it names the contents, so that it is kept for good.
func (f Face) Path(dir string) string { return dir + "/" + f.Hash + "/" + f.File }

// Sheet declares the faces, and what stands in until they have come: a face that readers have, brought to the width and
// height of the one awaited, so that lines break in the same places. Liberation Sans has the widths of Arial, which
// needs nothing. DejaVu stands in where a machine has neither Arial nor Times.
func Sheet(dir string) string {
	var b strings.Builder
	for _, f := range Faces {
		fmt.Fprintf(&b, "@font-face { font-family: %q; font-weight: %d; font-display: swap; "+
			"src: url(%s) format(\"woff2\"); }\n", f.Family, f.Weight, f.Path(dir))
	}
	for _, s := range standIns {
		line := lines[s.kind]
		fmt.Fprintf(&b, "@font-face { font-family: \"watu %s, %s\"; font-weight: %d; src: %s; "+
			"size-adjust: %s; ascent-override: %s; descent-override: %s; line-gap-override: 0%%; }\n", s.kind, s.until,
			s.weight, s.local, percent(s.size), percent(line.ascent/s.size), percent(line.descent/s.size))
	}
	return b.String()
}

// lines are the ascents and descents of the faces, in ems.
var lines = map[string]struct{ ascent, descent float64 }{"serif": {0.762, 0.238}, "sans": {0.905, 0.212}}

// standIns are faces that readers have, with how much wider the letters of the awaited face are than theirs.
var standIns = []struct {
	kind, until string
	weight      int
	local       string
	size        float64
}{
	{"serif", "until it comes", 400, `local("Times New Roman"), local("Liberation Serif")`, 1.037},
	{"serif", "until it comes", 600, `local("Times New Roman Bold"), local("Liberation Serif Bold")`, 1.038},
	{"serif", "without Times", 400, `local("DejaVu Serif")`, 0.829},
	{"serif", "without Times", 600, `local("DejaVu Serif Bold")`, 0.798},
	{"sans", "without Arial", 400, `local("DejaVu Sans")`, 0.884},
	{"sans", "without Arial", 700, `local("DejaVu Sans Bold")`, 0.838},
}

func percent(x float64) string { return fmt.Sprintf("%.1f%%", 100*x) }
