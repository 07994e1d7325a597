// Package raster makes pixels of the SVG that this program writes. It draws what that has, and nothing else: svg, g,
// path and text, without styles, references and scripts. What it does not know is an error, so that nothing is left
// out unseen. The same bytes give the same picture.
//
//	img, err := raster.Draw([]byte(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 100 50">`+
//		`<path fill="#dfe8ea" d="M0 0h100v50h-100z"/><text x="10" y="30" font-size="20">7</text></svg>`), 200, 100)
//
// Text is set in STIX Two Text where the font-family names it, and else in Liberation Sans. Both are part of the
// program: a picture does not depend on the fonts of a machine. [Width] measures a line, for who breaks it.
//
// Outlines are filled by golang.org/x/image/vector. A line is the area between its two edges; sharp corners are cut.
package raster
