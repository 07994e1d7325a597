package rules

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strconv"
	"strings"
)

// Verb is one kind of entry of a turn file: its key, a line that says what it does, and the form of its entries.
type Verb struct {
	Key  string // "submarine warfare"
	Line string
	Form reflect.Type // the struct that an entry is read into, see [Declare]; nil for what is no system's own
	By   string       // the side whose act each of its entries is; empty where the entry says whose
	Name string       // in words, where the key is short: "strategic bombing raid"
}

// Label is what a form calls it.
func (v Verb) Label() string {
	if v.Name == "" {
		return v.Key
	}
	return v.Name + " (" + v.Key + ")"
}

// Alone names the field that is meant where a value stands in the place of the mapping: in {collect income: UK} it is
// power. It is empty where the entry has no short form.
func (v Verb) Alone() string {
	for _, under := range v.Fields() {
		if alone, short := Find(under.Fields, func(f Field) bool { return f.Alone }); short && under.Key == v.Key {
			return alone.Key
		}
	}
	return ""
}

// Alone is [Verb.Alone] of the verb with a key.
func (s System) Alone(key string) string {
	for _, v := range s.Verbs {
		if v.Key == key {
			return v.Alone()
		}
	}
	return ""
}

// Limit bounds every number that a turn file may give; no figure of a game comes near.
const Limit = 9999

// Judge is a decision of a system: a command that is being judged on a state.
type Judge interface {
	// Heard gives the hearing and its command.
	Heard() (*Hearing, Command)
	// Named reads a name of a kind, as the tags call it ("power"), and gives it as the system writes it. It refuses a
	// name that there is not.
	Named(kind, field, name string) (string, bool)
}

// Lister is a game that lists the names of a kind, for a form to choose from; of turns those that may begin now. Nil
// where nobody lists them: a form may then propose those of "likely hex", say, beside which others may stand. All of it
// is public.
type Lister interface{ Names(kind string) []string }

// Guide is a game that says what the moment is for, as forms show it. All of it is public.
type Guide interface {
	// Due reports whether a side's entries of a verb may be heard now: false where the rules would refuse each, or warn
	// of it.
	Due(verb, side string) bool
	// Likely gives the names of a kind that an entry of a verb likely has, of a power or treasury; others may stand
	// there too.
	Likely(verb, power, kind string) []Likely
}

// Likely is a name that a form puts before others.
type Likely struct {
	Name string
	Note string // what is said beside it: "8 IPCs"
	IPCs int    // what one of it costs; 0 where that is not known
}

// Declared is a verb with what judges its entries.
type Declared[J Judge] struct {
	Verb
	judge func(J)
}

// Described gives the verb with another form, for a value that judge reads by itself.
func (d Declared[J]) Described(form reflect.Type) Declared[J] {
	d.Form = form
	return d
}

// Of gives the verb as one whose entries are all acts of a side.
func (d Declared[J]) Of(side string) Declared[J] {
	d.By = side
	return d
}

// Called gives the verb a name in words beside its key.
func (d Declared[J]) Called(name string) Declared[J] {
	d.Name = name
	return d
}

// Declare declares a verb. E says how its entries are read, checked and described, judge what they mean. E is the value
// under the key; or a struct of the whole entry, if one of its fields goes by the key.
//
// The fields are read in their order, and the first that cannot be read is refused ([Input]). Their tags say what may
// stand there; those of a list or a mapping hold for what stands in it:
//
//	json   the key. With omitempty a name may be left out.
//	is     the kind of a name, "power", as [Judge.Named] knows it
//	kind   the kind of a name that judge reads by itself
//	of     the kinds of the keys of a mapping, one for each depth: "territory,unit". None is given twice (GEN-UNIQUE),
//	       but one with a * behind it, under another of its names.
//	word   the words that may stand there: "europe,pacific"
//	least  the smallest number
//	most   the largest, [Limit] if it is not given
//	need   what is asked for where nothing stands there; without this tag it may be left out
//	else   the name that is read where none stands there
//	offer  the kind of names that a form proposes, where others may stand too; for keys without a kind as well
//	each   what stands beside each name of a mapping; a number is "how many" by default
//	alone  "true" for the field that is meant where a value stands in the place of the mapping
//	label  what a form calls it, where the key is short
//	doc    what it is for
func Declare[J Judge, E any](key, line string, judge func(J, E)) Declared[J] {
	form, whole := formOf(key, reflect.TypeFor[E]())
	return Declared[J]{Verb{Key: key, Line: line, Form: form}, func(j J) {
		h, c := j.Heard()
		body := reflect.New(form)
		value := body.Elem()
		if !whole {
			value = value.Field(0)
		}
		if (alone(c, value) || h.Read(c, body.Interface())) && (reader{j, h, c}).fields("", body.Elem()) {
			judge(j, value.Interface().(E))
		}
	}}
}

