package bundle_test

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"reflect"
	"slices"
	"testing"

	"github.com/oklog/ulid/v2"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/replay/bundle"
	"github.com/watu-ledger/watu/rules/chance"
)

// This file stands alone: what is compiled once more to fuzz it does without the ledger, which the other tests need.

// small is a record made by hand: a campaign is opened, its chain anchored, a die thrown and a card sealed.
func small() *bundle.File { return smallWith(chance.ByIndex) }

func smallWith(seeds chance.Seeds) *bundle.File {
	id := ulid.MustParse("01ARZ3NDEKTSV4RRFFQ69G5FAV")
	chain := chance.NewChain(chance.ChainSeed(events.Hash{1}, id, 1, chance.Dice), 8)
	link := events.Link{Chain: chance.Dice, Position: 1, Link: chain.Link(1)}
	seed := chance.Seed(seeds.Dice(id, 1, 2, 1), chance.Contribution{Link: link.Link})
	f := &bundle.File{Editions: []string{"a sheet"}}
	sheet := sha256.Sum256([]byte(f.Editions[0]))
	for i, p := range []events.Payload{
		&events.CampaignOpened{Name: "small", System: "awaw", Edition: "1", Sides: []string{"Britain"}, Dice: "chain"},
		&events.EpochBegun{Chains: []events.Anchor{{Chain: chance.Dice, Anchor: chain.Anchor(), Length: 8}},
			Seeds: string(seeds)},
		&events.RollDeclared{Throws: []events.Throw{{Name: "one", Side: "Britain", Dice: 1, Sides: 6}},
			Sources: []events.Source{{Chain: chance.Dice, Position: 1}}},
		&events.DiceRolled{Declared: 2, Throw: "one", Dice: chance.NewSampler(seed).Dice(1, 6),
			Links: []events.Link{link}},
		&events.CardAdded{Deck: "Ultra", PoolSize: 1},
	} {
		e := events.Event{
			Campaign: id, Index: uint64(i), Type: p.Type(), Side: "Britain", Command: "c", Epoch: 1, Schema: 1,
			Edition: sheet,
			Payload: events.EncodePayload(p), Previous: f.Header.Head,
		}
		if e.Type == "card_added" {
			place := events.Place{Campaign: id, Epoch: 1, Command: "c", Slot: "card"}
			e.Commitments = []events.Commitment{{Slot: "card", Hash: events.Commit(place, events.Hash{2}, "asw")}}
		}
		f.Events = append(f.Events, e.Encode())
		f.Header.Head = events.LeafHash(f.Events[i])
	}
	f.Openings = []events.Opening{{Index: 4, Slot: "card", Salt: events.Hash{2}, Fact: "asw"}}
	f.Header.Campaign, f.Header.Name, f.Header.System, f.Header.Edition = id, "small", "awaw", "1"
	f.Header.Events, f.Header.For, f.Header.Editions = 5, "Britain", []events.Hash{sheet}
	return f
}

func TestSmall(t *testing.T) {
	if r := small().Check(bundle.Options{}); !r.Good() {
		t.Errorf("%+v", r.Findings)
	}
}

func FuzzRead(f *testing.F) {
	f.Add(small().Encode())
	f.Add([]byte(bundle.Magic))
	f.Fuzz(func(t *testing.T, b []byte) {
		file, err := bundle.Read(bytes.NewReader(b))
		if err != nil {
			return
		}
		if !bytes.Equal(file.Encode(), b) {
			t.Fatal("it is written otherwise than it was read")
		}
		file.Check(bundle.Options{Head: events.Hash{1}})
	})
}

// FuzzSections reads sections with hashes that fit, which no mutation of bytes would find.
func FuzzSections(f *testing.F) {
	f.Add([]byte("{}"), []byte("a sheet"), small().Events[0], []byte("0"), []byte("1"), "sign")
	f.Fuzz(func(t *testing.T, head, sheet, event, openings, links []byte, kind string) {
		file := bundle.File{Header: bundle.Header{Name: string(head), For: bundle.Public, Events: 1},
			Editions: []string{string(sheet)}, Events: [][]byte{event}}
		if len(openings) > 0 {
			file.Openings = []events.Opening{{Index: uint64(openings[0]), Slot: string(openings), Fact: string(links)}}
		}
		if len(links) > 0 {
			file.Links = []bundle.Link{{Epoch: uint64(links[0]), Link: events.Link{Chain: string(links),
				Position: uint64(len(links))}}}
		}
		if len(kind) == 4 {
			file.Further = []bundle.Section{{Kind: kind, Body: sheet}}
		}
		b := file.Encode()
		read, err := bundle.Read(bytes.NewReader(b))
		if err != nil {
			return // a name that is no text, for one
		}
		if !bytes.Equal(read.Encode(), b) {
			t.Fatal("it is written otherwise than it was read")
		}
		read.Check(bundle.Options{})
	})
}

// FuzzOpen reads bytes, and other bytes in their place when they are read again: what is refused whole is refused in
// pages, what is not has the same report, and what was changed meanwhile is no honest file.
func FuzzOpen(f *testing.F) {
	b := small().Encode()
	f.Add(b, uint32(0), byte(0))
	f.Add(b, uint32(len(b)/2), byte(1))
	f.Add(b, uint32(bytes.Index(b, []byte("EVNT"))+14), byte(0xff))
	f.Add([]byte(bundle.Magic), uint32(3), byte(1))
	f.Fuzz(func(t *testing.T, b []byte, at uint32, flip byte) {
		whole, err := bundle.Read(bytes.NewReader(b))
		later := bytes.Clone(b)
		if len(later) > 0 {
			later[int(at)%len(later)] ^= flip
		}
		there, again := bundle.Open(bytes.NewReader(b), bytes.NewReader(later))
		if fmt.Sprint(err) != fmt.Sprint(again) {
			t.Fatalf("read whole: %v; in pages: %v", err, again)
		} else if err != nil {
			return
		}
		if there.Len() != whole.Len() {
			t.Fatalf("%d events in pages, %d whole", there.Len(), whole.Len())
		}
		var list [][]byte
		for b, wrong := range there.Stored(0, there.Len()) {
			if err = wrong; err == nil {
				list = append(list, bytes.Clone(b))
			}
		}
		report := there.Check(bundle.Options{})
		if err == nil && !slices.EqualFunc(list, whole.Events, bytes.Equal) {
			t.Fatal("other events are read again")
		} else if err == nil && !reflect.DeepEqual(report, whole.Check(bundle.Options{})) {
			t.Fatal("the report is another")
		} else if err != nil && (flip == 0 || report.Good()) {
			t.Fatalf("%v, and the report is %+v", err, report.Findings)
		}
	})
}
