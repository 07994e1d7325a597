package history_test

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"sync"
	"testing"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/events/history"
)

// record is a campaign that is written event by event.
type record struct {
	all []events.Event
	history.Index
}

// add appends an event of a command, with changes to its envelope.
func (r *record) add(command string, p events.Payload, change ...func(*events.Event)) uint64 {
	i := uint64(len(r.all))
	e := events.Event{
		Index: i, Type: p.Type(), Payload: events.EncodePayload(p), Command: command, Seat: "umpire",
		Turn: events.Turn{Ordinal: 1 + i/10, Label: fmt.Sprint("Turn ", 1+i/10)}, Request: fmt.Sprintf(`{"%d":0}`, i),
	}
	for _, k := range change {
		k(&e)
	}
	r.all = append(r.all, e)
	r.Add(&r.all[i])
	return i
}

func corrects(i uint64) func(*events.Event) { return func(e *events.Event) { e.Corrects = i } }
func replaces(i uint64) func(*events.Event) { return func(e *events.Event) { e.Replaces = i } }

func (r *record) fill(to int) {
	for len(r.all) < to {
		r.add(fmt.Sprint("c", len(r.all)), &events.FactReported{Number: len(r.all)})
	}
}

// boats is the example of the package's comment.
func boats() *record {
	r := &record{}
	r.fill(6)
	r.add("boats", &events.SubmarinesReported{Power: "Germany",
		Submarines: []events.Submarine{{Name: "a"}, {Name: "b"}}})
	r.fill(28)
	r.add("correct", &events.Corrected{Event: 6, Command: "boats"})
	r.add("correct", &events.SubmarinesReported{Power: "Germany"}, corrects(6))
	r.fill(40)
	r.add("void", &events.Voided{Command: "boats", Events: []uint64{28, 29}})
	return r
}

func ExampleView_Standing() {
	r := boats()
	for _, n := range []uint64{28, 30, 41} {
		by, _ := r.At(n).Standing(6)
		fmt.Printf("At(%d).Standing(6) = %d\n", n, by)
	}
	// Output:
	// At(28).Standing(6) = 6
	// At(30).Standing(6) = 29
	// At(41).Standing(6) = 6
}

func TestVersionsAndCommands(t *testing.T) {
	r := boats()
	v := r.Head()
	for _, i := range []uint64{6, 29} {
		if got := v.Versions(i); !slices.Equal(got, []uint64{6, 29}) {
			t.Errorf("versions of #%d: %v", i, got)
		}
	}
	if got := v.At(29).Versions(6); !slices.Equal(got, []uint64{6}) {
		t.Errorf("versions before the correction: %v", got)
	}
	for _, i := range []uint64{6, 28, 29} {
		want := history.Command{ID: "boats", Events: []uint64{6}, Changes: []uint64{28, 40}}
		if got := v.Command(i); !reflect.DeepEqual(got, want) {
			t.Errorf("command of #%d: %+v", i, got)
		}
	}
	if c := v.CommandNamed("correct"); !slices.Equal(c.Events, []uint64{28, 29}) || c.First() != 28 {
		t.Errorf("%+v", c)
	}
	if by, void := v.VoidedBy(29); by != 40 || !void {
		t.Errorf("#29 is voided by #%d, %v", by, void)
	}
	if _, void := v.At(40).VoidedBy(29); void {
		t.Error("#29 is voided before #40")
	}
	if got := v.Sources(history.About, 6); !slices.Equal(got, []uint64{28}) {
		t.Errorf("about #6: %v", got)
	}
	if got := v.Targets(history.Voids, 40); !slices.Equal(got, []uint64{28, 29}) {
		t.Errorf("#40 voids %v", got)
	}
	if place, settles := v.Alters(40); !settles || place != 6 {
		t.Errorf("#40 changes what counts from #%d on, %v", place, settles)
	}
	if v.UnchangedUpTo(40) != 6 || v.UnchangedUpTo(28) != 6 || v.UnchangedUpTo(41) != 41 {
		t.Errorf("%d, %d, %d", v.UnchangedUpTo(40), v.UnchangedUpTo(28), v.UnchangedUpTo(41))
	}
}

