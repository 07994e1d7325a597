package awaw

import (
	"fmt"
	"strings"
	"testing"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/rules"
	"github.com/watu-ledger/watu/rules/internal/rulestest"
)

// TestBaseRecorded: the port from which a harbor attack is made is in its result, in firm editions alone; no box is.
func TestBaseRecorded(t *testing.T) {
	for edition, bases := range map[string][2]string{"4": {}, "5": {"Kiel", ""}} {
		c := rulestest.OpenOn(t, System(), edition, nil, nil)
		c.Stand("turn", `{"turn":"Winter 1941"}`)
		c.Stand("facts", `{"facts":{"harbor results":{"Germany":["7","7"]}}}`)
		for i, from := range []string{`"Kiel","distance":9`, `"Atlantic SW box","front":"western"`} {
			o := c.Stand("harbor attack", fmt.Sprintf(`{"harbor attack":{"port":"Port %d","theater":"Europe",`+
				`"by":"submarine","attacker":"Germany","defender":"Britain","result":"7","targets":["Ship %d"],`+
				`"from":%s}}`, i, i, from))
			p := o.Drafts[len(o.Drafts)-1].Payload.(*events.ResultAdjudicated)
			if base, said := figureNamed(p.Figures, figureBase); base.Text != bases[i] || said != (bases[i] != "") {
				t.Errorf("edition %s, from %s: base %q", edition, from, base.Text)
			}
		}
	}
}

// TestBombersLeft: no more bombers are over a target than the air combat of the same entry left, where the campaign
// reads the first number of 24.62 as a loss (AMB-AWAW-5).
func TestBombersLeft(t *testing.T) {
	for _, x := range []struct {
		edition, meaning string
		lost             bool
	}{{"4", "eliminated_inverted", false}, {"5", "eliminated_inverted", true}, {"5", "unlabelled", false}} {
		c := rulestest.OpenOn(t, System(), x.edition, nil, map[string]string{"result_meaning": x.meaning})
		c.Stand("turn", `{"turn":"Winter 1941"}`)
		o := c.Stand("strategic bombing", `{"strategic bombing":{"target":"Essen","attacker":"Britain",`+
			`"defender":"Germany","air combat":{"attacker":12,"defender":20},"bombers":12,"defense":{"cities":1}}}`)
		var results []*events.ResultAdjudicated
		for _, draft := range o.Drafts {
			if p, is := draft.Payload.(*events.ResultAdjudicated); is {
				results = append(results, p)
			}
		}
		over, lost := results[1].Readings[0].Factors, results[0].Readings[1].First
		if want := 12 - lost*oneIf(x.lost); lost == 0 || over != want {
			t.Errorf("edition %s, %s: %d are over Essen, want %d of 12 less %d", x.edition, x.meaning, over, want, lost)
		}
		c.Stand("strategic bombing", `{"strategic bombing":{"target":"Kiel","attacker":"Britain",`+
			`"defender":"Germany","air combat":{"attacker":12,"defender":1}}}`)
		o, _ = c.Judge(rules.Command{ID: "x", Verb: "strategic bombing", Body: []byte(`{"strategic bombing":{` +
			`"target":"Kiel","attacker":"Britain","defender":"Germany","bombers":13,"defense":{}}}`)})
		said, want := fmt.Sprint(o.Violations, o.Warnings), "12 fought the air combat there (event"
		if x.meaning == "eliminated_inverted" {
			want = "the air combat there left "
		}
		if !strings.Contains(said, want) {
			t.Errorf("edition %s, %s: %s, want %q", x.edition, x.meaning, said, want)
		}
	}
}

// TestNotHalf: what a firm edition refuses it refuses before anything is asked or thrown, though the entry lists
// neither cards nor targets.
func TestNotHalf(t *testing.T) {
	c := dealt(t, "5")
	c.Stand("facts", `{"facts":{"harbor results":{"Britain":["7","7"]}}}`)
	attack := func(by, from, more string) string {
		return fmt.Sprintf(`{"harbor attack":{"port":"Genoa","theater":"Europe","by":%q,"attacker":"Britain",`+
			`"defender":"Italy","result":"7","from":%q,"distance":3%s}}`, by, from, more)
	}
	c.Stand("harbor attack", fmt.Sprintf(boarded, "Genoa", "Britain", "Italy", "Eagle", "Cavour"))
	for _, body := range []string{
		attack("carrier", "Malta", `,"carrier":"Argus","in harbor":["Cavour","Doria"]`),
		attack("submarine", "Malta", `,"combat groups":{"A":["Doria"],"B":["Zara"]}`),
		attack("submarine", "genoa", `,"combat groups":{"A":["Doria"],"B":["Zara"]}`),
	} {
		o, _ := c.Judge(rules.Command{ID: "x", Verb: "harbor attack", Body: []byte(body)})
		if o.Verdict != rules.Refused {
			t.Errorf("%s: %s", body, o.Verdict)
		}
	}
}
