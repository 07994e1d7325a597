package web

import (
	"html"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"testing"

	"github.com/watu-ledger/watu/cmd/watu/internal/service"
	"github.com/watu-ledger/watu/replay"
	"github.com/watu-ledger/watu/replay/campaign"
)

// picks gives the buttons of forms that are open to a side, and those that are folded.
func picks(body string) (now, later string) {
	_, picks, _ := strings.Cut(body, `<div id="picks" data-live>`)
	picks, _, _ = strings.Cut(picks, "</div>")
	now, later, _ = strings.Cut(picks, "<details>")
	return now, later
}

// TestSideIsOfferedWhatIsDue: a side has forms of what its own powers may ever enter; those open by which the rules
// would not refuse everything now, by the order of TURNS and phases and by what it has. A unit's price stands beside
// it, and what the units come to; what is placed is offered as it was bought.
func TestSideIsOfferedWhatIsDue(t *testing.T) {
	t.Parallel()
	d := open(t, Options{})
	umpire := d.begin(replay.NewCampaign{System: "aar", Seats: []campaign.Seat{
		{Name: "Anna", Sides: []string{"Germany", "Japan"}}, {Name: "Ben", Sides: []string{"Russia", "UK", "US"}}}})
	d.send(umpire, url.Values{"do": {"enter"}, "text": {"turn: Round 1"}})
	offered := func(as string, now, later, never []string) {
		t.Helper()
		body := d.sees(d.token("west", as))
		first, folded := picks(body)
		for _, x := range []struct {
			verbs []string
			in    [2]bool
		}{{now, [2]bool{true, false}}, {later, [2]bool{false, true}}, {never, [2]bool{false, false}}} {
			for _, verb := range x.verbs {
				button := `name="form" value="` + verb + `"`
				if in := [2]bool{strings.Contains(first, button), strings.Contains(folded, button)}; in != x.in {
					t.Errorf("%s has %s now, and folded: %v", as, verb, in)
				}
			}
		}
	}
	dday := []string{"declare d-day", "d-day"}
	offered("Russia", []string{"purchase", "sbr", "collect income", "roll"}, []string{"mobilize", "rockets"}, dday)
	offered("Germany", []string{"aa fire", "roll"}, []string{"purchase", "collect income"}, dday)
	offered("UK", nil, []string{"declare d-day"}, []string{"d-day"})
	russia := d.token("west", "Russia")
	form := url.Values{"form": {"purchase"}, "f/purchase/units/0/name": {"destroyer"}, "f/purchase/units/0/is": {"1"}}
	for _, token := range []string{russia, umpire} { // what holds for every power, before one is named
		body := d.send(token, form).Body.String()
		for _, says := range []string{`"destroyer" selected>destroyer, 8 IPCs</option>`, "comes to 8 IPCs"} {
			if !strings.Contains(body, says) {
				t.Errorf("without %q:\n%s", says, body)
			}
		}
	}
	form.Del("form")
	form.Set("verb", "purchase")
	form.Set("do", "enter-form")
	form.Set("f/purchase/power", "Russia")
	if w := d.send(russia, form); w.Code != http.StatusOK {
		t.Fatalf("%d %s", w.Code, w.Body)
	}
	offered("Russia", []string{"mobilize"}, nil, dday)
	body := d.send(russia, url.Values{"form": {"mobilize"}}).Body.String()
	if !strings.Contains(body, `<option value="destroyer">destroyer, 1 bought</option><option>infantry</option>`) {
		t.Errorf("what was bought is not offered first:\n%s", body)
	}
	d.post(service.Submission{Text: "entries:\n  - {id: r, collect income: Russia}\n"}, &service.Submitted{},
		"campaigns", "west", "submissions")
	offered("Russia", nil, []string{"purchase", "collect income"}, dday)
	body = d.send(d.token("west", "UK"), url.Values{"form": {"declare d-day"}}).Body.String()
	if !strings.Contains(body, `<option selected>France</option>`) {
		t.Errorf("the target of D-Day does not stand there:\n%s", body)
	}
	body = d.send(umpire, url.Values{"form": {"sbr"}, "f/sbr/attacker": {"UK"}}).Body.String()
	for _, says := range []string{"<b>strategic bombing raid (sbr)</b>", "Germany, held by Germany"} {
		if !strings.Contains(body, says) {
			t.Errorf("without %q:\n%s", says, body)
		}
	}
}

