package bundle_test

import (
	"bytes"
	"fmt"
	"maps"
	"path"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/oklog/ulid/v2"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/events/tree"
	"github.com/watu-ledger/watu/fixtures/corpus"
	"github.com/watu-ledger/watu/fixtures/longrun"
	"github.com/watu-ledger/watu/replay/bundle"
)

// first checks a file and gives the first event that is wrong; false if none is.
func first(f *bundle.File) (bundle.Finding, bool) {
	r := f.Check(bundle.Options{})
	if r.Good() || r.Findings[0].Event == nil {
		return bundle.Finding{}, false
	}
	return r.Findings[0], true
}

// with gives the file with another list of events.
func with(f *bundle.File, list [][]byte) *bundle.File {
	changed := *f
	changed.Events = list
	return &changed
}

// TestMutations changes every field of every event of every bundled campaign, the envelope's and the
// payload's, one after the other, and wants the event named. That is done at night; else each field of each type of
// event is changed, and some more.
func TestMutations(t *testing.T) {
	t.Parallel()
	sample := longrun.OneOf(24, 8)
	for _, p := range campaigns(t) {
		f := p.seenBy(bundle.Public)
		changes := 0
		for i, b := range f.Events {
			short := until(f, i+3)
			e, err := events.Decode(b)
			must(t, err)
			for field, changed := range mutations(t, b) {
				if !sample.Has(string(e.Type) + places.ReplaceAllString(field, "")) {
					continue
				}
				changes++
				list := slices.Clone(short.Events)
				list[i] = changed
				if at, ok := first(with(short, list)); !ok || *at.Event != uint64(i) {
					t.Fatalf("%s: %s of event %d was changed, and the first finding is %s", p.name, field, i, say(at))
				}
			}
		}
		t.Logf("%s: %d changes in %d events", p.name, changes, len(f.Events))
	}
}

// places are those in a list.
var places = regexp.MustCompile(`\[\d+\]`)

// until is a file that ends before event n, if it is long: what is wrong earlier does not depend on it.
func until(f *bundle.File, n int) *bundle.File {
	if len(f.Events) < 100 || n >= len(f.Events) {
		return f
	}
	short := with(f, f.Events[:n])
	short.Header.Events, short.Header.Head = uint64(n), events.LeafHash(f.Events[n-1])
	return short
}

func say(f bundle.Finding) string {
	if f.Event == nil {
		return "none"
	}
	return fmt.Sprintf("#%d %s %s: %s", *f.Event, f.Check, f.Field, f.Message)
}

// mutations gives the event with each of its fields changed, by the name of the field.
func mutations(t *testing.T, b []byte) map[string][]byte {
	t.Helper()
	e, err := events.Decode(b)
	must(t, err)
	out := map[string][]byte{}
	keep := func(field string, e *events.Event) {
		if again := e.Encode(); string(again) != string(b) {
			out[field] = again
		} else {
			t.Fatalf("%s of event %d: the change changes nothing", field, e.Index)
		}
	}
	envelope := reflect.ValueOf(&e).Elem()
	for i := range envelope.NumField() {
		name := envelope.Type().Field(i).Name
		if name == "unknown" || name == "Payload" {
			continue
		}
		mutate(envelope.Field(i), name, func(field string) { keep(field, &e) })
	}
	payload, err := events.PayloadOf(&e)
	must(t, err)
	was := e.Payload
	mutate(reflect.ValueOf(payload).Elem(), "Payload", func(field string) {
		e.Payload = events.EncodePayload(payload)
		keep(field, &e)
	})
	e.Payload = was
	return out
}

// mutate changes each value in v, one at a time, calls see, and puts it back.
func mutate(v reflect.Value, at string, see func(field string)) {
	was := reflect.New(v.Type()).Elem()
	was.Set(v)
	defer v.Set(was)
	switch x := v.Interface().(type) {
	case time.Time:
		v.Set(reflect.ValueOf(x.Add(time.Millisecond)))
		see(at)
		return
	case ulid.ULID, events.Hash:
		v.Index(5).SetUint(v.Index(5).Uint() ^ 1)
		see(at)
		return
	}
	switch v.Kind() {
	case reflect.String:
		v.SetString(v.String() + "x")
		see(at)
	case reflect.Bool:
		v.SetBool(!v.Bool())
		see(at)
	case reflect.Int, reflect.Int64:
		v.SetInt(v.Int() + 1)
		see(at)
	case reflect.Uint64:
		v.SetUint(v.Uint() + 1)
		see(at)
	case reflect.Struct:
		for i := range v.NumField() {
			mutate(v.Field(i), at+"."+v.Type().Field(i).Name, see)
		}
	case reflect.Slice:
		mutateList(v, at, see)
	default:
		panic("a payload has no field of kind " + v.Kind().String())
	}
}

