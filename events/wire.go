package events

import (
	"errors"
	"fmt"
	"reflect"
	"sync"

	"google.golang.org/protobuf/encoding/protowire"
)

// wire writes protobuf fields; a zero value writes nothing.
type wire []byte

func (w *wire) uint(num protowire.Number, v uint64) {
	if v != 0 {
		*w = protowire.AppendVarint(protowire.AppendTag(*w, num, protowire.VarintType), v)
	}
}

func (w *wire) text(num protowire.Number, s string) {
	if s != "" {
		*w = protowire.AppendString(protowire.AppendTag(*w, num, protowire.BytesType), s)
	}
}

func (w *wire) fixed(num protowire.Number, b []byte) {
	for _, x := range b {
		if x != 0 {
			*w = protowire.AppendBytes(protowire.AppendTag(*w, num, protowire.BytesType), b)
			return
		}
	}
}

// value writes an element of a message or list, even when it is empty.
func (w *wire) value(num protowire.Number, v reflect.Value) {
	var inner wire
	inner.fields(v)
	*w = protowire.AppendBytes(protowire.AppendTag(*w, num, protowire.BytesType), inner)
}

// fields writes a struct by the pb tags of its fields, in ascending order.
func (w *wire) fields(v reflect.Value) {
	for _, p := range planOf(v.Type()) {
		f := v.Field(p.index)
		switch p.kind {
		case kindUint:
			w.uint(p.num, f.Uint())
		case kindInt:
			w.uint(p.num, protowire.EncodeZigZag(f.Int()))
		case kindBool:
			w.uint(p.num, protowire.EncodeBool(f.Bool()))
		case kindText:
			w.text(p.num, f.String())
		case kindHash:
			h := f.Interface().(Hash)
			w.fixed(p.num, h[:])
		case kindTexts:
			for i := range f.Len() {
				*w = protowire.AppendString(protowire.AppendTag(*w, p.num, protowire.BytesType), f.Index(i).String())
			}
		case kindInts, kindUints:
			w.packed(p.num, f)
		case kindStruct:
			if !f.IsZero() {
				w.value(p.num, f)
			}
		case kindStructs:
			for i := range f.Len() {
				w.value(p.num, f.Index(i))
			}
		}
	}
}

func (w *wire) packed(num protowire.Number, list reflect.Value) {
	if list.Len() == 0 {
		return
	}
	var inner []byte
	for i := range list.Len() {
		n := list.Index(i)
		if n.CanUint() {
			inner = protowire.AppendVarint(inner, n.Uint())
		} else {
			inner = protowire.AppendVarint(inner, protowire.EncodeZigZag(n.Int()))
		}
	}
	*w = protowire.AppendBytes(protowire.AppendTag(*w, num, protowire.BytesType), inner)
}

// field is one field as read: a varint or a run of bytes.
type field struct {
	num    protowire.Number
	varint uint64
	bytes  string
	isUint bool
}

// reader walks the fields of a message and refuses what wire would not have written.
type reader struct {
	rest string
	last protowire.Number
}

var (
	errCut   = errors.New("cut short")
	errOrder = errors.New("fields out of order")
	errForm  = errors.New("not in its one form")

	errUnknown = errors.New("not known")
)

// next reads a field into f, which is reused from one to the next.
func (r *reader) next(f *field) error {
	tag, err := r.varint()
	if err != nil {
		return err
	}
	num, typ := protowire.DecodeTag(tag)
	if num < r.last || num < 1 {
		return errOrder
	}
	r.last = num
	f.num, f.isUint = num, typ == protowire.VarintType
	if f.isUint {
		f.varint, err = r.varint()
		return err
	}
	if typ != protowire.BytesType {
		return fmt.Errorf("field %d has wire type %d", num, typ)
	}
	n, err := r.varint()
	if err != nil {
		return err
	}
	if n > uint64(len(r.rest)) {
		return errCut
	}
	f.bytes, r.rest = r.rest[:n], r.rest[n:]
	return nil
}

func (r *reader) varint() (uint64, error) {
	if len(r.rest) > 0 && r.rest[0] < 0x80 { // nearly every tag and most lengths
		v := uint64(r.rest[0])
		r.rest = r.rest[1:]
		return v, nil
	}
	return r.longVarint()
}

func (r *reader) longVarint() (uint64, error) {
	var v uint64
	for i := 0; i < len(r.rest) && i < 10; i++ {
		b := r.rest[i]
		if i == 9 && b > 1 {
			return 0, errForm
		}
		v |= uint64(b&0x7f) << (7 * i)
		if b < 0x80 {
			if b == 0 && i > 0 {
				return 0, errForm // a shorter varint says the same
			}
			r.rest = r.rest[i+1:]
			return v, nil
		}
	}
	return 0, errCut
}

func (f *field) uint(into *uint64) error {
	if !f.isUint || f.varint == 0 || *into != 0 {
		return errForm
	}
	*into = f.varint
	return nil
}

func (f *field) text(into *string) error {
	if f.isUint || f.bytes == "" || *into != "" {
		return errForm
	}
	*into = f.bytes
	return nil
}

