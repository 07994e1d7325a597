package requests

import (
	"encoding/json"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/watu-ledger/watu/rules"
)

const rollSchema = `{
  "$schema": "https://json-schema.org/draft/2020-12/schema",
  "type": "object", "additionalProperties": false, "required": ["dice"],
  "properties": {
    "dice": {"type": "array", "minItems": 2, "maxItems": 2, "items": {"type": "integer", "minimum": 1, "maximum": 6}},
    "modifier": {"type": "integer", "default": 4},
    "side": {"enum": ["axis", "allies"]},
    "pool": {"type": "object", "additionalProperties": false, "properties": {"blank": {"type": "integer"}}},
    "ships": {"type": "array", "items":
      {"type": "object", "properties": {"named": {"type": "boolean", "default": true}}}},
    "options": {"type": "object", "additionalProperties": false, "properties":
      {"low_roll": {"enum": ["column_2", "no_effect"], "default": "column_2"}}}
  }
}`

type roll struct {
	Dice     []int                  `json:"dice"`
	Modifier int                    `json:"modifier"`
	Pool     *struct{ Blank int }   `json:"pool"`
	Ships    []struct{ Named bool } `json:"ships"`
	Options  struct {
		LowRoll string `json:"low_roll"`
	} `json:"options"`
}

func rollProcedure() rules.Procedure {
	files := fstest.MapFS{"schema/test.roll.input.schema.json": {Data: []byte(rollSchema)},
		"schema/test.roll.output.schema.json": {}}
	return rules.NewProcedure(files, "test.roll", "Roll two dice", func(in roll) (roll, rules.Findings) {
		var f rules.Findings
		if in.Modifier < 0 {
			f.Violate("TEST-1", "the modifier is negative")
			f.Violate("TEST-2", "so the roll is void")
		}
		f.Cite("TEST-3", "rolled %v", in.Dice)
		return in, f
	})
}

func TestAdjudicateDefaultsAndNumbers(t *testing.T) {
	r := Adjudicate(rollProcedure(), []byte(` {"dice":[3.0, 20e-1], "ships":[{}]} `))
	if !r.OK {
		t.Fatalf("refused: %+v", r.Violations)
	}
	in := r.Outcome.(roll)
	if in.Dice[0] != 3 || in.Dice[1] != 2 {
		t.Errorf("dice %v", in.Dice)
	}
	if in.Modifier != 4 || in.Options.LowRoll != "column_2" || !in.Ships[0].Named {
		t.Errorf("defaults are missing: %+v", in)
	}
	if in.Pool != nil {
		t.Error("an absent pool was made up")
	}
}

func TestRulingJSON(t *testing.T) {
	p := rollProcedure()
	for request, want := range map[string]string{
		`{"dice":[1,2],"modifier":-1}`: `{"procedure":"test.roll","ok":false,"error":{"rule":"TEST-1","message":"the ` +
			`modifier is negative",` +
			`"violations":[{"rule":"TEST-1","message":"the modifier is negative"},{"rule":"TEST-2","message":"so the ` +
			`roll is void"}]}}`,
		`{"dice":[1,2],"modifier":0}`: `{"procedure":"test.roll","ok":true,"outcome":{"dice":[1,2],"modifier":0,` +
			`"pool":null,"ships":null,` +
			`"options":{"low_roll":"column_2"}},"derivation":[{"rule":"TEST-3","step":"rolled [1 2]"}]}`,
	} {
		got, err := json.Marshal(Adjudicate(p, []byte(request)))
		if err != nil {
			t.Fatal(err)
		}
		if string(got) != want {
			t.Errorf("%s\n got %s\nwant %s", request, got, want)
		}
	}
	if _, err := json.Marshal(rules.Ruling{Procedure: "test.roll"}); err == nil {
		t.Error("a refusal without a rule was printed")
	}
	got, err := json.Marshal(rules.Ruling{Procedure: "test.roll", OK: true})
	if err != nil || !strings.Contains(string(got), `"derivation":[]`) {
		t.Errorf("an empty derivation prints as %s, %v", got, err)
	}
}