// mutateList changes each element of a list, takes the last one away and doubles it.
func mutateList(v reflect.Value, at string, see func(field string)) {
	whole := v.Slice3(0, v.Len(), v.Len())
	one := reflect.New(v.Type().Elem()).Elem()
	if n := v.Len(); n > 0 {
		one.Set(v.Index(n - 1))
	}
	v.Set(reflect.Append(whole, one))
	see(at + " with one more")
	if whole.Len() == 0 {
		return
	}
	v.Set(whole.Slice(0, whole.Len()-1))
	see(at + " with one less")
	v.Set(whole)
	for i := range whole.Len() {
		mutate(v.Index(i), fmt.Sprintf("%s[%d]", at, i), see)
	}
}

// TestLosses drops, swaps, doubles and cuts events, and wants the first that is not in its place named. A short run
// does so at some places of each campaign.
func TestLosses(t *testing.T) {
	t.Parallel()
	sample := longrun.OneOf(12)
	for _, p := range campaigns(t) {
		whole := p.seenBy(bundle.Public)
		n := len(whole.Events)
		for i := range n {
			f := until(whole, i+3)
			cases := map[string][][]byte{
				"dropped": slices.Concat(f.Events[:i], f.Events[i+1:]), "cut": f.Events[:i],
				"doubled": slices.Concat(f.Events[:i+1], f.Events[i:]),
			}
			if i+1 < n {
				cases["swapped"] = slices.Concat(f.Events[:i], f.Events[i+1:i+2], f.Events[i:i+1], f.Events[i+2:])
			}
			for what, list := range cases {
				if !sample.Has(fmt.Sprint(p.name, what, i < 2, i > n-3)) {
					continue
				}
				if at, ok := first(with(f, list)); !ok || *at.Event != uint64(i) {
					t.Fatalf("%s: event %d of %d was %s, and the first finding is %s", p.name, i, n, what, say(at))
				}
			}
		}
	}
}

// rehashed gives the events with those from a place on tied anew, and the head that this comes to.
func rehashed(t *testing.T, f *bundle.File, i int, change func(e *events.Event)) *bundle.File {
	t.Helper()
	out := with(f, slices.Clone(f.Events))
	var previous events.Hash
	for place := i; place < len(out.Events); place++ {
		e, err := events.Decode(out.Events[place])
		must(t, err)
		if place == i {
			change(&e)
		} else {
			e.Previous = previous
		}
		out.Events[place] = e.Encode()
		previous = events.LeafHash(out.Events[place])
	}
	out.Header.Head = previous
	return out
}

// TestForged changes what dice, links, positions and commitments decide, and hashes all that follows anew: the
// event is named nevertheless. A short run makes each change to each type of event, and some more.
func TestForged(t *testing.T) {
	t.Parallel()
	sample := longrun.OneOf(12)
	for _, p := range campaigns(t) {
		f := p.seenBy(bundle.Umpire)
		tried := map[string]int{}
		for i, b := range f.Events {
			e, err := events.Decode(b)
			must(t, err)
			for what, change := range forgeries(&e) {
				if !sample.Has(fmt.Sprint(e.Type, what)) {
					continue
				}
				tried[what]++
				forged := rehashed(t, f, i, change)
				r := forged.Check(bundle.Options{Head: p.whole.Header.Head})
				if at := r.Findings[0]; at.Event == nil || *at.Event != uint64(i) || at.Check == bundle.CheckChain {
					t.Errorf("%s: %s of event %d (%s) was forged, and the first finding is %s", p.name, what, i, e.Type,
						say(at))
				}
				if !slices.ContainsFunc(r.Findings, func(f bundle.Finding) bool {
					return f.Check == bundle.CheckHead
				}) {
					t.Errorf("%s: %s of event %d was forged, and the head known does not say so", p.name, what, i)
				}
			}
		}
		t.Logf("%s: %v", p.name, tried)
	}
}