func TestEffective(t *testing.T) {
	r := boats()
	is := func(n uint64) (e history.Effective) {
		for e, err := range r.At(n).Effective(6, history.From(r.all)) {
			if err != nil || e.Index == 6 {
				return e
			}
		}
		return e
	}
	if e := is(30); e.Payload != r.all[29].Payload || !slices.Equal(e.Was, []uint64{6}) || e.Turn != r.all[6].Turn {
		t.Errorf("corrected: %+v", e)
	}
	for _, n := range []uint64{28, 41} {
		if e := is(n); e.Payload != r.all[6].Payload || e.Was != nil {
			t.Errorf("after %d events: %+v", n, e)
		}
	}
}

func TestRelations(t *testing.T) {
	r := &record{}
	r.fill(2)
	roll := r.add("fight", &events.RollDeclared{})
	r.add("typed", &events.DiceTyped{Declared: roll})
	dice := r.add("confirmed", &events.DiceRolled{Declared: roll})
	drawn := r.add("drawn", &events.CardsDrawn{Count: 1})
	contest := r.add("contest", &events.ContestOpened{})
	play := r.add("contest", &events.CardPlayed{Contest: contest, Drawn: events.Ref{Index: drawn, Slot: "Britain 1"}},
		func(e *events.Event) {
			e.Openings = []events.Opening{{Index: drawn, Slot: "Britain 1"}}
		})
	dispute := r.add("dispute", &events.DisputeOpened{Event: 0})
	r.add("said", &events.StatementMade{Dispute: dispute})
	r.add("late", &events.StatementMade{Dispute: 99})
	v := r.Head()
	for _, x := range []struct {
		r    history.Relation
		of   uint64
		want []uint64
	}{
		{history.Roll, roll, []uint64{3, dice}}, {history.Contest, contest, []uint64{play}},
		{history.Card, drawn, []uint64{play}},
		{history.Opens, drawn, []uint64{play}}, {history.About, 0, []uint64{dispute}},
		{history.Dispute, dispute, []uint64{9}},
		{history.Contest, 0, nil}, {history.Draw, drawn, nil}, {history.Roll, 99, nil},
	} {
		if got := v.Sources(x.r, x.of); !slices.Equal(got, x.want) {
			t.Errorf("%s of #%d: %v, not %v", x.r, x.of, got, x.want)
		}
	}
	if got := v.Command(dice).ID; got != "fight" {
		t.Errorf("the dice belong to %q", got)
	}
	if _, ok := v.Target(history.Dispute, 10); ok {
		t.Error("an event names a later one")
	}
	if by, ok := v.Disclosed(events.Ref{Index: drawn, Slot: "Britain 1"}); !ok || by != play {
		t.Errorf("disclosed in #%d, %v", by, ok)
	}
	if _, ok := v.At(play).Disclosed(events.Ref{Index: drawn, Slot: "Britain 1"}); ok {
		t.Error("disclosed before it was")
	}
	if by, of, rests := v.Dependent([]uint64{drawn, contest}); !rests || by != play || of != drawn {
		t.Errorf("#%d rests on #%d, %v", by, of, rests)
	}
	if _, _, rests := v.Dependent([]uint64{0, drawn, contest, play}); rests {
		t.Error("a dispute rests on what it is about")
	}
}

// Every relation of a payload is one that this package knows, and each is declared somewhere.
func TestRelationsAreDeclared(t *testing.T) {
	known := map[string]int{}
	for _, r := range history.Relations() {
		known[string(r)] = 0
	}
	for _, p := range events.Payloads() {
		v := reflect.New(reflect.TypeOf(p).Elem()).Elem()
		for i := range v.NumField() {
			if v.Field(i).Kind() == reflect.Slice {
				v.Field(i).Set(reflect.MakeSlice(v.Field(i).Type(), 1, 1))
			}
		}
		for relation := range events.Refs(v.Addr().Interface().(events.Payload)) {
			if _, ok := known[relation]; !ok {
				t.Errorf("%s declares %q", p.Type(), relation)
			}
			known[relation]++
		}
	}
	for relation, fields := range known {
		if fields == 0 {
			t.Errorf("no payload declares %q", relation)
		}
	}
}

