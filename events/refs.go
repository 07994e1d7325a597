package events

import (
	"fmt"
	"iter"
	"reflect"
	"sync"
)

// # Fields that name events
//
// A payload field of type uint64 or []uint64 says with its ref tag what it holds: the relation of the event to the
// earlier one whose index stands there (`ref:"roll"`), or `ref:"-"` if it is no index. Package history gives the
// relations their meaning.

// Refs gives every event index that a payload holds, with the relation of its field, in the order of the fields. A list
// gives one index for each element. Zeros are given too: whether they stand for event 0 or for none is the
// relation's to say. The index may be set through the pointer. A nil payload, of a type that is not known, holds none.
func Refs(p Payload) iter.Seq2[string, *uint64] {
	return func(yield func(string, *uint64) bool) {
		if p == nil {
			return
		}
		v := reflect.ValueOf(p).Elem()
		eachRef(v, refsOf(v.Type()), yield)
	}
}

// HasRefs reports whether events of a type name others in their payload. It is false for a type that is not known.
func HasRefs(t Type) bool {
	known, ok := payloadTypes[t]
	return ok && len(refsOf(known)) > 0
}

func eachRef(v reflect.Value, fields []refField, yield func(string, *uint64) bool) bool {
	for _, f := range fields {
		at := v.Field(f.index)
		if !f.list {
			if !f.each(at, yield) {
				return false
			}
			continue
		}
		for i := range at.Len() {
			if !f.each(at.Index(i), yield) {
				return false
			}
		}
	}
	return true
}

// each gives the indexes in one value of the field.
func (f refField) each(v reflect.Value, yield func(string, *uint64) bool) bool {
	if f.within != nil {
		return eachRef(v, f.within, yield)
	}
	return yield(f.relation, v.Addr().Interface().(*uint64))
}

// refField is a field that holds an index, or a struct that does.
type refField struct {
	index    int
	list     bool
	relation string
	within   []refField // of a struct
}

var refFields sync.Map // reflect.Type -> []refField

func refsOf(t reflect.Type) []refField {
	if known, ok := refFields.Load(t); ok {
		return known.([]refField)
	}
	var fields []refField
	for i := range t.NumField() {
		f := t.Field(i)
		r := refField{index: i, relation: f.Tag.Get("ref")}
		of := f.Type
		if r.list = of.Kind() == reflect.Slice; r.list {
			of = of.Elem()
		}
		switch {
		case of.Kind() == reflect.Struct:
			r.within = refsOf(of)
		case of.Kind() == reflect.Uint64 && r.relation == "":
			panic(fmt.Sprintf("events: %s.%s has no ref tag", t, f.Name))
		}
		if r.within != nil || of.Kind() == reflect.Uint64 && r.relation != "-" {
			fields = append(fields, r)
		}
	}
	refFields.Store(t, fields)
	return fields
}