// TestLinkLeadsToTheDesk: the link of a seat leads to where its player acts, as the side that is asked if it is his.
func TestLinkLeadsToTheDesk(t *testing.T) {
	t.Parallel()
	d := open(t, Options{})
	d.post(replay.NewCampaign{Name: "quiet", System: "awaw", Seed: "two", Seats: []campaign.Seat{
		{Name: "Anna", Sides: []string{"Britain", "Japan"}}}}, &service.Opened{}, "campaigns")
	holds := d.asked()
	asked := "/campaigns/west/desk?as=European+Axis"
	for _, x := range []struct{ link, to string }{
		{holds["Britain"], "/campaigns/west/desk"}, {holds["umpire"], "/campaigns/west/desk"},
		{holds["European Axis"], asked}, {holds["European Axis"] + "." + holds["Japan"], asked},
		{d.token("quiet", "Britain") + "." + d.token("quiet", "Japan"), "/campaigns/quiet/desk"},
		{d.token("quiet", "commentator"), "/campaigns/quiet"},
	} {
		if w := d.enter(x.link, here, false); w.Header().Get("Location") != x.to {
			t.Errorf("%d to %q, not to %q", w.Code, w.Header().Get("Location"), x.to)
		}
	}
}

// TestLinkLeadsToWhoseTurnItIs: where nobody is asked, the link of a seat with several powers leads to the desk of the
// one in whose phase the campaign is, or behind its income to that of the next one.
func TestLinkLeadsToWhoseTurnItIs(t *testing.T) {
	t.Parallel()
	for _, x := range []struct {
		system, begins, acts string
		sides                []string // that the seat holds, and whose turn it is after both
		first, then          string
	}{
		{"aar", "turn: Round 1\nentries:\n  - {id: r, collect income: Russia}", "{id: g, collect income: Germany}",
			[]string{"Germany", "UK", "Japan"}, "Germany", "UK"},
		{"aar", "turn: Round 1", "{id: p, phase: combat move, player: Japan}",
			[]string{"Russia", "Japan", "US"}, "Russia", "Japan"},
		{"g40", "turn: Round 1\nentries:\n  - {id: p, phase: collect income, player: UK}",
			"{id: u, collect income: UK Europe}", []string{"UK", "Italy"}, "UK", "UK"},
	} {
		d := open(t, Options{})
		umpire := d.begin(replay.NewCampaign{System: x.system, Seats: []campaign.Seat{{Name: "Ann", Sides: x.sides}}})
		var tokens []string
		for _, side := range x.sides {
			tokens = append(tokens, d.token("west", side))
		}
		link := strings.Join(tokens, ".")
		for _, step := range []struct{ text, as string }{{x.begins, x.first}, {x.acts, x.then}} {
			d.enters(umpire, step.text)
			want := "/campaigns/west/desk?as=" + step.as
			if w := d.enter(link, here, false); w.Header().Get("Location") != want {
				t.Errorf("%s, behind %q: to %q, not to %q", x.system, step.text, w.Header().Get("Location"), want)
			}
		}
	}
}

// TestRuleIsChosenByItsTitle: a dispute names a rule that is chosen by its title.
func TestRuleIsChosenByItsTitle(t *testing.T) {
	t.Parallel()
	d := open(t, Options{})
	umpire := d.begin(replay.NewCampaign{System: "aar"})
	d.send(umpire, url.Values{"do": {"enter"}, "text": {"turn: Round 1\nfacts: {control: {France: UK}}"}})
	const cap = "AAR-4-CAP, raids stop at the territory&#39;s value"
	if body := d.sees(umpire); !strings.Contains(body, `<option value="`+cap+`">`) {
		t.Fatalf("no rule is proposed by its title: %s", body)
	}
	w := d.send(umpire, url.Values{"do": {"dispute"}, "claim": {"No."}, "other": {html.UnescapeString(cap)},
		"event": {strconv.FormatUint(d.events()-1, 10)}})
	if at := w.Header().Get("Location"); !strings.HasPrefix(at, "/campaigns/west/disputes/") {
		t.Errorf("%d %s", w.Code, w.Body)
	}
}
