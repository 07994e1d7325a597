package timeline

import (
	"context"
	"slices"
)

// DiceCount counts the results of one side's dice of one kind.
type DiceCount struct {
	Side  string  `json:"side"`
	Low   int     `json:"low"` // figures of one die
	High  int     `json:"high"`
	Dice  int64   `json:"dice"`
	Sum   int64   `json:"sum"`
	Faces []int64 `json:"faces"` // how often each fell, from Low on
	First uint64  `json:"first"` // indexes of the first and the last throw
	Last  uint64  `json:"last"`
}

// DiceAt is how the dice of a campaign fell.
type DiceAt struct {
	Fell     []DiceCount   `json:"fell"`     // as sides and kinds were first thrown
	Left     int           `json:"left_out"` // dice that do not stand
	Unlikely []MarkedEvent `json:"unlikely"` // throws far from expectation, the latest first
}

// DiceAt counts the dice of the first so many events, and gives the last unlikely throws of them, at
// most so many.
func (r *Reader) DiceAt(ctx context.Context, campaign string, at uint64, most int) (DiceAt, error) {
	out := DiceAt{Fell: []DiceCount{}, Unlikely: []MarkedEvent{}}
	c, err := r.Find(campaign)
	if err != nil {
		return out, err
	}
	way := walk{ctx: ctx, f: r, c: c, as: Viewer{As: Public}}
	if way.it, err = r.Index(ctx, c); err != nil {
		return out, err
	}
	if way.far, err = farOf(""); err != nil {
		return out, err
	}
	then := way.it.History().At(at)
	thrown := way.it.throws
	for i, t := range thrown {
		if t.index >= at {
			thrown = thrown[:i]
			break
		}
		if !then.Stands(t.index) {
			out.Left += len(t.fell)
			continue
		}
		out.count(&t)
	}
	for _, t := range slices.Backward(thrown) {
		if t.chance.Cmp(way.far) > 0 || len(out.Unlikely) == most {
			continue
		}
		throw, err := way.narrated(t.index, t.index+1, at)
		if err != nil {
			return out, err
		}
		out.Unlikely = append(out.Unlikely, throw...)
	}
	return out, nil
}

func (d *DiceAt) count(t *thrown) {
	low, high := t.throw.Shows()
	i := slices.IndexFunc(d.Fell, func(x DiceCount) bool { return x.Side == t.side && x.Low == low && x.High == high })
	if i < 0 {
		i = len(d.Fell)
		d.Fell = append(d.Fell, DiceCount{Side: t.side, Low: low, High: high, Faces: make([]int64, high-low+1),
			First: t.index})
	}
	x := &d.Fell[i]
	x.Last = t.index
	for _, n := range t.fell {
		x.Dice++
		x.Sum += int64(n)
		x.Faces[n-low]++
	}
}
