package api

import (
	_ "embed"
	"encoding/json"
	"reflect"
	"strings"

	"github.com/danielgtaylor/huma/v2"
)

// words are what the comments in the code say of the types that answer and of their fields, by
// "service.Campaign" and "service.Campaign.Head". A test takes them from there.
//
//go:embed words.json
var words []byte

// describe puts the words into the schemas, where there are none yet.
func describe(r huma.Registry) {
	say := map[string]string{}
	if err := json.Unmarshal(words, &say); err != nil {
		panic(err) // the file is part of the program
	}
	for name, s := range r.Map() {
		t := r.TypeFromRef(schemas + name)
		if t == nil || t.Kind() != reflect.Struct {
			continue
		}
		put(&s.Description, say[keyOf(t)])
		for _, f := range reflect.VisibleFields(t) {
			p := s.Properties[jsonName(f)]
			if f.Anonymous || p == nil || p.Ref != "" {
				continue
			}
			put(&p.Description, say[keyOf(declares(t, f.Index))+"."+f.Name])
		}
	}
}

func put(at *string, text string) {
	if *at == "" {
		*at = text
	}
}

// declares is the type in which a field stands that may be embedded.
func declares(t reflect.Type, index []int) reflect.Type {
	for _, i := range index[:len(index)-1] {
		if t = t.Field(i).Type; t.Kind() == reflect.Pointer {
			t = t.Elem()
		}
	}
	return t
}

// keyOf names a type as the words do.
func keyOf(t reflect.Type) string {
	return t.PkgPath()[strings.LastIndex(t.PkgPath(), "/")+1:] + "." + t.Name()
}

func jsonName(f reflect.StructField) string {
	name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
	if name == "" {
		return f.Name
	}
	return name
}