// An index that begins in the middle says when something before it counts otherwise, and else lists the same rows.
func TestBeginning(t *testing.T) {
	same, other := 0, 0
	for seed := range uint64(200) {
		r := random(rand.New(rand.NewPCG(seed, 2)), 40)
		from := 20 + seed%20
		x := history.Beginning(from)
		for i := range r.all[from:] {
			x.Add(&r.all[from+uint64(i)])
		}
		v, whole := x.Head(), r.Head()
		if v.Len() != whole.Len() || v.UnchangedUpTo(from) == from && whole.UnchangedUpTo(from) < from {
			// it may be too careful
			t.Fatalf("seed %d, from #%d: the same up to #%d, not #%d", seed, from, v.UnchangedUpTo(from),
				whole.UnchangedUpTo(from))
		}
		if v.UnchangedUpTo(from) < from {
			other++
			continue
		}
		same++
		rows := func(v history.View) (list []history.Row) {
			for e, err := range v.Rows(from, history.From(r.all)) {
				if err != nil {
					t.Fatal(err)
				}
				list = append(list, e)
			}
			return list
		}
		if got, want := rows(v), rows(whole); !reflect.DeepEqual(got, want) {
			t.Fatalf("seed %d, from #%d:\n%v\nnot\n%v", seed, from, got, want)
		}
	}
	if same == 0 || other == 0 {
		t.Errorf("%d begin where nothing changed, %d where something did", same, other)
	}
}

// A fork answers as an index to which all was added, a fork of a fork too, and what it goes on from stays as it was.
func TestFork(t *testing.T) {
	defer history.SetPerPage(3)()
	seen := map[string]int{}
	for seed := range uint64(100) {
		r := random(rand.New(rand.NewPCG(seed, 3)), 40)
		var x [3]history.Index
		at := []uint64{10 + seed%10, 25 + seed%10, 40}
		for k, from := 0, uint64(0); k < len(x); from, k = at[k], k+1 {
			if k > 0 {
				x[k-1].ForkTo(&x[k])
			}
			for i := from; i < at[k]; i++ {
				x[k].Add(&r.all[i])
			}
		}
		for k, n := range at {
			for ; n > 0 && n > at[k]-12; n-- {
				if !same(t, x[k].At(n), r.all[:n], seen) {
					t.Fatalf("seed %d, fork %d, %d events", seed, k, n)
				}
			}
			for i := range at[k] {
				v, whole := x[k].Head(), r.At(at[k])
				if got, want := v.Command(i), whole.Command(i); fmt.Sprint(got) != fmt.Sprint(want) ||
					v.Head(i) != whole.Head(i) {
					t.Fatalf("seed %d, fork %d: the command of #%d is %v, not %v", seed, k, i, got, want)
				}
			}
		}
	}
}

// A view gives the same answers while events are added behind it.
func TestViewsBesideAdd(t *testing.T) {
	r := random(rand.New(rand.NewPCG(7, 7)), 600)
	var x history.Index
	for i := range r.all[:300] {
		x.Add(&r.all[i])
	}
	v := x.At(300)
	want := effective(t, v, 0, history.From(r.all))
	var readers sync.WaitGroup
	for range 4 {
		readers.Go(func() {
			for range 20 {
				if got := effective(t, v, 0, history.From(r.all)); !reflect.DeepEqual(got, want) {
					t.Error("other events count while some are added")
				}
				for i := range v.Len() {
					v.Versions(i)
					v.Sources(history.Voids, i)
					v.Command(i)
				}
			}
		})
	}
	for i := range r.all[300:] {
		x.Add(&r.all[300+i])
	}
	readers.Wait()
}

// The zero view and what a view does not have answer nothing.
func TestNothing(t *testing.T) {
	for _, v := range []history.View{{}, new(history.Index).Head(), boats().At(3)} {
		if _, ok := v.Standing(5); ok || v.Versions(5) != nil || v.Type(5) != "" || v.Sources(history.About, 5) != nil {
			t.Errorf("%d events: #5 is there", v.Len())
		}
		if _, ok := v.VoidedBy(5); ok || v.Command(5).ID != "" || v.CommandNamed("none").Events != nil ||
			v.UnchangedUpTo(9) != v.Len() {
			t.Errorf("%d events: #5 is there", v.Len())
		}
	}
}
