package turnfile_test

import (
	"strings"
	"testing"

	"github.com/watu-ledger/watu/replay/turnfile"
)

// TestStyles writes one entry in many ways: the body is the same to the byte.
func TestStyles(t *testing.T) {
	const want = `{"cards":[{"Britain":"asw"},"pass"],"submarine warfare":{"asw":34,"box":"Atlantic","note":"a: b"}}`
	styles := map[string]string{
		"flow": `entries: [{id: a, submarine warfare: {box: Atlantic, asw: 34, note: "a: b"}, cards: [{Britain: ` +
			`asw}, pass]}]`,
		"JSON": `{"entries":[{"id":"a","submarine warfare":{"box":"Atlantic","asw":34,"note":"a: b"},` +
			`"cards":[{"Britain":"asw"},"pass"]}]}`,
		"block": "entries:\n  - id: a\n    submarine warfare:\n      box: Atlantic\n      asw: 34\n      note: " +
			"'a: b'\n    cards:\n      - Britain: asw\n      - pass\n",
		"order": "entries:\n- cards: [Britain: asw, pass]\n  submarine warfare: {note: 'a: b', asw: 34, box: " +
			"Atlantic}\n  id: a\n",
		"comments": "# x\nentries: # x\n  # x\n  - id: a # x\n\n    # x\n    submarine warfare: # x\n      box: " +
			"Atlantic # x\n\n      asw: 34\n      note: 'a: b'\n    cards: [ # x\n      {Britain: asw}, # x\n      # " +
			"x\n      pass ]\n# x\n",
		"quotes": "entries:\n- 'id': \"a\"\n  'submarine warfare':\n    \"box\": 'Atlantic'\n    asw: 34\n    " +
			"note: |-\n      a: b\n  cards: ['Britain': 'asw', \"pass\"]\n",
		"trailing": "---\nentries: [\n  {id: a, submarine warfare: {box: Atlantic, asw: 34, note: 'a: b',}, cards: " +
			"[{Britain: asw,}, pass,],},\n]\n...\n",
	}
	block := styles["block"]
	styles["CRLF"] = strings.ReplaceAll(block, "\n", "\r\n")
	styles["byte order mark"] = "\ufeff" + block
	styles["no last newline"] = strings.TrimSuffix(block, "\n")
	styles["trailing spaces"] = strings.ReplaceAll(block, "\n", "  \n")
	styles["spaces"] = strings.NewReplacer("asw: ", "asw:    ", "      - ", "      -   ").Replace(block)
	for name, text := range styles {
		t.Run(name, func(t *testing.T) {
			f, err := turnfile.Parse("turn.yaml", []byte(text), verbs)
			if err != nil {
				t.Fatal(err)
			}
			if got := string(f.Entries[0].Body); got != want {
				t.Errorf("\n got %s\nwant %s", got, want)
			}
		})
	}
}

// TestCanonical compares with bodies written by hand after RFC 8785, section 3.2.
func TestCanonical(t *testing.T) {
	for _, c := range []struct{ in, want string }{
		{` { "b" : 1 , "a" : [ true , null , -2 ] } `, `{"a":[true,null,-2],"b":1}`},
		{`"\u20ac$\u000F\u000aA'\u0042\u0022\u005c\\\"\/<>&\u2028"`, "\"€$\\u000f\\nA'B\\\"\\\\\\\\\\\"/<>&\u2028\""},
		{`{"aa":1,"a":2,"":3,"A":4}`, `{"":3,"A":4,"a":2,"aa":1}`},
	} {
		got, err := turnfile.Canonical([]byte(c.in))
		if err != nil || string(got) != c.want {
			t.Errorf("%s: got %s, %v; want %s", c.in, got, err, c.want)
		}
	}
	for _, in := range []string{``, `{`, `1.5`, `1e3`, `-0`, `9007199254740992`, `{} {}`, `{"a":[1.0]}`} {
		if got, err := turnfile.Canonical([]byte(in)); err == nil {
			t.Errorf("%s: got %s, want an error", in, got)
		}
	}
}

// TestShortEntry: a field of an entry that was entered short is corrected as if the entry had been given in full.
func TestShortEntry(t *testing.T) {
	k, err := turnfile.ParseCorrection("fix.yaml",
		[]byte("reason: r\ncode: mistyped\nreplace: {collect income.base: 14}\n"))
	if err != nil {
		t.Fatal(err)
	}
	k.Alone = func(key string) string { return map[string]string{"collect income": "power"}[key] }
	body, changes, err := k.Apply([]byte(`{"collect income":"UK"}`))
	if want := `{"collect income":{"base":14,"power":"UK"}}`; err != nil || string(body) != want {
		t.Errorf("%s, %v; want %s", body, err, want)
	}
	if len(changes) != 1 || changes[0].Field != "collect income.base" || changes[0].Was != "" ||
		changes[0].Now != "14" {
		t.Errorf("changes: %v", changes)
	}
}
