package service

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/fixtures"
	"github.com/watu-ledger/watu/fixtures/longrun"
	"github.com/watu-ledger/watu/replay"
	"github.com/watu-ledger/watu/replay/bundle"
)

// entered hands in an entry that has to stand.
func entered(t *testing.T, c *Service, campaign, text string) {
	t.Helper()
	var done Submitted
	err := into(&done)(c.Submit(t.Context(), campaign, umpire, Submission{Name: "entry", Entry: true, Text: text}))
	if err != nil || done.Problem != nil {
		t.Fatalf("%s: %v %v", text, err, done.Problem)
	}
}

// TestDisclosedAlone: of a project the points that went into it stay sealed, and the card that came of it is disclosed.
// Nobody's file is accused for that, and all are imported.
func TestDisclosedAlone(t *testing.T) {
	t.Parallel()
	c := began(t)
	if _, err := c.OpenCampaign(replay.NewCampaign{Name: "alone", System: "awaw", Seed: "one"}); err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{
		"{turn: Spring 1941}",
		"{id: points, allocate: {side: Britain, project: Ultra, points: 3}}",
		"{id: result, produce: {side: Britain, project: Ultra, card: tactical}}",
	} {
		entered(t, c, "alone", text)
	}
	for _, o := range fileOf(t, c, "alone", "umpire").Openings {
		if o.Slot == "card" {
			entered(t, c, "alone", fmt.Sprintf("{id: shown, reveal: {event: %d, slot: card, reason: curiosity}}",
				o.Index))
		}
	}
	entered(t, c, "alone", "{id: drawn, draw: Ultra}")
	for _, reader := range readersOf(t, c, "alone") {
		f := fileOf(t, c, "alone", reader)
		if v := verified(t, f); !v.Verified {
			t.Errorf("for %s: %+v", reader, v.Findings)
		}
		if err := into(&Imported{})(began(t).Import(bytes.NewReader(f.Encode()), "")); err != nil {
			t.Errorf("for %s: %v", reader, err)
		}
	}
}

// TestDisclosures discloses what the bundled campaigns seal, one secret after the other in an order drawn by lot: the
// file of every reader verifies on the way, and is imported in the end.
func TestDisclosures(t *testing.T) {
	longrun.Only(t)
	c := began(t)
	lot := rand.New(rand.NewPCG(13, 3))
	for _, k := range fixtures.Campaigns() {
		if k.System != "awaw" {
			continue
		}
		play(t, c, k)
		sealed := undisclosed(t, fileOf(t, c, k.Name, "umpire"))
		lot.Shuffle(len(sealed), func(i, j int) { sealed[i], sealed[j] = sealed[j], sealed[i] })
		if len(sealed) < 10 {
			t.Errorf("%s seals %d facts", k.Name, len(sealed))
		}
		readers := readersOf(t, c, k.Name)
		for i, at := range sealed {
			slot, _ := json.Marshal(at.Slot)
			entered(t, c, k.Name, fmt.Sprintf("{id: shown-%d, reveal: {event: %d, slot: %s, reason: drawn by lot}}", i,
				at.Index, slot))
			reader := readers[i%len(readers)]
			if v := verified(t, fileOf(t, c, k.Name, reader)); !v.Verified {
				t.Fatalf("%s for %s, #%d %s disclosed: %+v", k.Name, reader, at.Index, at.Slot, v.Findings)
			}
			if i != len(sealed)/2 && i != len(sealed)-1 {
				continue
			}
			for _, reader := range readers {
				if err := into(&Imported{})(began(t).Import(bytes.NewReader(fileOf(t, c, k.Name, reader).Encode()),
					"")); err != nil {
					t.Errorf("%s for %s: %v", k.Name, reader, err)
				}
			}
		}
	}
}

// undisclosed lists what a file's record does not disclose.
func undisclosed(t *testing.T, f *bundle.File) (list []events.Ref) {
	t.Helper()
	for _, o := range f.Openings {
		list = append(list, events.Ref{Index: o.Index, Slot: o.Slot})
	}
	for _, b := range f.Events {
		e, err := events.Decode(b)
		if err != nil {
			t.Fatal(err)
		}
		list = slices.DeleteFunc(list, func(at events.Ref) bool {
			return slices.ContainsFunc(e.Openings, func(o events.Opening) bool {
				return o.Index == at.Index && o.Slot == at.Slot
			})
		})
	}
	return list
}
