package report

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// panel is one strip of bars over the turns.
type panel struct {
	title   string
	columns [][]column // by turn; a turn may have several side by side, or none
}

// column is a bar of parts that stand on each other, with a word above it.
type column struct {
	parts []stacked
	above string
	below string // the scale, where there is something to say of the turn
	event uint64 // that it comes from
}

type stacked struct {
	value int64
	fill  string
}

func (c column) height() int64 {
	sum := int64(0)
	for _, p := range c.parts {
		sum += max(0, p.value)
	}
	return sum
}

// The measures of a panel, in units.
const (
	barsHigh  = 64
	leftEdge  = 28
	rightEdge = chartWidth - 8
)

// panels draws strips below each other, all to one scale.
func (d *drawing) panels(turns []string, list []panel) {
	d.crowd(list)
	most := int64(1)
	for _, p := range list {
		for _, turn := range p.columns {
			for _, c := range turn {
				most = max(most, c.height())
			}
		}
	}
	for _, p := range list {
		d.panel(turns, p, most)
	}
}

// crowded is how many bars of a turn there is room for on a page.
const crowded = 4

// crowd leaves out bars of a turn that has too many for a page: its last ones are drawn.
func (d *drawing) crowd(list []panel) {
	left := 0
	for _, p := range list {
		for i, turn := range p.columns {
			if n := len(turn) - crowded; d.link != nil && n > 0 {
				p.columns[i] = turn[n:]
				left += n
			}
		}
	}
	if left > 0 {
		d.desc += fmt.Sprintf(" Of a turn the last %d bars of a strip are drawn.", crowded)
	}
}

func (d *drawing) panel(turns []string, p panel, most int64) {
	d.text(8, d.height+11, "start", "h", short(p.title, (chartWidth-16)/letter))
	top := d.height + 28
	base := top + barsHigh
	step := (rightEdge - leftEdge) / max(1, len(turns))
	d.line(leftEdge, top, rightEdge, top, "grid")
	d.line(leftEdge, base, rightEdge, base, "axis")
	d.text(leftEdge-4, top+4, "end", "f", fmt.Sprint(most))
	d.text(leftEdge-4, base+4, "end", "f", "0")
	below := false
	for i, turn := range p.columns {
		n := len(turn)
		if n == 0 {
			continue
		}
		wide := min(22, max(1, (step-2)/n))
		x := leftEdge + i*step + (step-n*wide)/2
		for _, c := range turn {
			d.leading(c.event, func() {
				y := base
				for _, part := range c.parts {
					h := tall(part.value, most)
					y -= h
					d.rect(x, y, wide, h, part.fill)
				}
				if wide >= letter*utf8.RuneCountInString(c.above) || n == 1 &&
					step >= letter*utf8.RuneCountInString(c.above) {
					d.text(x+wide/2, y-3, "middle", "f", c.above)
				}
			})
			if c.below != "" && step >= letter*utf8.RuneCountInString(c.below) {
				d.text(leftEdge+i*step+step/2, base+24, "middle", "f", c.below)
				below = true
			}
			x += wide
		}
	}
	d.height = base + 2
	d.turns(turns, step)
	if below {
		d.height += 12
	}
}

// tall is how high a bar of a value is, where the greatest fills the panel: what is there is seen.
func tall(value, most int64) int {
	if value <= 0 {
		return 0
	}
	return min(barsHigh, max(1, int(float64(value)/float64(most)*barsHigh)))
}

// turns writes the labels of the turns below a panel: every one, or as many as there is room for.
func (d *drawing) turns(turns []string, step int) {
	longest := 1
	for _, l := range turns {
		longest = max(longest, utf8.RuneCountInString(l))
	}
	every := (letter*longest + step - 1) / max(1, step)
	for i, label := range turns {
		x := leftEdge + i*step + step/2
		half := letter * utf8.RuneCountInString(label) / 2
		if i%max(1, every) == 0 && x+half <= chartWidth+4 {
			d.text(max(x, half), d.height+10, "middle", "f", label)
		}
	}
	d.height += 22
}

// tick is a turn's label on an axis: what stands before a comma, if it is too long.
func tick(label string, most int) string {
	if utf8.RuneCountInString(label) > most {
		label, _, _ = strings.Cut(label, ",")
	}
	return short(label, most)
}

// short cuts a text that is too long for its place.
func short(text string, most int) string {
	if utf8.RuneCountInString(text) <= most {
		return text
	}
	return string([]rune(text)[:most-1]) + "…"
}
