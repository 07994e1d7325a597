package raster

import (
	"bytes"
	"cmp"
	"encoding/xml"
	"errors"
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"io"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/image/vector"
)

// Most is how many pixels a side of a picture has at most, and how many bytes its SVG.
const (
	Most      = 4096
	mostBytes = 8 << 20
)

// Draw draws an SVG into a picture so many pixels wide and high.
func Draw(svg []byte, wide, high int) (*image.RGBA, error) {
	if wide < 1 || high < 1 || wide > Most || high > Most || len(svg) > mostBytes {
		return nil, fmt.Errorf("a picture of %d by %d pixels from %d bytes", wide, high, len(svg))
	}
	s := &sheet{img: image.NewRGBA(image.Rect(0, 0, wide, high))}
	s.frames = []frame{{clip: s.img.Bounds(), wide: float64(wide), high: float64(high), scale: 1}}
	d := xml.NewDecoder(bytes.NewReader(svg))
	for {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			return s.img, nil
		}
		if err == nil {
			err = s.take(token)
		}
		if err != nil {
			return nil, err
		}
	}
}

// sheet is a picture in the making.
type sheet struct {
	img    *image.RGBA
	frames []frame // the elements that are open, the innermost last
	text   string  // of the element that is
}

// frame is an open element: where its units lie, and what it hands on.
type frame struct {
	name       string
	clip       image.Rectangle
	from       point // the pixel of its 0, 0
	scale      float64
	wide, high float64 // of the box for the next svg, in units of what is around it
	with       map[string]string
}

// own are attributes that an element does not hand on.
var own = []string{"xmlns", "viewBox", "width", "height", "x", "y", "d", "aria-hidden"}

// known are attributes that are drawn, or that need no drawing.
var known = append([]string{"fill", "stroke", "stroke-width", "stroke-opacity", "fill-opacity", "font-family",
	"font-size", "font-weight", "text-anchor", "stroke-linejoin", "stroke-linecap", "paint-order"}, own...)

func (s *sheet) take(token xml.Token) error {
	switch t := token.(type) {
	case xml.StartElement:
		return s.begin(t)
	case xml.CharData:
		s.text += string(t)
	case xml.EndElement:
		top := s.frames[len(s.frames)-1]
		s.frames = s.frames[:len(s.frames)-1]
		if top.name == "text" {
			return s.write(top)
		}
	}
	return nil
}

// begin opens an element.
func (s *sheet) begin(t xml.StartElement) error {
	f := s.frames[len(s.frames)-1]
	f.name, s.text = t.Name.Local, ""
	f.with = maps.Clone(f.with)
	if f.with == nil {
		f.with = map[string]string{}
	}
	maps.DeleteFunc(f.with, func(name, _ string) bool { return slices.Contains(own, name) })
	for _, a := range t.Attr {
		if !slices.Contains(known, a.Name.Local) {
			return fmt.Errorf("a picture with the attribute %s", a.Name.Local)
		}
		f.with[a.Name.Local] = a.Value
	}
	defer func() { s.frames = append(s.frames, f) }()
	switch f.name {
	case "svg":
		return f.box(len(s.frames) == 1)
	case "g", "text":
		return nil
	case "path":
		contours, err := pathOf(f.with["d"], f.scale)
		if err != nil {
			return err
		}
		for _, c := range contours {
			for i, p := range c.at {
				c.at[i] = f.from.plus(p.by(f.scale))
			}
		}
		return s.paint(f, contours)
	}
	return fmt.Errorf("a picture with %s", f.name)
}

// box makes the units of an svg: its viewBox fills the box that it has, and is cut where it is larger.
func (f *frame) box(outermost bool) error {
	var x, y, wide, high float64
	if _, err := fmt.Sscan(f.with["viewBox"], &x, &y, &wide, &high); err != nil || wide <= 0 || high <= 0 {
		return fmt.Errorf("a picture with the viewBox %q", f.with["viewBox"])
	}
	at, in := point{f.number("x", 0), f.number("y", 0)}, point{f.number("width", f.wide), f.number("height", f.high)}
	if outermost {
		at, in = point{}, point{f.wide, f.high}
	}
	corner, end := f.from.plus(at.by(f.scale)), f.from.plus(at.plus(in).by(f.scale))
	f.clip = f.clip.Intersect(image.Rect(int(math.Round(corner.x)), int(math.Round(corner.y)), int(math.Round(end.x)),
		int(math.Round(end.y))))
	fill := max(in.x/wide, in.y/high)
	middle := point{(in.x/fill - wide) / 2, (in.y/fill - high) / 2}
	f.scale *= fill
	f.from = corner.minus(point{x - middle.x, y - middle.y}.by(f.scale))
	f.wide, f.high = wide, high
	return nil
}

