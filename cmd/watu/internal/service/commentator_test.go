package service

import (
	"context"
	"encoding/json"
	"math"
	"testing"

	"github.com/watu-ledger/watu/cmd/watu/internal/timeline"
	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/fixtures"
	"github.com/watu-ledger/watu/fixtures/longrun"
)

// A commentator knows of each card what the umpire knows, if it was sealed before the last turns; of the
// others what the public knows, as soon as the public does. So it is whenever he looks, at whatever moment
// of the campaign: how late he is told counts from the end and not from the moment.
func TestCommentator(t *testing.T) {
	longrun.Only(t)
	listed, kept := 0, 0 // cards
	for _, k := range fixtures.Campaigns() {
		c := began(t)
		opened(t, c, k)
		sealed := 0
		for _, file := range k.Files {
			submitted(t, c, k, file)
			for late := uint64(1); late <= 3; late++ {
				comment := commentary{t: t, f: c, name: k.Name, late: late}
				comment.read()
				sealed = comment.sealed
				for m := range comment.stops {
					comment.look(m)
				}
				listed, kept = listed+comment.text, kept+comment.kept
			}
		}
		if k.System == "awaw" && sealed < 100 { // the others have no cards; what they seal are entries that wait
			t.Errorf("campaign %s seals only %d facts", k.Name, sealed)
		}
	}
	if listed < 1000 || kept < 1000 {
		t.Errorf("%d cards were shown and %d kept: the campaigns test little", listed, kept)
	}
}

// commentary is one look at a campaign, and what the log says of it.
type commentary struct {
	t      *testing.T
	f      *Service
	name   string
	late   uint64
	turns  []uint64              // of each event: the ordinal of its turn
	open   map[events.Ref]uint64 // by which event a fact was disclosed
	stops  map[uint64]bool       // how many events a moment has behind it: each turn's end, and each disclosure
	sealed int
	text   int
	kept   int
}

func (c *commentary) read() {
	c.t.Helper()
	c.open, c.stops = map[events.Ref]uint64{}, map[uint64]bool{}
	log, err := c.f.Log(context.Background(), c.name, 0, math.MaxUint64)
	if err != nil {
		c.t.Fatal(err)
	}
	for _, l := range log {
		if n := len(c.turns); n > 0 && c.turns[n-1] != l.TurnOrdinal {
			c.stops[uint64(n)] = true
		}
		c.turns = append(c.turns, l.TurnOrdinal)
		for _, o := range l.Openings {
			c.open[events.Ref{Index: o.Index, Slot: o.Slot}] = l.Index
		}
		if len(l.Openings) > 0 {
			c.stops[l.Index], c.stops[l.Index+1] = true, true
		}
		c.sealed += len(l.Commitments)
	}
	c.stops[uint64(len(c.turns))] = true
}

// look holds the pools at a moment against what the log says may be known.
func (c *commentary) look(moment uint64) {
	c.t.Helper()
	all, some := c.as(timeline.Viewer{As: timeline.Umpire}, moment),
		c.as(timeline.Viewer{As: timeline.Commentator, Late: c.late}, moment)
	if all.Pools == nil {
		return
	}
	for i, p := range some.Pools.Pools {
		umpires := all.Pools.Pools[i]
		for j, a := range p.Additions {
			c.card(moment, events.Ref{Index: a.Event, Slot: "card"}, a.Card, umpires.Additions[j].Card)
		}
		for j, h := range p.Hand.Cards {
			c.card(moment, events.Ref{Index: p.Hand.Event, Slot: h.Slot}, h.Card, umpires.Hand.Cards[j].Card)
		}
	}
	if older := moment == 0 || c.old(moment-1); older && asJSON(c.t, some) != asJSON(c.t, all) {
		c.t.Fatalf("%s after %d events, %d turns late: everything is old, and the commentator sees\n%s\nand "+
			"the umpire\n%s",
			c.name, moment, c.late, asJSON(c.t, some), asJSON(c.t, all))
	}
	strategic, _ := json.Marshal(some.Strategic)
	if public := asJSON(c.t, c.as(timeline.Viewer{As: timeline.Public},
		moment).Strategic); public != string(strategic) {
		c.t.Fatalf("%s after %d events: what is public is told late: %s", c.name, moment, strategic)
	}
}

func (c *commentary) as(viewer timeline.Viewer, moment uint64) timeline.Views {
	c.t.Helper()
	v, err := c.f.ViewsAt(context.Background(), c.name, viewer, moment)
	if err != nil {
		c.t.Fatal(err)
	}
	return v
}

// old reports whether an event lies before the last turns of the campaign as it is now.
func (c *commentary) old(index uint64) bool {
	return c.turns[index]+c.late <= c.turns[len(c.turns)-1]
}

func (c *commentary) card(moment uint64, ref events.Ref, card, umpires string) {
	c.t.Helper()
	by, ever := c.open[ref]
	may := ever && by < moment || c.old(ref.Index)
	switch {
	case umpires == "":
		c.t.Fatalf("%s after %d events: the umpire does not know %s of #%d", c.name, moment, ref.Slot, ref.Index)
	case may && card != umpires, !may && card != "":
		c.t.Fatalf("%s after %d events of %d, %d turns late: %s of #%d is %q, and the umpire's %q",
			c.name, moment, len(c.turns), c.late, ref.Slot, ref.Index, card, umpires)
	case may:
		c.text++
	default:
		c.kept++
	}
}
