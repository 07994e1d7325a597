package history_test

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/events/history"
	"github.com/watu-ledger/watu/fixtures/longrun"
)

// random makes events that void, replace, correct and name others as they come.
func random(lot *rand.Rand, n int) *record {
	r := &record{}
	some := func() (list []uint64) {
		for range 1 + lot.IntN(3) {
			list = append(list, lot.Uint64N(uint64(len(r.all))))
		}
		slices.Sort(list)
		return slices.Compact(list)
	}
	r.fill(2)
	for len(r.all) < n {
		one := 1 + lot.Uint64N(uint64(len(r.all)-1))
		command := fmt.Sprint("c", lot.IntN(6))
		var change []func(*events.Event)
		if lot.IntN(4) == 0 {
			change = append(change, replaces(one))
		}
		switch lot.IntN(9) {
		case 0, 1:
			r.add(command, &events.Voided{Command: r.all[one].Command, Events: some()}, change...)
		case 2:
			r.add(command, &events.Corrected{Command: r.all[one].Command, Event: one, Voids: some()}, change...)
		case 3, 4:
			if was := r.all[one]; was.Corrects == 0 {
				r.add(command, &events.Passed{}, corrects(one),
					func(e *events.Event) { e.Type, e.Payload, e.Side = was.Type, was.Payload, fmt.Sprint(e.Index) })
			}
		case 5:
			r.add(command, &events.DiceRolled{Declared: one}, change...)
		case 6:
			r.add(command, &events.CardNegated{Contest: one, Played: some()[0], By: some()[0]}, change...)
		case 7:
			r.add(command, &events.ChoiceMade{Asked: one}, change...)
		default:
			r.add(command, &events.FactReported{Number: len(r.all)}, change...)
		}
	}
	return r
}

// The index gives at every prefix what is found by going through all events, of packed pages and others.
func TestIndexAgainstTheList(t *testing.T) {
	defer history.SetPerPage(3)()
	campaigns := 400
	if !longrun.On() {
		campaigns = 60
	}
	seen := map[string]int{}
	for seed := range uint64(campaigns) {
		r := random(rand.New(rand.NewPCG(seed, 1)), 40)
		for n := range uint64(len(r.all) + 1) {
			if !same(t, r.At(n), r.all[:n], seen) {
				t.Fatalf("seed %d, %d events", seed, n)
			}
		}
	}
	for _, what := range []string{"void", "restored", "corrected", "moved", "rests"} {
		if seen[what] == 0 {
			t.Errorf("nothing was %s: %v", what, seen)
		}
	}
}

// same holds a view to the list of its events.
func same(t *testing.T, v history.View, all []events.Event, seen map[string]int) bool {
	t.Helper()
	voided := naiveVoided(all)
	for i := range uint64(len(all)) {
		by, void := v.VoidedBy(i)
		if want, is := voided[i]; want != by || is != void {
			t.Errorf("#%d is voided by #%d, %v; not by #%d, %v", i, by, void, want, is)
		}
		if void {
			seen["void"]++
		} else if len(v.Sources(history.Voids, i)) > 0 {
			seen["restored"]++
		}
		if got, want := v.Command(i).ID, naiveCommand(all, i); got != want {
			t.Errorf("#%d belongs to %q, not to %q", i, got, want)
		}
		e := &all[i]
		if _, got := v.Alters(i); got != (len(naiveVoids(e)) > 0 && naiveVoids(e)[0] < i || e.Replaces != 0 ||
			e.Corrects != 0) {
			t.Errorf("#%d settles: %v", i, got)
		}
	}
	read := history.From(all)
	counts := effective(t, v, 0, read)
	for _, e := range counts {
		if e.Replaces != 0 {
			seen["moved"]++
		}
		if len(v.Versions(e.Index)) > 1 {
			seen["corrected"]++
		}
	}
	if want := naiveAmended(all); len(counts)+len(want) > 0 && !reflect.DeepEqual(counts, want) {
		t.Errorf("effective are\n%v\nnot\n%v", counts, want)
	}
	sameRows(t, v, all)
	for from := v.Len() % 7; from < v.Len(); from += 7 {
		if tail := effective(t, v, from, read); !reflect.DeepEqual(at(tail, from, v.Len()), at(counts, from, v.Len())) {
			t.Errorf("from #%d on other events count", from)
		}
		early := effective(t, v.At(from), 0, read)
		if place := v.UnchangedUpTo(from); !reflect.DeepEqual(at(early, 0, place), at(counts, 0, place)) {
			t.Errorf("after %d events the same is said to count before #%d", from, place)
		}
		on := []uint64{from, from + 3}
		by, _, rests := v.Dependent(on)
		if want, is := naiveRests(all, on); want != by || is != rests {
			t.Errorf("on %v rests #%d, %v; not #%d, %v", on, by, rests, want, is)
		} else if rests {
			seen["rests"]++
		}
	}
	return !t.Failed()
}

// effective lists what counts.
func effective(t *testing.T, v history.View, from uint64, read history.Reader) (list []events.Event) {
	t.Helper()
	for e, err := range v.Effective(from, read) {
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, *e.Event)
	}
	return list
}

// sameRows holds the rows to the list of events: each is there once, says what took its place, and is in the turn of
// its place; what counts comes in the order in which it does.
func sameRows(t *testing.T, v history.View, all []events.Event) {
	t.Helper()
	voided, order := naiveVoided(all), []uint64{}
	seen := map[uint64]history.Row{}
	for r, err := range v.Rows(0, history.From(all)) {
		if err != nil {
			t.Fatal(err)
		}
		if _, twice := seen[r.Index]; twice || r.Turn != all[r.Place].Turn || r.Payload != all[r.Index].Payload {
			t.Errorf("row of #%d: %+v", r.Index, r)
		}
		if seen[r.Index] = r; r.Counts() {
			order = append(order, r.Original)
		}
		if by, void := voided[r.Index]; void != r.Void || void && by != r.By {
			t.Errorf("#%d is void by #%d, %v; not by #%d, %v", r.Index, r.By, r.Void, by, void)
		}
		if !r.Void && !r.Counts() && all[r.By].Corrects == 0 {
			t.Errorf("#%d gave its place to #%d, which corrects nothing", r.Index, r.By)
		}
	}
	if len(seen) != len(all) {
		t.Errorf("%d rows of %d events", len(seen), len(all))
	}
	want := []uint64{}
	for _, e := range effective(t, v, 0, history.From(all)) {
		want = append(want, e.Index)
	}
	orphan := func(i uint64) bool { return all[i].Corrects != 0 && seen[i].Original == i } // counted by rows alone
	if order = slices.DeleteFunc(order, orphan); !slices.Equal(order, want) {
		t.Errorf("rows count as %v, not as %v", order, want)
	}
}

// at keeps the events whose place is from <= place < to.
func at(list []events.Event, from, to uint64) (some []events.Event) {
	for _, e := range list {
		place := e.Index
		if e.Replaces != 0 {
			place = e.Replaces
		}
		if from <= place && place < to {
			some = append(some, e)
		}
	}
	return some
}