func (f *field) fixed(into []byte) error {
	if f.isUint || len(f.bytes) != len(into) {
		return errForm
	}
	was, is := byte(0), byte(0)
	for i := range into {
		was |= into[i]
		is |= f.bytes[i]
		into[i] = f.bytes[i]
	}
	if was != 0 || is == 0 {
		return errForm // given twice, or a zero that would not have been written
	}
	return nil
}

// readFields reads the fields of a payload. Fields that the struct does not know belong to a
// later version and are passed over.
func readFields(s string, v reflect.Value) error {
	plan := planOf(v.Type())
	r := reader{rest: s}
	var f field
	for len(r.rest) > 0 {
		if err := r.next(&f); err != nil {
			return err
		}
		for len(plan) > 0 && plan[0].num < f.num {
			plan = plan[1:]
		}
		if len(plan) == 0 || plan[0].num != f.num {
			continue
		}
		if err := plan[0].read(&f, v.Field(plan[0].index)); err != nil {
			return fmt.Errorf("field %d: %w", f.num, err)
		}
	}
	return nil
}

func (p *plannedField) read(f *field, v reflect.Value) error {
	switch p.kind {
	case kindUint, kindInt, kindBool:
		return p.readVarint(f, v)
	case kindText:
		var s string
		if err := f.text(&s); err != nil || v.String() != "" {
			return errForm
		}
		v.SetString(s)
	case kindHash:
		return f.fixed(v.Addr().Interface().(*Hash)[:])
	case kindTexts:
		if f.isUint {
			return errForm
		}
		v.Set(reflect.Append(v, reflect.ValueOf(f.bytes).Convert(v.Type().Elem())))
	case kindInts, kindUints:
		return readPacked(f, v)
	case kindStruct:
		if f.isUint || !v.IsZero() {
			return errForm
		}
		return readFields(f.bytes, v)
	case kindStructs:
		if f.isUint {
			return errForm
		}
		element := reflect.New(v.Type().Elem()).Elem()
		if err := readFields(f.bytes, element); err != nil {
			return err
		}
		v.Set(reflect.Append(v, element))
	}
	return nil
}

func (p *plannedField) readVarint(f *field, v reflect.Value) error {
	var u uint64
	if err := f.uint(&u); err != nil || !v.IsZero() {
		return errForm
	}
	switch p.kind {
	case kindUint:
		v.SetUint(u)
	case kindInt:
		return setInt(v, u)
	case kindBool:
		if u != 1 {
			return errForm
		}
		v.SetBool(true)
	}
	return nil
}

func readPacked(f *field, v reflect.Value) error {
	if f.isUint || f.bytes == "" || v.Len() > 0 {
		return errForm
	}
	r := reader{rest: f.bytes}
	for len(r.rest) > 0 {
		u, err := r.varint()
		if err != nil {
			return err
		}
		n := reflect.New(v.Type().Elem()).Elem()
		if n.CanUint() {
			n.SetUint(u)
		} else if err := setInt(n, u); err != nil {
			return err
		}
		v.Set(reflect.Append(v, n))
	}
	return nil
}

// setInt keeps to 32 bits, so that an event reads the same on every machine.
func setInt(v reflect.Value, u uint64) error {
	n := protowire.DecodeZigZag(u)
	if n != int64(int32(n)) {
		return errForm
	}
	v.SetInt(n)
	return nil
}

type kind int

const (
	kindUint kind = iota
	kindInt
	kindBool
	kindText
	kindHash
	kindTexts
	kindInts
	kindUints
	kindStruct
	kindStructs
)

// plannedField is one field of a struct as its pb tag numbers it.
type plannedField struct {
	num   protowire.Number
	index int
	kind  kind
}

var plans sync.Map // reflect.Type -> []plannedField, ascending by num

func planOf(t reflect.Type) []plannedField {
	if p, ok := plans.Load(t); ok {
		return p.([]plannedField)
	}
	var plan []plannedField
	for i := range t.NumField() {
		f := t.Field(i)
		var num protowire.Number
		if _, err := fmt.Sscan(f.Tag.Get("pb"), &num); err != nil {
			panic(fmt.Sprintf("events: %s.%s has no field number", t, f.Name))
		}
		if len(plan) > 0 && plan[len(plan)-1].num >= num {
			panic(fmt.Sprintf("events: %s.%s: field numbers must ascend", t, f.Name))
		}
		plan = append(plan, plannedField{num: num, index: i, kind: kindOf(t, f)})
	}
	plans.Store(t, plan)
	return plan
}

func kindOf(t reflect.Type, f reflect.StructField) kind {
	switch f.Type.Kind() {
	case reflect.Uint64:
		return kindUint
	case reflect.Int, reflect.Int64:
		return kindInt
	case reflect.Bool:
		return kindBool
	case reflect.String:
		return kindText
	case reflect.Struct:
		return kindStruct
	case reflect.Array:
		if f.Type == reflect.TypeFor[Hash]() {
			return kindHash
		}
	case reflect.Slice:
		switch f.Type.Elem().Kind() {
		case reflect.String:
			return kindTexts
		case reflect.Int, reflect.Int64:
			return kindInts
		case reflect.Uint64:
			return kindUints
		case reflect.Struct:
			return kindStructs
		}
	}
	panic(fmt.Sprintf("events: %s.%s: a payload has no field of type %s", t, f.Name, f.Type))
}
