package narrator

import (
	"reflect"
	"strings"
	"testing"

	"github.com/watu-ledger/watu/events"
)

// Every type of event is told in a sentence, also where nothing is filled in.
func TestEveryTypeIsTold(t *testing.T) {
	for _, p := range events.Payloads() {
		for _, filled := range []bool{false, true} {
			if filled {
				fill(reflect.ValueOf(p).Elem())
			}
			e := &events.Event{Index: 7, Type: p.Type(), Side: "Britain", Payload: events.EncodePayload(p)}
			said := Tell(e)
			if said == "" || strings.Contains(said, "later version") || strings.Contains(said, "%!") || strings.Contains(said, "\n") {
				t.Errorf("%s is told as %q", p.Type(), said)
			}
			if !filled {
				continue // nonsense, but told
			}
			if !strings.Contains(".?!)", said[len(said)-1:]) || strings.Contains(said, "  ") {
				t.Errorf("%s does not end like a sentence, or has a gap: %q", p.Type(), said)
			}
		}
	}
}

// fill sets every field to something.
func fill(v reflect.Value) {
	switch v.Kind() {
	case reflect.String:
		v.SetString("word")
	case reflect.Int:
		v.SetInt(2)
	case reflect.Uint64:
		v.SetUint(3)
	case reflect.Bool:
		v.SetBool(true)
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 2, 2))
		for i := range 2 {
			fill(v.Index(i))
		}
	case reflect.Struct:
		for i := range v.NumField() {
			fill(v.Field(i))
		}
	}
}

func TestWhatIsNotKnownIsToldToo(t *testing.T) {
	if said := Tell(&events.Event{Type: "ship_renamed"}); said != "An event of a later version: ship renamed." {
		t.Error(said)
	}
	if said := Tell(&events.Event{Type: "dice_rolled", Payload: "\xff"}); !strings.Contains(said, "does not read") {
		t.Error(said)
	}
}

func TestSentences(t *testing.T) {
	for _, c := range []struct {
		payload events.Payload
		side    string
		want    string
	}{
		{&events.TurnAdvanced{Label: "Winter 1941"}, "", "Winter 1941 begins."},
		{&events.CardPlayed{Card: "asw"}, "Britain", "Britain plays an ASW card."},
		{&events.CardPlayed{Card: "wild", As: "strategic"}, "United States", "United States plays a wild card as strategic."},
		{&events.FactReported{Fact: "controls", Subject: "Japan"}, "Japan", "Reported: controls, Japan: none."},
		{&events.FactReported{Fact: "cves", Subject: "Atlantic", Number: 7}, "", "Reported: cves, Atlantic: 7."},
		{&events.DiceRolled{Throw: "asw", Dice: []int{3, 4}}, "Britain", "Britain rolls 3+4=7 for asw."},
		{&events.ContestSettled{Kind: "search", Acting: "Japan", Opposing: "United States"}, "Japan", "Search: Japan 0, United States 0; no advantage."},
		{&events.Opened{Event: 9, Slot: "american cards", Fact: `["wild"]`, Reason: "it is over"}, "", "Disclosed: american cards of #9: wild. Reason: it is over."},
	} {
		e := &events.Event{Type: c.payload.Type(), Side: c.side, Payload: events.EncodePayload(c.payload)}
		if got := Tell(e); got != c.want {
			t.Errorf("got  %s\nwant %s", got, c.want)
		}
	}
}

func TestRules(t *testing.T) {
	got := Rules([]events.Citation{{Rule: "B"}, {Rule: "A"}, {Rule: "B"}})
	if !reflect.DeepEqual(got, []string{"B", "A"}) {
		t.Error(got)
	}
}