// forgeries are changes to an event that show without the rules.
func forgeries(e *events.Event) map[string]func(e *events.Event) {
	out := map[string]func(e *events.Event){
		"epoch": func(e *events.Event) { e.Epoch++ },
	}
	if e.Index > 0 && e.Index < 50 {
		out["campaign"] = func(e *events.Event) { e.Campaign[3] ^= 1 }
		out["edition"] = func(e *events.Event) { e.Edition[3] ^= 1 }
	}
	switch p, _ := events.PayloadOf(e); p.(type) {
	case *events.DiceRolled:
		if e.Corrects == 0 {
			out["a die"] = says(func(p *events.DiceRolled) { p.Dice[0]++ })
			out["a link"] = says(func(p *events.DiceRolled) { p.Links[0].Link[9] ^= 1 })
			out["the throw"] = says(func(p *events.DiceRolled) { p.Throw += "x" })
			out["the declaration"] = says(func(p *events.DiceRolled) { p.Declared-- })
			out["the number of dice"] = says(func(p *events.DiceRolled) { p.Dice = append(p.Dice, 1) })
		}
	case *events.RollDeclared:
		if e.Corrects == 0 {
			out["the position"] = says(func(p *events.RollDeclared) { p.Sources[0].Position++ })
			out["the chain"] = says(func(p *events.RollDeclared) { p.Sources[0].Chain = "draws/Britain" })
		}
	case *events.DrawDeclared:
		out["the position"] = says(func(p *events.DrawDeclared) { p.Source.Position++ })
	case *events.CardsDrawn:
		out["the count"] = says(func(p *events.CardsDrawn) { p.Count++ })
	case *events.CardPlayed:
		if len(e.Openings) == 1 {
			out["the card"] = says(func(p *events.CardPlayed) { p.Card += "x" })
		}
	}
	if len(e.Openings) > 0 {
		out["the salt of an opening"] = func(e *events.Event) { e.Openings[0].Salt[3] ^= 1 }
		out["the fact of an opening"] = func(e *events.Event) { e.Openings[0].Fact += "x" }
		out["the slot of an opening"] = func(e *events.Event) { e.Openings[0].Slot += "x" }
	}
	if len(e.Commitments) > 0 {
		out["a commitment"] = func(e *events.Event) { e.Commitments[0].Hash[3] ^= 1 }
	}
	return out
}

// says changes what an event says.
func says[P any, T interface {
	*P
	events.Payload
}](change func(p T)) func(e *events.Event) {
	return func(e *events.Event) {
		p := T(new(P))
		e.Read(p)
		change(p)
		e.Payload = events.EncodePayload(p)
	}
}

// TestRevealed finds links of draws that nobody has used yet, and secrets in a file for the public.
func TestRevealed(t *testing.T) {
	p := campaigns(t)[slices.IndexFunc(campaigns(t), func(p *played) bool { return len(p.whole.Links) > 1 })]
	f := p.seenBy(p.sides[0])
	f.Header.For = p.sides[1]
	if r := f.Check(bundle.Options{}); r.Good() || r.Findings[0].Check != bundle.CheckAudience {
		t.Errorf("a file of another side: %+v", r.Findings)
	}
	f = p.seenBy(bundle.Umpire)
	f.Links = slices.Clone(f.Links)
	f.Links[0].Position++
	if r := f.Check(bundle.Options{}); r.Good() || !strings.Contains(r.Findings[0].Message, "to come") {
		t.Errorf("a link to come: %+v", r.Findings)
	}
	f.Links[0].Position--
	f.Links[0].Link.Link[0] ^= 1
	if r := f.Check(bundle.Options{}); r.Good() || r.Findings[0].Check != bundle.CheckDrawLinks {
		t.Errorf("another link: %+v", r.Findings)
	}
}

