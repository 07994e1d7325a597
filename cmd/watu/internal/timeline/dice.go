package timeline

import (
	"context"
	"math/big"
	"slices"

	"github.com/watu-ledger/watu/cmd/watu/internal/report"
	"github.com/watu-ledger/watu/events"
)

// DiceAt is how the dice of a campaign fell, as sides and kinds were first thrown.
type DiceAt struct {
	report.Luck
	Unlikely []MarkedEvent // throws far from expectation, the latest first
}

// DiceAt counts the dice of the first so many events, and gives the last unlikely throws of them, at
// most so many.
func (r *Reader) DiceAt(ctx context.Context, campaign string, at uint64, most int) (DiceAt, error) {
	out := DiceAt{}
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
		out.Count(t.index, t.side, t.throw, t.fell)
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

// ThrowFell is a throw as it fell. Each of its dice hits at AtMost or less, where its declaration said so; else AtMost
// is 0.
type ThrowFell struct {
	Index  uint64
	Side   string
	Throw  events.Throw
	AtMost int
	Dice   []int
	Chance *big.Rat // that a sum falls at least as far from its mean
	Turn   uint64   // ordinal
}

// ThrowsAt lists the throws among the first so many events that stand.
func (r *Reader) ThrowsAt(ctx context.Context, campaign string, at uint64) (list []ThrowFell, err error) {
	_, it, err := r.indexed(ctx, campaign)
	if err != nil {
		return nil, err
	}
	then := it.History().At(at)
	for _, t := range it.throws {
		if t.index < at && then.Stands(t.index) {
			list = append(list, ThrowFell{t.index, t.side, t.throw, t.atMost, t.fell, t.chance, t.turn})
		}
	}
	return list, nil
}
