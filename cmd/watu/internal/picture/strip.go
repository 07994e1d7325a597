package picture

// Strip is all turns of a long campaign in small, above the plot of some of them.
type Strip struct {
	Foot
	Lines   []Line
	From, W int // the turns that the plot shows
}

// stripHigh is how high a strip is.
const stripHigh = 34

// High is how high the strip is.
func (s *Strip) High() int { return stripHigh }

// stripOf draws the whole of what a plot shows the last of.
func stripOf(d Draft, p *Plot, lowest, highest int64) *Strip {
	s := &Strip{Foot: Foot{wide: plotWide, room: p.room}}
	s.place(d.Turns, d.On, false)
	first, last := s.all[s.at(p.all[0].Ordinal)], s.all[s.at(p.all[len(p.all)-1].Ordinal)]
	s.From, s.W = first.Left, last.Left+last.W-first.Left
	for _, l := range d.Lines {
		given := l.Dots
		l.Dots = nil
		for i, x := range given {
			at := s.at(x.Ordinal)
			if at < 0 || len(given) > 2*stripMost && i%(len(given)/stripMost) != 0 && i < len(given)-1 {
				continue
			}
			x.X = s.all[at].X
			x.Y = stripHigh - 3 - int((x.N-lowest)*(stripHigh-6)/(highest-lowest))
			l.Dots = append(l.Dots, x)
		}
		l.Points = points(l.Dots)
		s.Lines = append(s.Lines, l)
	}
	return s
}

// stripMost is of how many figures a line of a strip has about as many points.
const stripMost = 100