// signedFiles are files of campaigns whose players sign, each with a checkpoint that a witness cosigned.
func signedFiles(t *testing.T, each func(name string, f *bundle.File, known bundle.Options)) {
	t.Helper()
	a, err := corpus.Read(corpus.Signed)
	must(t, err)
	for _, at := range slices.Sorted(maps.Keys(a)) {
		name, is := strings.CutSuffix(at, ".watu")
		if !is {
			continue
		}
		f, err := bundle.Read(bytes.NewReader(a[at]))
		must(t, err)
		policy, err := tree.ParsePolicy(fmt.Sprintf("witness w %squorum w\n", a[path.Dir(at)+"/witness"]))
		must(t, err)
		x, err := tree.ParseCosigned(string(a[path.Dir(at)+"/note"]), tree.Verifier{}, policy)
		must(t, err)
		if len(x.Cosignatures) != 1 {
			t.Fatalf("%s: %d cosignatures", name, len(x.Cosignatures))
		}
		known := bundle.Options{Checkpoint: &x.Checkpoint}
		if r := f.Check(known); !r.Good() {
			t.Fatalf("%s: %+v", name, r.Findings)
		}
		each(name, f, known)
	}
}

// retied gives a file of other events, each at its place and tied to the one before, as a host can make it. Those
// before the first other one are so already.
func retied(t *testing.T, f *bundle.File, list [][]byte) *bundle.File {
	t.Helper()
	out := with(f, slices.Clone(list))
	same := 0
	for same < min(len(list), len(f.Events)) && &list[same][0] == &f.Events[same][0] {
		same++
	}
	var previous events.Hash
	if same > 0 {
		previous = events.LeafHash(list[same-1])
	}
	for i := same; i < len(list); i++ {
		e, err := events.Decode(list[i])
		must(t, err)
		e.Index, e.Previous = uint64(i), previous
		out.Events[i] = e.Encode()
		previous = events.LeafHash(out.Events[i])
	}
	out.Header.Events, out.Header.Head = uint64(len(list)), previous
	return out
}

// TestCosigned changes every field of every event of campaigns whose players sign, with dice by a chain, a beacon, a
// table and by links, with hands sealed and disclosed; drops, doubles, swaps and cuts events; and hashes all anew each
// time. The checkpoint that a witness cosigned shows every one of them. A short run tries a field of each type of
// event, a long one each field of each type and some more, and the night all: those are 45,999, of which each takes
// some 8 ms.
func TestCosigned(t *testing.T) {
	t.Parallel()
	tried, alone := 0, 0
	sample := longrun.OneOf(400, 32)
	signedFiles(t, func(name string, f *bundle.File, known bundle.Options) {
		caught := func(what string, list [][]byte) {
			kind := places.ReplaceAllString(what, "")
			if !longrun.On() {
				kind = kind[strings.LastIndex(kind, " of ")+1:] // one field of each type
			}
			if !sample.Has(kind) {
				return
			}
			tried++
			forged := retied(t, f, list)
			r := forged.Check(known)
			if !slices.ContainsFunc(r.Findings, func(f bundle.Finding) bool { return f.Check == bundle.CheckHead }) {
				t.Errorf("%s: %s, and the cosigned checkpoint does not show it: %+v", name, what, r.Findings)
			}
			if len(r.Findings) > 1 {
				alone++
			}
		}
		for i, b := range f.Events {
			e, err := events.Decode(b)
			must(t, err)
			for field, changed := range mutations(t, b) {
				if field == "Index" || field == "Previous" { // which are put right again
					continue
				}
				list := slices.Clone(f.Events)
				list[i] = changed
				caught(fmt.Sprintf("%s of %s", field, e.Type), list)
			}
			caught(fmt.Sprintf("%s dropped", e.Type), slices.Concat(f.Events[:i], f.Events[i+1:]))
			if i > 0 {
				caught("cut", f.Events[:i])
			}
			if i+1 < len(f.Events) { // behind the last, an event is behind the checkpoint
				caught(fmt.Sprintf("%s doubled", e.Type), slices.Concat(f.Events[:i+1], f.Events[i:]))
				caught(fmt.Sprintf("%s swapped", e.Type),
					slices.Concat(f.Events[:i], f.Events[i+1:i+2], f.Events[i:i+1], f.Events[i+2:]))
			}
		}
	})
	t.Logf("%d changes, all found by the cosigned checkpoint, and %d of them without it", tried, alone)
}
