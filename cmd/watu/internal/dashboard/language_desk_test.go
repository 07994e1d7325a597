package dashboard

import (
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"github.com/watu-ledger/watu/cmd/watu/internal/access"
	"github.com/watu-ledger/watu/cmd/watu/internal/readers"
	"github.com/watu-ledger/watu/cmd/watu/internal/service"
	"github.com/watu-ledger/watu/cmd/watu/internal/timeline"
	"github.com/watu-ledger/watu/fixtures"
	"github.com/watu-ledger/watu/replay"
	"github.com/watu-ledger/watu/replay/campaign"
	"github.com/watu-ledger/watu/rules"
	"github.com/watu-ledger/watu/rules/all"
)

// seenBy gives the pages as somebody sees them.
func (t theatre) seenBy(as string) *Dashboard {
	return New(t.service, func(_ *http.Request, campaign string) (timeline.Viewer, error) {
		return t.service.Viewer(campaign, as)
	}, readers.New(readers.Options{}))
}

// sent sends a form to a desk, and reads the page that answers in German.
func sent(t *testing.T, d *Dashboard, campaign string, form url.Values) *html.Node {
	t.Helper()
	r := httptest.NewRequest(http.MethodPost, "/campaigns/"+campaign+"/desk?lang=de", strings.NewReader(form.Encode()))
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	w := httptest.NewRecorder()
	d.ServeHTTP(w, r)
	if to := w.Header().Get("Location"); to != "" {
		return read(t, d, to)
	}
	doc, err := html.Parse(w.Body)
	if err != nil {
		t.Fatal(err)
	}
	for _, fault := range faults(doc) {
		t.Errorf("%v: %s", form, fault)
	}
	return doc
}

// TestGermanDesk: the desk in German has no English but that of the record, of refusals and of declarations: each
// form, what is checked, asked, disputed, corrected and taken back, for each who sits there; and so has the login.
func TestGermanDesk(t *testing.T) {
	t.Parallel()
	stage, err := newTheatre()
	if err != nil {
		t.Fatal(err)
	}
	english, german := vocabulary(t, "en"), vocabulary(t, "de")
	own := strings.NewReplacer("West", "·", "watu play", "·")
	holds := func(what string, doc *html.Node) { t.Helper(); germanOnly(t, what, doc, own, english, german) }
	for _, s := range all.Systems() {
		n := replay.NewCampaign{Name: "west-" + s.Name, System: s.Name, Seed: "one"}
		for _, k := range fixtures.Campaigns() {
			for _, f := range k.Board {
				if k.System == s.Name && len(n.Board) < len(k.Board) {
					n.Board = append(n.Board, rules.BoardFile(f))
				}
			}
		}
		if err := stage.post(n, &service.Opened{}, "campaigns"); err != nil {
			t.Fatal(err)
		}
		for _, v := range campaign.Verbs(s) {
			holds(s.Name+" "+v.Key, sent(t, stage.seenBy(timeline.Umpire), "west-"+s.Name, url.Values{"form": {v.Key}}))
		}
	}
	if err := stage.post(replay.NewCampaign{Name: "west", System: "awaw", Seed: "one", Seats: []campaign.Seat{
		{Name: "Anna", Sides: []string{"Britain"}}, {Name: "Karl", Sides: []string{"European Axis"}}}},
		&service.Opened{}, "campaigns"); err != nil {
		t.Fatal(err)
	}
	umpire := stage.seenBy(timeline.Umpire)
	for _, x := range []url.Values{
		{"do": {"check"}, "text": {"turn: Spring 1940\nfacts: {cves: {Mars: 7}}"}},
		{"do": {"check"}, "text": {"turn: Spring 1940\nentries:\n  - {id: draw, draw: Ultra}"}},
		{"do": {"enter"}, "text": {"turn: Spring 1940\nfacts: {cves: {Atlantic: 7}}\nentries:\n" +
			"  - {id: draw, draw: Ultra}\n  - {id: a, submarine warfare: {box: Atlantic, submarines: 8, asw: 34}}"}},
		{"do": {"dispute"}, "event": {"6"}, "claim": {"nine were there"}},
		{"do": {"preview"}, "event": {"6"}, "text": {"code: typo\nreason: x\nreplace: {facts: {cves: {Atlantic: 9}}}"}},
		{"do": {"undo"}, "event": {"6"}, "reason": {"a slip"}, "after": {"7"}},
		{"do": {"invite"}, "seat": {"Karl"}},
	} {
		holds(x.Encode(), sent(t, umpire, "west", x))
	}
	for _, as := range []string{timeline.Umpire, timeline.Public, "Britain", "European Axis", "Japan"} {
		holds("for "+as, read(t, stage.seenBy(as), "/campaigns/west/desk?lang=de"))
	}
	w := httptest.NewRecorder()
	umpire.Login(w, httptest.NewRequest(http.MethodGet, "/login?lang=de", nil), http.StatusOK, access.Login{
		Held: []access.HeldToken{{Campaign: "west", Viewer: timeline.Viewer{As: "Britain"}}}})
	doc, err := html.Parse(w.Body)
	if err != nil {
		t.Fatal(err)
	}
	holds("the login", doc)
}