func (f frame) number(name string, or float64) float64 {
	if n, err := strconv.ParseFloat(f.with[name], 64); err == nil {
		return n
	}
	return or
}

// write draws the text of an element that has ended.
func (s *sheet) write(f frame) error {
	face, size := faceOf(f.with["font-family"], f.with["font-weight"]), f.number("font-size", 16)*f.scale
	at := f.from.plus(point{f.number("x", 0), f.number("y", 0)}.by(f.scale))
	if anchor := f.with["text-anchor"]; anchor != "" && anchor != "start" {
		wide := Width(s.text, face, size)
		if anchor == "middle" {
			wide /= 2
		}
		at.x -= wide
	}
	o := outline{scale: 1}
	o.write(s.text, face, size, at)
	return s.paint(f, o.done)
}

// paint fills contours and draws their lines; those of text come first.
func (s *sheet) paint(f frame, contours []contour) error {
	fill, err := paintOf(cmp.Or(f.with["fill"], "#000000"), f.number("fill-opacity", 1))
	if err != nil {
		return err
	}
	stroke, err := paintOf(cmp.Or(f.with["stroke"], "none"), f.number("stroke-opacity", 1))
	if err != nil {
		return err
	}
	line := func() {
		if stroke.A > 0 {
			s.fill(f.clip, edges(contours, f.number("stroke-width", 1)*f.scale), stroke)
		}
	}
	if f.name == "text" {
		line()
	}
	if fill.A > 0 {
		s.fill(f.clip, contours, fill)
	}
	if f.name != "text" {
		line()
	}
	return nil
}

// paintOf reads a colour.
func paintOf(text string, opacity float64) (color.NRGBA, error) {
	if text == "none" {
		return color.NRGBA{}, nil
	}
	digits := strings.TrimPrefix(text, "#")
	if len(digits) == 3 {
		digits = string([]byte{digits[0], digits[0], digits[1], digits[1], digits[2], digits[2]})
	}
	n, err := strconv.ParseUint(digits, 16, 32)
	if err != nil || len(digits) != 6 {
		return color.NRGBA{}, fmt.Errorf("a picture with the colour %q", text)
	}
	return color.NRGBA{uint8(n >> 16), uint8(n >> 8), uint8(n), uint8(math.Round(255 * min(max(opacity, 0), 1)))}, nil
}

// fill fills an area, as far as it lies within the clip. The rasterizer has only the room of the area.
func (s *sheet) fill(clip image.Rectangle, area []contour, paint color.NRGBA) {
	least, most := point{math.Inf(1), math.Inf(1)}, point{math.Inf(-1), math.Inf(-1)}
	for _, c := range area {
		for _, p := range c.at {
			least = point{min(least.x, p.x), min(least.y, p.y)}
			most = point{max(most.x, p.x), max(most.y, p.y)}
		}
	}
	if len(area) == 0 || !(most.x-least.x < 1e6 && most.y-least.y < 1e6) {
		return
	}
	room := image.Rect(int(math.Floor(least.x)), int(math.Floor(least.y)), int(math.Ceil(most.x)),
		int(math.Ceil(most.y))).Intersect(clip)
	if room.Empty() {
		return
	}
	z := vector.NewRasterizer(room.Dx(), room.Dy())
	x, y := float64(room.Min.X), float64(room.Min.Y)
	for _, c := range area {
		z.MoveTo(float32(c.at[0].x-x), float32(c.at[0].y-y))
		for _, p := range c.at[1:] {
			z.LineTo(float32(p.x-x), float32(p.y-y))
		}
		z.ClosePath()
	}
	z.DrawOp = draw.Over
	z.Draw(s.img, room, image.NewUniform(paint), image.Point{})
}
