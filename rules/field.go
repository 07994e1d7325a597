package rules

import (
	"cmp"
	"encoding/json"
	"reflect"
	"strconv"
	"strings"
)

// Field is a value of an entry as its declaration has it (see [Declare]). Forms ask for it, and schemas describe it.
type Field struct {
	Key     string // under which it stands; "" for what stands in a list or mapping
	Label   string // what a form calls it, where that is not its key
	Kind    FieldKind
	Names   string   // the kind of name that stands there, "power"; of a mapping that of its keys
	Offers  string   // the kind of names that a form proposes where others may stand too
	Each    string   // of a mapping: what stands beside a name, "how many"
	Words   []string // the only ones that may stand there; nil for any
	Figures bool     // a text that may be written as a number
	Bounded bool     // a number from Least to Most
	Least   int
	Most    int
	Needed  bool
	Default string // what is read where nothing stands there
	Alone   bool   // it is meant where a value stands in the place of the mapping around it
	Single  bool   // a list of one value may be that value
	Doc     string
	Fields  []Field // of a group
	Of      *Field  // what stands in a list or a mapping
}

// FieldKind is what may stand in a field.
type FieldKind int

// The kinds of fields.
const (
	TextField    FieldKind = iota
	NumberField            // a whole number
	TruthField             // true or false
	ListField              // of Of
	MappingField           // of names to Of
	GroupField             // a mapping with Fields as its keys
	AnyField               // what the verb reads by itself
)

// Fields are those of an entry of the verb, in their order: that under the verb's key, and others that stand beside it.
// They are empty where the verb declares none.
func (v Verb) Fields() []Field {
	if v.Form == nil {
		return nil
	}
	return fieldsOf(v.Form)
}

func fieldsOf(t reflect.Type) (list []Field) {
	for i, name := range fieldNames(t) {
		tag := t.Field(i).Tag
		f := fieldOf(t.Field(i).Type, tag, tag.Get("of"))
		f.Key, f.Label, f.Doc, f.Needed = name, tag.Get("label"), tag.Get("doc"), neededField(t.Field(i))
		f.Alone = tag.Get("alone") != ""
		list = append(list, f)
	}
	return list
}

// fieldOf describes a value by its type and the tags of its field; of are the kinds of keys from here on inwards.
func fieldOf(t reflect.Type, tag reflect.StructTag, of string) Field {
	zero := reflect.New(t).Interface()
	switch k := zero.(type) {
	case interface{ mayBeSealed() any }:
		return fieldOf(reflect.TypeOf(k.mayBeSealed()).Elem(), tag, of)
	case interface{ items() reflect.Type }:
		one := fieldOf(k.items(), tag, of)
		return Field{Kind: ListField, Single: true, Of: &one}
	case interface{ mapping() }:
		kind, of, _ := strings.Cut(of, ",")
		return mappingOf(strings.TrimSuffix(kind, "*"), fieldOf(t.Elem().Field(1).Type, tag, of), tag)
	}
	switch t.Kind() {
	case reflect.Pointer:
		return fieldOf(t.Elem(), tag, of)
	case reflect.Struct:
		return Field{Kind: GroupField, Fields: fieldsOf(t)}
	case reflect.Map:
		kind, of, _ := strings.Cut(of, ",")
		return mappingOf(kind, fieldOf(t.Elem(), tag, of), tag)
	case reflect.Slice:
		if t.Elem().Kind() == reflect.Uint8 {
			return Field{Kind: AnyField}
		}
		one := fieldOf(t.Elem(), tag, of)
		return Field{Kind: ListField, Of: &one}
	case reflect.Bool:
		return Field{Kind: TruthField}
	case reflect.Int, reflect.Uint64:
		least, most, bounded := bounds(tag)
		return Field{Kind: NumberField, Least: least, Most: most, Bounded: bounded}
	}
	f := Field{Names: cmp.Or(tag.Get("is"), tag.Get("kind")), Default: tag.Get("else"), Offers: tag.Get("offer")}
	if words := tag.Get("word"); words != "" {
		f.Words = strings.Split(words, ",")
	} else {
		_, f.Figures = zero.(json.Unmarshaler)
	}
	return f
}

// mappingOf describes a mapping of names of a kind. What describes the values holds for those that are no mapping.
func mappingOf(kind string, one Field, tag reflect.StructTag) Field {
	f := Field{Kind: MappingField, Names: kind, Of: &one}
	if kind == "" {
		f.Offers = tag.Get("offer")
	}
	switch {
	case one.Kind == MappingField:
	case tag.Get("each") != "":
		f.Each = tag.Get("each")
	case one.Kind == NumberField:
		f.Each = "how many"
	}
	return f
}

// neededField reports whether something must stand in a field.
func neededField(f reflect.StructField) bool {
	_, needed := f.Tag.Lookup("need")
	_, optional, _ := strings.Cut(f.Tag.Get("json"), ",")
	named := f.Type.Kind() == reflect.String && f.Tag.Get("is")+f.Tag.Get("word") != ""
	return needed || named && optional == "" && f.Tag.Get("else") == ""
}

// bounds are the smallest and the largest number that a tag allows.
func bounds(tag reflect.StructTag) (least, most int, bounded bool) {
	least, err := strconv.Atoi(tag.Get("least"))
	if err != nil {
		return 0, 0, false
	}
	if most, err = strconv.Atoi(tag.Get("most")); err != nil {
		most = Limit
	}
	return least, most, true
}