// TurnForm describes an entry that begins a turn; example is the name of one.
func TurnForm(example string) reflect.Type {
	tag := fmt.Sprintf(`json:"turn" is:"turn" doc:"such as %s"`, example)
	return reflect.StructOf([]reflect.StructField{{Name: "Turn", Type: reflect.TypeFor[string](),
		Tag: reflect.StructTag(tag)}})
}

// formOf is the struct that an entry is read into, and whether that is E itself.
func formOf(key string, e reflect.Type) (form reflect.Type, whole bool) {
	if e.Kind() == reflect.Struct && slices.Contains(fieldNames(e), key) {
		return e, true
	}
	tag := reflect.StructTag("json:" + strconv.Quote(key))
	return reflect.StructOf([]reflect.StructField{{Name: "Value", Type: e, Tag: tag}}), false
}

// alone reads an entry in which a value stands in the place of a mapping.
func alone(c Command, value reflect.Value) bool {
	for i := 0; value.Kind() == reflect.Struct && i < value.NumField(); i++ {
		if value.Type().Field(i).Tag.Get("alone") != "" {
			return c.Short(value.Field(i).Addr().Interface())
		}
	}
	return false
}

// Declarations are the verbs of a system, in the order in which they are listed.
type Declarations[J Judge] []Declared[J]

// Verbs lists them.
func (l Declarations[J]) Verbs() []Verb {
	return Each(l, func(v Declared[J]) Verb { return v.Verb })
}

// Decide judges a command as its verb is declared, or rules on an option, which are now as given. Title names the rules
// that do not know the verb.
func (l Declarations[J]) Decide(j J, options OptionList, now map[string]string, title string) {
	h, c := j.Heard()
	v, known := Find(l, func(v Declared[J]) bool { return v.Key == c.Verb })
	switch {
	case known:
		h.warnOfDisguise(c)
		v.judge(j)
	case c.Verb == "rule":
		options.Rule(h, c, now)
	default:
		h.Violate(Input, "%q is nothing that a campaign of %s knows", c.Verb, title)
	}
}

// reader holds an entry to the tags of its fields.
type reader struct {
	j Judge
	h *Hearing
	c Command
}

func (r reader) fields(at string, v reflect.Value) bool {
	for i, name := range fieldNames(v.Type()) {
		field, tag := strings.TrimPrefix(at+"."+name, "."), v.Type().Field(i).Tag
		need, needed := tag.Lookup("need")
		if f := v.Field(i); needed && (f.IsZero() || f.Kind() == reflect.Slice && f.Len() == 0) {
			r.h.ViolateField(field, Input, "%s", need)
			return false
		}
		if !r.value(field, v.Field(i), tag, tag.Get("of")) {
			return false
		}
	}
	return true
}

// Check reads a value by tags as [Declare] has them: v points to it, and is read in place.
func Check(j Judge, field string, v any, tag reflect.StructTag) bool {
	h, c := j.Heard()
	return reader{j, h, c}.value(field, reflect.ValueOf(v).Elem(), tag, tag.Get("of"))
}

// value reads one value in place; of are the kinds of keys from here on inwards.
func (r reader) value(field string, v reflect.Value, tag reflect.StructTag, of string) bool {
	switch v.Kind() {
	case reflect.Pointer:
		return v.IsNil() || r.value(field, v.Elem(), tag, of)
	case reflect.Struct:
		_, sealable := v.Addr().Interface().(interface{ mayBeSealed() any })
		return sealable || r.fields(field, v)
	case reflect.Slice:
		if _, mapping := v.Interface().(interface{ mapping() }); mapping {
			return r.members(field, v, tag, of)
		}
		return r.items(field, v, tag, of)
	case reflect.String:
		return r.name(field, v, tag)
	case reflect.Int:
		return r.number(field, int(v.Int()), tag)
	}
	return true
}

func (r reader) items(field string, v reflect.Value, tag reflect.StructTag, of string) bool {
	if v.Type().Elem().Kind() == reflect.Uint8 {
		return true // as it came
	}
	for i := range v.Len() {
		if !r.value(fmt.Sprintf("%s[%d]", field, i), v.Index(i), tag, of) {
			return false
		}
	}
	return true
}

