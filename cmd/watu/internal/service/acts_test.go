package service

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/watu-ledger/watu/cmd/watu/internal/timeline"
	"github.com/watu-ledger/watu/fixtures"
	"github.com/watu-ledger/watu/replay/campaign"
	"github.com/watu-ledger/watu/replay/turnfile"
)

// Where nothing is hidden, each act of a campaign is for one side to enter, or for the umpire alone; and however the
// entries are shared out, the figures are the same.
func TestSidesEnterTheirActs(t *testing.T) {
	t.Parallel()
	k := straits()
	together, alone := began(t), began(t)
	play(t, alone, k)
	opened(t, together, k)
	by := map[string]int{}
	for _, file := range k.Files {
		if file.Kind != fixtures.Turn {
			submitted(t, together, k, file)
			continue
		}
		parsed, err := turnfile.Parse(file.Name, file.Data, campaign.Verbs(together.System(k.System)))
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range parsed.Entries {
			by[enteredBy(t, together, k, e)]++
		}
	}
	if t.Log(by); len(by) != 6 {
		t.Errorf("entered by %v: not by every side, or by all for the umpire", by)
	}
	for _, view := range []string{"income", "situation"} {
		one, err := alone.View(t.Context(), k.Name, umpire, view, "")
		two, err2 := together.View(t.Context(), k.Name, umpire, view, "")
		x, _ := json.Marshal(one)
		if y, _ := json.Marshal(two); err != nil || err2 != nil || !bytes.Equal(x, y) {
			t.Errorf("%s: %v %v\n%s\n%s", view, err, err2, x, y)
		}
	}
}

func straits() fixtures.Campaign {
	all := fixtures.Campaigns()
	return all[slices.IndexFunc(all, func(k fixtures.Campaign) bool { return k.Name == "straits-1942" })]
}

// enteredBy enters an entry for the one side whose act it is; for the umpire where it is no side's.
func enteredBy(t *testing.T, f *Service, k fixtures.Campaign, e turnfile.Entry) (by string) {
	t.Helper()
	id := e.ID[strings.LastIndex(e.ID, "/")+1:]
	var members map[string]json.RawMessage
	if err := json.Unmarshal(e.Body, &members); err != nil {
		t.Fatal(err)
	}
	members["id"], _ = json.Marshal(id)
	text, _ := json.Marshal(members)
	viewers := []timeline.Viewer{{As: timeline.Umpire}}
	var sides []string
	for _, s := range k.Seats {
		sides = append(sides, s.Sides...)
	}
	for _, side := range sides {
		var out Submitted
		err := into(&out)(f.Submit(t.Context(), k.Name, timeline.Viewer{As: side},
			Submission{Text: string(text), Entry: true, Check: true}))
		if err == nil && out.Problem == nil {
			viewers = append(viewers, timeline.Viewer{As: side})
		}
	}
	if len(viewers) > 2 && e.Verb != "dispute" && e.Verb != "statement" && e.Verb != "evidence" {
		t.Errorf("%s is for %v to enter", text, viewers)
	}
	v := viewers[len(viewers)-1]
	var out Submitted
	if err := into(&out)(f.Submit(t.Context(), k.Name, v, Submission{Text: string(text), Entry: true})); err != nil ||
		out.Problem != nil {
		t.Fatalf("%s by %s: %v %v", text, v.As, err, out.Problem)
	}
	if v.As == timeline.Umpire {
		return ""
	}
	return v.As
}

// A side enters nothing of another, nothing that is the umpire's, and nothing that is warned of.
func TestWhatASideMayNotEnter(t *testing.T) {
	t.Parallel()
	f := began(t)
	k := straits()
	opened(t, f, k)
	said := func(as, text string) string {
		var out Submitted
		err := into(&out)(f.Submit(t.Context(), k.Name, timeline.Viewer{As: as}, Submission{Text: text, Entry: true}))
		if err != nil {
			return err.Error()
		}
		if out.Problem != nil {
			return out.Problem.Error()
		}
		return "heard"
	}
	for _, c := range []struct{ as, text, want string }{
		{"Russia", "{turn: Round 1}", "no act of Russia alone"},
		{timeline.Umpire, "{turn: Round 1}", "heard"},
		{"Russia", "{facts: {submarines: {Germany: {SZ 8: 0}}}}", "for the umpire to enter"},
		{"Germany", "{facts: {submarines: {Germany: {SZ 8: 9}}}}", "for the umpire to enter"},
		{timeline.Umpire, "{facts: {submarines: {Germany: {SZ 8: 1}}, treasury: {Russia: 24, Germany: 40}}}", "heard"},
		{"Germany", "{purchase: {power: Russia, units: {infantry: 1}}}", "Germany does not speak for Russia"},
		{"Japan", "{purchase: {power: Germany, units: {infantry: 1}}}", "Japan does not speak for Germany"},
		{"Russia", "{phase: purchase units, player: Russia}", "no act of Russia alone"},
		{"Russia", "{purchase: {power: Russia, units: {infantry: 1}}}", "heard"},
		{"Germany", "{purchase: {power: Germany, units: {infantry: 1}}}", "the TURN of Russia in Round 1 ends"},
		{"Russia", "{mobilize: {power: Russia, units: {Russia: {infantry: 1}}}}", "heard"},
		{"Russia", "{collect income: Russia}", "heard"},
		{"UK", "{purchase: {power: UK, units: {infantry: 1}}}", "Germany has not had one"},
		{"Germany", "{purchase: {power: Germany, units: {infantry: 1}}}", "heard"},
		{"Germany", "{aa fire: {at: UK, attacker: Germany, aircraft: {bombers: 1}}}", "dice of UK fall in it"},
		{"Germany", "{sub detection: {zone: SZ 8, attacker: Germany, destroyers: {UK: 1}}}", "dice of UK fall in it"},
		{"Germany", "{sub detection: {zone: SZ 8, attacker: Germany}}", "no destroyer hunts in it"},
		{"Russia", "{roll: {dice: 1d6, for: nothing, side: Germany}}", "Russia does not speak for Germany"},
		{"Russia", "{roll: {dice: 1d6, for: nothing}}", "name the power"},
		{"Russia", "{undo: 9, reason: no}", ""},
		{"Russia", "{compensate: {treasury: {Russia: 30}}, reason: mine}", "for the umpire to say"},
		{timeline.Public, "{collect income: Germany}", "only looks"},
		{timeline.Commentator, "{collect income: Germany}", "only looks"},
	} {
		before, _ := f.Find(k.Name)
		said := said(c.as, c.text)
		after, _ := f.Find(k.Name)
		if !strings.Contains(said, c.want) || said != "heard" && before.Events != after.Events {
			t.Errorf("%s says %s: %s, want %s", c.as, c.text, said, c.want)
		}
	}
}
