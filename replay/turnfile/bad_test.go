package turnfile_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/watu-ledger/watu/replay/turnfile"
)

// bad are files that are refused, and the whole of what is said.
var bad = []struct{ name, text, want string }{
	// The bytes.
	{"empty", "", `turn.yaml: is empty: a turn file has turn: and entries:`},
	{"comments only", "# a turn\n\n", `turn.yaml: is empty: a turn file has turn: and entries:`},
	{"null", "---\n~\n", `turn.yaml: is empty: a turn file has turn: and entries:`},
	{"not UTF-8", "turn: x\nentries: \xff\n", `turn.yaml:2: byte 0xff is not UTF-8: save the file as UTF-8`},
	{"UTF-16", "\xff\xfet\x00", `turn.yaml:1: this is UTF-16: save the file as UTF-8`},
	{"too large", "# " + strings.Repeat("x", 2<<20),
		`turn.yaml: is 2097154 bytes long, and the limit is 1048576 (1 MiB): is this the right file? if so, split it`},
	{"too many lines", strings.Repeat("\n", 20_001),
		`turn.yaml: has 20001 lines, and the limit is 20000: is this the right file? if so, split it`},
	{"control character", "turn: a\x00b\n", `turn.yaml:1: the control character U+0000: take it out`},
	{"lone carriage return", "turn: a\rb\n",
		`turn.yaml:1: a carriage return without a line feed: end the lines with LF or CRLF`},
	{"invisible character", "turn: a\ufeffb\n", `turn.yaml:1: the invisible character U+FEFF: take it out`},
	{"other direction", "turn: a\u202eb\n", `turn.yaml:1: the invisible character U+202E: take it out`},
	{"tab in the indentation", "turn: x\nentries:\n\t- id: a\n",
		`turn.yaml:3: a tab in the indentation: indent with spaces`},
	{"tab in a text", "turn: a\tb\n", `turn.yaml:1: a tab by "a\tb": use spaces`},

	// Cut short, or a slip of the pen.
	{"open brace", "turn: x\nentries:\n  - {id: a, draw: Ultra\n",
		`turn.yaml:3: the { that opens here is never closed: is its partner missing, or is the file cut short?`},
	{"open brace, next entry", "entries:\n  - {id: a, draw: Ultra\n  - {id: b, draw: Ultra}\n",
		`turn.yaml:2: the { that opens here is never closed: is its partner missing, or is the file cut short?`},
	{"open bracket", "facts:\n  a: [b, c\n",
		`turn.yaml:2: the [ that opens here is never closed: is its partner missing, or is the file cut short?`},
	{"open quote", "turn: \"Winter\nentries: []\n",
		`turn.yaml:1: the text that begins here with " is never closed: add the closing quote`},
	{"open single quote", "turn: 'Winter 1941''\n",
		`turn.yaml:1: the text that begins here with ' is never closed: add the closing quote (a quote inside is ` +
			`doubled: '')`},
	{"wrong bracket", "facts: {a: [b}\n", `turn.yaml:1: a } closes the [ of line 1: one of the two is wrong`},
	{"extra bracket", "facts: [a]]\n", `turn.yaml:1: a ] that closes nothing: take it out, or put the text in quotes`},
	{"comma missing", "facts: {a: [b] c: d}\n", `turn.yaml:1: a comma or } is missing before this`},
	{"two commas", "facts: {a: [1,,2]}\n", `turn.yaml:1: something is missing between two commas: take one out`},
	{"key cut short", "turn: x\nentries\n",
		`turn.yaml:2: this is no key: value as the lines above are: is a ":" with a space missing?`},
	{"colon in a text", "turn: Winter: 1941\n",
		`turn.yaml:1: a key: value where none may stand: check the indentation here and below, and put a text with ` +
			`": " in quotes`},
	{"indentation in", "turn: x\n  facts: {}\n",
		`turn.yaml:2: a ":" on another line than its key: write key: value on one line`},
	{"indentation out", "facts:\n    a: 1\n  b: 2\n",
		`turn.yaml:3: this does not fit what stands above it: check the indentation`},
	{"list on the key's line", "entries: - id: a\n",
		`turn.yaml:1: a list begins on the line of its key: put "- " on a line of its own, or write [a, b]`},
	{"after a quoted text", "turn: \"a\" b\n",
		`turn.yaml:1: something follows a value that is complete: check the indentation and the quotes`},
	{"reserved sign", "turn: @home\n",
		`turn.yaml:1: cannot be read as YAML here: '@' is a reserved character: put the text in quotes`},
	{"bad escape", `turn: "a\qb"` + "\n",
		`turn.yaml:1: cannot be read as YAML here: found unknown escape character 'q': double the \, or use ` +
			`single quotes`},
	{"half a surrogate", `turn: "\ud800"` + "\n",
		`turn.yaml:1: cannot be read as YAML here: not enough length for escaped UTF-16 surrogate pair: double the ` +
			`\, or use single quotes`},
	{"no key", ": x\n", `turn.yaml:1: a ":" without a key before it`},
	{"no space in braces", "facts: {a:1}\n",
		`turn.yaml:1: "a:1": put a space after the ":", or quotes around the text`},
	{"time in braces", "facts: {a: [12:30]}\n",
		`turn.yaml:1: "12:30": put a space after the ":", or quotes around the text`},
	{"no value in braces", "facts: {a: {Britain asw}}\n",
		`turn.yaml:1: "Britain asw" stands in brackets without a value: write "Britain asw: …"`},
	{"missing comma over two lines", "facts: {a: b\n  c: d}\n", `turn.yaml:2: a comma or } is missing before this`},
	{"missing comma", "facts: {a: b c: d}\n",
		`turn.yaml:1: "b c: d" runs on past a ":": is a comma missing? else put it in quotes`},
	{"colon on the next line", "turn\n: x\n",
		`turn.yaml:2: a ":" on another line than its key: write key: value on one line`},
	{"value under its key", "turn: x\nfacts:\n  a:\n  b\n",
		`turn.yaml:4: this belongs to the "a" of line 3: indent it further`},
	{"value under its dash", "entries:\n  -\n  id: a\n",
		`turn.yaml:3: this belongs to the "-" of line 2: indent it further`},
	{"list in a text", "facts:\n  a: b\n    - c\n",
		`turn.yaml:3: a list item where the text of line 2 goes on: check the indentation, or put the text in quotes`},
	{"bracket first", "turn: }\n", `turn.yaml:1: a text cannot begin with }: put it in quotes`},
	{"no value before a comma", "facts: {a: , b: 1}\n",
		`turn.yaml:1: "a" stands in brackets without a value: write "a: …"`},
	{"list for a key", "facts: {{a: 1}}\n",
		`turn.yaml:1: a list or mapping stands in { } without a key: write key: value`},
	{"tab in a block text", "facts:\n  a: |\n    b\n    c\td\n", `turn.yaml:4: a tab by "c\td": use spaces`},

	// YAML that a file may not use.
	{"anchor", "facts:\n  a: &b 1\n",
		`turn.yaml:2: & begins an anchor, which a file may not use: take it out, or put the text in quotes`},
	{"alias", "facts:\n  a: *b\n",
		`turn.yaml:2: * begins an alias, which a file may not use: write the thing out, or put the text in quotes`},
	{"tag", "turn: !!str x\n",
		`turn.yaml:1: ! begins a tag, which a file may not use: take it out, or put the text in quotes`},
	{"merge key", "facts:\n  <<: {a: 1}\n",
		`turn.yaml:2: << merges mappings, which a file may not use: write the members out`},
	{"complex key", "? turn\n: x\n",
		`turn.yaml:1: "? " begins a complex key, which a file may not use: write key: value`},
	{"directive", "%YAML 1.2\n---\nturn: x\n",
		`turn.yaml:1: % begins a directive, which a file may not use: take the line out, or put the text in quotes`},
	{"two documents", "turn: x\n---\nturn: y\n", `turn.yaml:2: a second document begins here: keep one to a file`},
	{"two documents, an end between", "turn: x\n...\nturn: y\n",
		`turn.yaml:3: a second document begins here: keep one to a file`},
	{"deep in brackets", "facts: {a: " + strings.Repeat("[", 30) + strings.Repeat("]", 30) + "}\n",
		`turn.yaml:1: lists and mappings stand more than 20 deep in each other: is a bracket missing?`},
	{"deep in dashes", "facts:\n  a:\n    " + strings.Repeat("- ", 30) + "x\n",
		`turn.yaml:3: lists and mappings stand more than 20 deep in each other: is a bracket missing?`},
	{"deep in lines", nested(21),
		`turn.yaml:21: lists and mappings stand more than 20 deep in each other: is a bracket missing?`},
	{"very deep", strings.Repeat("[", 1<<20),
		`turn.yaml:1: lists and mappings stand more than 20 deep in each other: is a bracket missing?`},
	{"very deep in braces", strings.Repeat("{a: ", 1<<18),
		`turn.yaml:1: lists and mappings stand more than 20 deep in each other: is a bracket missing?`},
	{"very deep in dashes", strings.Repeat("- ", 1<<19),
		`turn.yaml:1: lists and mappings stand more than 20 deep in each other: is a bracket missing?`},
	{"colons", strings.Repeat(": ", 1<<19), `turn.yaml:1: a ":" without a key before it`},

	// Values.
	{"float", "facts:\n  a: 0.5\n",
		`turn.yaml:2: 0.5 is not a whole number, and only whole ones are used: if it is a text, put it in quotes`},
	{"float with exponent", "facts:\n  a: [1, 1.5e3]\n",
		`turn.yaml:2: 1.5e3 is not a whole number, and only whole ones are used: if it is a text, put it in quotes`},
	{"large number", "facts: {a: 9007199254740992}\n",
		`turn.yaml:1: "9007199254740992" is larger than any number here (2^53-1): if it is a text, put it in quotes`},
	{"key twice", "facts:\n  a: 1\n  b: 2\n  a: 3\n",
		`turn.yaml:4: the key "a" stands twice in one mapping, first on line 2: keep one`},
	{"key twice, quoted", "facts:\n  1: 1\n  \"1\": 2\n",
		`turn.yaml:3: the key "1" stands twice in one mapping, first on line 2: keep one`},
	{"empty key", "facts: {\"\": 1}\n", `turn.yaml:1: a key is empty`},

	// The shape of a turn file.
	{"a list", "- id: a\n",
		`turn.yaml:1: a turn file is a mapping with the keys "campaign", "turn", "facts" and "entries": ` +
			"this is a list"},
	{"a text", "turn 5\n",
		`turn.yaml:1: a turn file is a mapping with the keys "campaign", "turn", "facts" and "entries": this is the ` +
			`text "turn 5"`},
	{"unknown key", "turn: x\nentires: []\n",
		`turn.yaml:2: a turn file has no key "entires"; did you mean "entries"? the keys are "campaign", "turn", ` +
			`"facts" and "entries"`},
	{"unknown key, none near", "weather: fine\n",
		`turn.yaml:1: a turn file has no key "weather"; the keys are "campaign", "turn", "facts" and "entries"`},
	{"turn empty", "turn:\nentries: []\n", `turn.yaml:1: turn is nothing: it should be a text or a number`},
	{"turn a mapping", "turn: {year: 1941}\n", `turn.yaml:1: turn is a mapping: it should be a text or a number`},
	{"campaign a truth value", "campaign: true\n",
		`turn.yaml:1: campaign is true: it should be a text or a number (put the word in quotes if it is one)`},
	{"facts a list", "facts:\n  - a: 1\n",
		`turn.yaml:2: facts is a list: it should be a mapping, one key for each fact`},
	{"entries a mapping", "entries:\n  draw: Ultra\n",
		`turn.yaml:2: entries is a mapping: it should be a list, each entry after "- "`},
	{"entries a text", "entries: none\n",
		`turn.yaml:1: entries is the text "none": it should be a list, each entry after "- "`},
	{"entry a text", "entries:\n  - draw:Ultra\n",
		`turn.yaml:2: an entry is the text "draw:Ultra": it should be a mapping with an id and a verb (a space is ` +
			`due after the ":")`},
	{"entry a list", "entries: [[draw, Ultra]]\n",
		`turn.yaml:1: an entry is a list: it should be a mapping with an id and a verb`},
	{"entry empty", "entries:\n  -\n",
		`turn.yaml:2: an entry is nothing: it should be a mapping with an id and a verb`},
	{"no id", "entries:\n  - draw: Ultra\n",
		`turn.yaml:2: the entry "draw" has no id: add one that is unique in the file, like id: a1`},
	{"id empty", "entries:\n  - id: ''\n    draw: Ultra\n", `turn.yaml:2: the id is empty`},
	{"id null", "entries:\n  - id:\n    draw: Ultra\n",
		`turn.yaml:2: the id is nothing: it should be a text or a number`},
	{"id a truth value", "entries:\n  - id: true\n    draw: Ultra\n",
		`turn.yaml:2: the id is true: it should be a text or a number (put the word in quotes if it is one)`},
	{"id with a slash", "entries:\n  - id: a/b\n    draw: Ultra\n",
		`turn.yaml:2: the id "a/b" has a "/", which divides it from the turn: use another sign`},
	{"id too long", "entries:\n  - id: " + strings.Repeat("a", 65) + "\n    draw: Ultra\n",
		`turn.yaml:2: the id is 65 bytes long, and the limit is 64: shorten it`},
	{"id of two lines", "entries:\n  - id: \"a\\nb\"\n    draw: Ultra\n",
		`turn.yaml:2: the id "a\nb" has a sign that cannot be printed: take it out`},
	{"id twice", "entries:\n  - {id: a, draw: Ultra}\n  - {id: b, draw: Ultra}\n  - {draw: Ultra, id: a}\n",
		`turn.yaml:4: the id "a" stands twice, first on line 2: an id is unique in the file`},
	{"id twice, text and number", "entries:\n  - {id: 1, draw: Ultra}\n  - {id: '1', draw: Ultra}\n",
		`turn.yaml:3: the id "1" stands twice, first on line 2: an id is unique in the file`},
	{"id of the turn", "turn: x\nentries:\n  - {id: turn, draw: Ultra}\n",
		`turn.yaml:3: the id "turn" is that of the turn itself: choose another`},
	{"no verb", "entries:\n  - id: a\n",
		`turn.yaml:2: the entry "a" has no verb: add one of "draw", "submarine warfare" or "produce"`},
	{"verb misspelt", "entries:\n  - id: a\n    cards: []\n    Submarine warefare: {}\n",
		`turn.yaml:4: the entry "a" has no verb among its keys ("cards", "Submarine warefare"); did you mean ` +
			`"submarine warfare"? the verbs are "draw", "submarine warfare" and "produce"`},
	{"verb unknown", "entries:\n  - {id: a, scuttle: Bismarck}\n",
		`turn.yaml:2: the entry "a" has no verb among its keys ("scuttle"); the verbs are "draw", "submarine ` +
			`warfare" and "produce"`},
	{"two verbs", "entries:\n  - id: a\n    draw: Ultra\n    produce: {}\n",
		`turn.yaml:2: the entry "a" has 2 verbs, "draw" and "produce": make an entry of each`},
}

// nested is a file of mappings, each in the one before, n in all.
func nested(n int) string {
	var b strings.Builder
	for i := range n {
		b.WriteString(strings.Repeat(" ", i) + "facts:\n")
	}
	return b.String()
}

func TestBadFiles(t *testing.T) {
	for _, c := range bad {
		t.Run(c.name, func(t *testing.T) {
			f, err := turnfile.Parse("turn.yaml", []byte(c.text), verbs)
			var fault *turnfile.Error
			if f != nil || !errors.As(err, &fault) {
				t.Fatalf("got file %+v, error %v; want an *Error", f, err)
			}
			if got := err.Error(); got != c.want {
				t.Errorf("\n got %s\nwant %s", got, c.want)
			}
		})
	}
}

func TestDeepestFile(t *testing.T) {
	if _, err := turnfile.Parse("turn.yaml", []byte(nested(20)), verbs); err != nil {
		t.Error(err)
	}
}