// members reads a mapping, and puts its names as the system writes them. None of a name
// may be given beside some, in either order: behind it is left out.
func (r reader) members(field string, v reflect.Value, tag reflect.StructTag, of string) bool {
	kind, of, _ := strings.Cut(of, ",")
	kind, again := strings.CutSuffix(kind, "*")
	seen, kept := map[string]string{}, reflect.MakeSlice(v.Type(), 0, v.Len())
	for i := range v.Len() {
		name, value, at := v.Index(i).Field(0), v.Index(i).Field(1), v.Index(i).Field(2)
		typed := name.String()
		at.SetString(field + "." + typed)
		if kind != "" {
			read, ok := r.j.Named(kind, at.String(), typed)
			if !ok {
				return false
			}
			name.SetString(read)
		}
		if !r.value(at.String(), value, tag, of) {
			return false
		}
		some := tag.Get("least") != "0" || !value.IsZero()
		first, before := seen[name.String()]
		if before && some && !again { // GEN-UNIQUE
			r.h.ViolateField(at.String(), Input, "%s is given twice in %s, as %s and as %s: give it once, in a "+
				"correction by the name that the entry has", name, field[strings.LastIndexByte(field, '.')+1:], first,
				typed)
			return false
		}
		if some && !before {
			seen[name.String()] = typed
		}
		if again || some || !before {
			kept = reflect.Append(kept, v.Index(i))
		}
	}
	v.Set(kept)
	return true
}

func (r reader) name(field string, v reflect.Value, tag reflect.StructTag) bool {
	name, kind, words := cmp.Or(v.String(), tag.Get("else")), tag.Get("is"), tag.Get("word")
	_, optional, _ := strings.Cut(tag.Get("json"), ",")
	if name == "" && optional == "omitempty" || kind+words == "" {
		return true
	}
	ok := false
	if kind != "" {
		name, ok = r.j.Named(kind, field, name)
	} else {
		name, ok = r.h.Word(r.c, field, field[strings.LastIndexByte(field, '.')+1:], name, strings.Split(words, ","))
	}
	v.SetString(name)
	return ok
}

// Word reads one of the words that there are, in any case, and refuses any other; what says what they are.
func (h *Hearing) Word(c Command, field, what, name string, there []string) (string, bool) {
	i := slices.IndexFunc(there, func(w string) bool { return strings.EqualFold(w, name) })
	if i < 0 {
		h.Unknown(c, field, what, name, there)
		return "", false
	}
	return there[i], true
}

func (r reader) number(field string, n int, tag reflect.StructTag) bool {
	least, most, bounded := bounds(tag)
	return !bounded || r.h.InRange(field, n, least, most)
}

// InRange refuses n unless least <= n <= most, and reports whether it is in range.
func (h *Hearing) InRange(field string, n, least, most int) bool {
	if n < least || n > most {
		h.ViolateField(field, Input, "%s: %d is not a number from %d to %d", field, n, least, most)
		return false
	}
	return true
}

// OneOrMore is a list; one alone may stand without brackets. It is empty where neither stands.
type OneOrMore[T any] []T

func (OneOrMore[T]) items() reflect.Type { return reflect.TypeFor[T]() }

// UnmarshalJSON implements json.Unmarshaler.
func (l *OneOrMore[T]) UnmarshalJSON(text []byte) error {
	var one T
	var list []T
	err := json.Unmarshal(text, &list)
	if text[0] != '[' {
		if err = json.Unmarshal(text, &one); err == nil {
			list = []T{one}
		}
	}
	*l = list
	if wrong := new(json.UnmarshalTypeError); errors.As(err, &wrong) && wrong.Field == "" {
		*l, err = nil, nil
	}
	return err
}

// Mapping is a mapping of names, in the order of the names as they came.
type Mapping[V any] []Member[V]

// Member is one name of a mapping.
type Member[V any] struct {
	Name  string // as the system writes it
	Value V
	At    string // the field that it is, with the name as it came
}

func (Mapping[V]) mapping() {}

// UnmarshalJSON implements json.Unmarshaler.
func (m *Mapping[V]) UnmarshalJSON(text []byte) error {
	var given map[string]json.RawMessage
	err := json.Unmarshal(text, &given)
	*m = nil
	for _, name := range slices.Sorted(maps.Keys(given)) {
		x := Member[V]{Name: name}
		wrong := json.Unmarshal(given[name], &x.Value)
		if as := new(json.UnmarshalTypeError); errors.As(wrong, &as) {
			as.Field = strings.TrimSuffix(name+"."+as.Field, ".")
		}
		if *m = append(*m, x); err == nil {
			err = wrong
		}
	}
	return err
}

// Named finds a member by its name.
func (m Mapping[V]) Named(name string) (Member[V], bool) {
	return Find(m, func(x Member[V]) bool { return x.Name == name })
}