// TestAdjudicateInput is GEN-INPUT: what is not understood is refused as INPUT, with the
// place and what is expected there.
func TestAdjudicateInput(t *testing.T) {
	p := rollProcedure()
	for _, c := range []struct{ request, message string }{
		{``, "the request is empty; a JSON object is expected"},
		{`null`, "the request: null is given, object is expected"},
		{`[]`, "the request: array is given, object is expected"},
		{`{"dice":[1,2]`, "the request breaks off at byte 13; a whole JSON object is expected"},
		{`{"dice":[1,2],}`, "the request is not JSON"},
		{`{"dice":[1,2]} {}`, "something follows the request"},
		{`{"dice":[1,2]} x`, "something follows the request"},
		{"{\"dice\":[1,2],\"side\":\"\xff\"}", "the request is not UTF-8 text"},
		{`{"dice":[1,2],"dice":[1,2]}`, "/dice: given twice"},
		{`{"dice":[1,2],"options":{"low_roll":"column_2","low_roll":"column_2"}}`, "/options/low_roll: given twice"},
		{`{}`, "the request: missing: dice"},
		{`{"dice":[1,7]}`, "/dice/1: 7 is given, at most 6 is expected"},
		{`{"dice":[0,1]}`, "/dice/0: 0 is given, at least 1 is expected"},
		{`{"dice":[1]}`, "/dice: 1 given, at least 2 expected"},
		{`{"dice":[1,1,1]}`, "/dice: 3 given, at most 2 expected"},
		{`{"dice":[1,1.5]}`, "/dice/1: number is given, integer is expected"},
		{`{"dice":[1,"2"]}`, "/dice/1: string is given, integer is expected"},
		{`{"dice":[1,null]}`, "/dice/1: null is given, integer is expected"},
		{`{"Dice":[1,2]}`, `no such field: "Dice"`},
		{`{"dice":[1,2],"side":"neutral"}`, `/side: "neutral" is unknown, expected is one of "axis", "allies"`},
		{`{"dice":[1,2],"options":{"lowroll":"column_2"}}`, `/options: no such field: "lowroll"`},
		{`{"dice":[1,2],"modifier":1e999999999}`, "/modifier: 1e999999999 is no figure of a game"},
		{`{"dice":[1,2],"modifier":1000001}`, "/modifier: 1000001 is no figure of a game"},
		{`{"dice":[1,2],"modifier":` + strings.Repeat("9", 100000) + `}`,
			"/modifier: 99999999999999999999 is no figure of a game"},
		{strings.Repeat(`[`, 100000), "nested more than 16 deep"},
		{strings.Repeat(`{"a":`, 100000), "nested more than 16 deep"},
		{`"` + strings.Repeat("x", maxRequest) + `"`, "1048576 are enough"},
	} {
		r := Adjudicate(p, []byte(c.request))
		name := c.request[:min(len(c.request), 50)]
		if r.OK || r.Rule() != rules.Input {
			t.Errorf("%s: ok %v under %q", name, r.OK, r.Rule())
			continue
		}
		if !strings.Contains(messages(r), c.message) {
			t.Errorf("%s: says\n%swant\n%s", name, messages(r), c.message)
		}
	}
}

func messages(r rules.Ruling) string {
	var b strings.Builder
	for _, v := range r.Violations {
		b.WriteString(v.Message + "\n")
	}
	return b.String()
}

func TestAdjudicateNamesEveryField(t *testing.T) {
	r := Adjudicate(rollProcedure(), []byte(`{"dice":[0,9],"side":1}`))
	if len(r.Violations) != 3 || r.Violations[0].Field != "/dice/0" || r.Violations[2].Field != "/side" {
		t.Errorf("violations %+v", r.Violations)
	}
}
