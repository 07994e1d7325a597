package events

import (
	"reflect"
	"slices"
	"testing"
)

// figures are the fields of type uint64 that hold no index of an event.
var figures = []string{"Anchor.Length", "Link.Position", "TurnAdvanced.Ordinal", "Source.Position",
	"DrawDeclared.Round", "RollDeclared.Round",
	"RollLapsed.Round", "RollLapsed.Next", "DiceRolled.Round"}

// Every field of a payload that could hold an event's index says whether it does.
func TestEveryIndexIsTagged(t *testing.T) {
	var counted []string
	tagged := 0
	seen := map[reflect.Type]bool{}
	var visit func(of reflect.Type)
	visit = func(of reflect.Type) {
		if of.Kind() == reflect.Slice {
			of = of.Elem()
		}
		if of.Kind() != reflect.Struct || seen[of] {
			return
		}
		seen[of] = true
		for i := range of.NumField() {
			f := of.Field(i)
			name, tag := of.Name()+"."+f.Name, f.Tag.Get("ref")
			kind := f.Type
			if kind.Kind() == reflect.Slice {
				kind = kind.Elem()
			}
			switch {
			case kind.Kind() != reflect.Uint64 && tag != "":
				t.Errorf("%s is a %s and has a ref tag", name, f.Type)
			case kind.Kind() == reflect.Uint64 && tag == "":
				t.Errorf(`%s has no ref tag: name its relation, or write ref:"-" if it holds no index`, name)
			case tag == "-":
				counted = append(counted, name)
			case tag != "":
				tagged++
			}
			visit(f.Type)
		}
	}
	for _, p := range Payloads() {
		visit(reflect.TypeOf(p).Elem())
	}
	if !slices.Equal(counted, figures) {
		t.Errorf("no index is held by %v, and not by %v", counted, figures)
	}
	if tagged == 0 {
		t.Error("no field holds an index")
	}
}

func TestRefs(t *testing.T) {
	p := &CardNegated{Contest: 4, Played: 5, By: 7}
	var got []string
	for relation, index := range Refs(p) {
		got = append(got, relation)
		*index += 10
	}
	if want := []string{"contest", "play", "play"}; !slices.Equal(got, want) ||
		*p != (CardNegated{Contest: 14, Played: 15, By: 17}) {
		t.Errorf("%v, %+v", got, *p)
	}
	listed := &EvidenceBrought{Dispute: 3, Events: []uint64{0, 9}}
	var all []uint64
	for _, index := range Refs(listed) {
		all = append(all, *index)
	}
	if !slices.Equal(all, []uint64{3, 0, 9}) {
		t.Errorf("%v", all)
	}
	for _, index := range Refs(&CardPlayed{Contest: 2, Drawn: Ref{Index: 8}}) {
		if *index == 2 {
			break // who has seen enough gets no more
		}
		t.Error(*index)
	}
	for _, p := range Payloads() {
		any := false
		v := reflect.New(reflect.TypeOf(p).Elem())
		fillLists(v.Elem())
		for range Refs(v.Interface().(Payload)) {
			any = true
		}
		if HasRefs(p.Type()) != any {
			t.Errorf("%s: names others: %v", p.Type(), any)
		}
	}
	if HasRefs("of_a_later_version") {
		t.Error("what is not known names nothing")
	}
}

// fillLists gives every list of a payload one element.
func fillLists(v reflect.Value) {
	for i := range v.NumField() {
		f := v.Field(i)
		if f.Kind() == reflect.Slice {
			f.Set(reflect.MakeSlice(f.Type(), 1, 1))
			f = f.Index(0)
		}
		if f.Kind() == reflect.Struct {
			fillLists(f)
		}
	}
}
