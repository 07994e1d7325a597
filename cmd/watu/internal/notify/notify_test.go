package notify

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/watu-ledger/watu/cmd/watu/internal/maintenance"
	"github.com/watu-ledger/watu/cmd/watu/internal/service"
	"github.com/watu-ledger/watu/cmd/watu/internal/timeline"
	"github.com/watu-ledger/watu/replay"
	"github.com/watu-ledger/watu/replay/campaign"
)

// ground is a ledger, and a webhook that answers with what is to come next: else with 200.
type ground struct {
	*testing.T
	*service.Service
	hook  *httptest.Server
	heard chan string

	mu    sync.Mutex
	codes []int
}

func newGround(t *testing.T) *ground {
	t.Helper()
	f, err := service.New(maintenance.Open(t.Context(), filepath.Join(t.TempDir(), "ledger"),
		maintenance.Options{Begin: true}))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = f.Close() })
	g := &ground{T: t, Service: f, heard: make(chan string, 100)}
	g.hook = httptest.NewServer(g)
	t.Cleanup(g.hook.Close)
	return g
}

func (g *ground) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	text, _ := io.ReadAll(r.Body)
	g.mu.Lock()
	code := http.StatusOK
	if len(g.codes) > 0 {
		code, g.codes = g.codes[0], g.codes[1:]
	}
	g.mu.Unlock()
	w.WriteHeader(code)
	g.heard <- string(text)
}

// next is what the webhook hears next.
func (g *ground) next() (x Notice) {
	g.Helper()
	select {
	case text := <-g.heard:
		if err := json.Unmarshal([]byte(text), &x); err != nil {
			g.Fatalf("%v: %s", err, text)
		}
	case <-time.After(time.Minute):
		g.Fatal("nothing is posted")
	}
	return x
}

// asks begins a campaign in which the European Axis is asked for a card.
func (g *ground) asks(name string) {
	g.Helper()
	if _, err := g.OpenCampaign(replay.NewCampaign{Name: name, System: "awaw", Seed: "one",
		Seats: []campaign.Seat{{Name: "Anna", Sides: []string{"Britain"}}}}); err != nil {
		g.Fatal(err)
	}
	g.submit(name, "turn: Spring 1940\nentries:\n  - {id: draw, draw: Ultra}\n  - {id: raid, submarine warfare: "+
		"{box: Atlantic, submarines: 8, asw: 34, cves: 0}}\n")
}

func (g *ground) submit(name, text string) {
	g.Helper()
	done, err := g.Submit(g.Context(), name, timeline.Viewer{As: timeline.Umpire},
		service.Submission{Text: text, Entry: strings.HasPrefix(text, "{")})
	if err != nil || done.Problem != nil {
		g.Fatal(err, done.Problem)
	}
}

// Of each campaign it is said for whom it waits, in the words of the public's page; and when nobody has to answer.
func TestNotices(t *testing.T) {
	g := newGround(t)
	g.codes = []int{503, 429}
	n := Begin(g.Service, Options{URL: g.hook.URL, Site: "https://games.example", Pause: time.Millisecond})
	defer n.Close()
	g.asks("west")
	x := g.next()
	if again := g.next(); again != x || g.next() != x {
		t.Errorf("tried again, %+v is %+v", x, again)
	}
	if x.State != Waits || x.Campaign != "west" || x.Side != "European Axis" || x.Event == 0 || x.Rule == "" ||
		x.Content != x.Text || x.Text != "West: European Axis must answer: "+x.Question+" "+x.Link ||
		x.Link != "https://games.example/campaigns/west" {
		t.Errorf("%+v", x)
	}
	g.submit("west", "{answer: {European Axis: pass}}")
	if x = g.next(); x.State != Waits || x.Side != "Britain" {
		t.Errorf("%+v", x)
	}
	g.submit("west", "{answer: {Britain: pass}}")
	if x = g.next(); x.State != Settled || x.Side != "Britain" || !strings.Contains(x.Text, "nothing to answer") {
		t.Errorf("%+v", x)
	}
}

// A webhook that refuses is asked once, and one that is away no more often than is set; what comes next is posted.
func TestGivesUp(t *testing.T) {
	g := newGround(t)
	g.codes = []int{404, 500, 500, 500}
	n := Begin(g.Service, Options{URL: g.hook.URL, Tries: 3, Pause: time.Millisecond})
	defer n.Close()
	g.asks("refused")
	if x := g.next(); x.Campaign != "refused" || x.Link != "" {
		t.Errorf("%+v", x)
	}
	g.asks("away")
	for range 3 {
		if x := g.next(); x.Campaign != "away" {
			t.Errorf("%+v", x)
		}
	}
	g.asks("there")
	if x := g.next(); x.Campaign != "there" {
		t.Errorf("%+v", x)
	}
}

// Nobody waits for a webhook: while it does not answer, play goes on, and it can be closed. Who begins anew says
// nothing of what waited before, and says when that is answered.
func TestNobodyWaits(t *testing.T) {
	g := newGround(t)
	came, leave := make(chan struct{}), make(chan struct{})
	hung := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {
		came <- struct{}{}
		<-leave
	}))
	defer hung.Close()
	defer close(leave)
	n := Begin(g.Service, Options{URL: hung.URL})
	g.asks("west")
	<-came
	g.submit("west", "{answer: {European Axis: pass}}")
	n.Close()
	n = Begin(g.Service, Options{URL: g.hook.URL})
	defer n.Close()
	g.submit("west", "{dispute: {event: 3, claim: it is not so}}")
	for _, name := range []string{"north", "south"} { // when the second is posted, all were looked at with the first
		g.asks(name)
		if x := g.next(); x.Campaign != name {
			t.Errorf("%+v", x)
		}
	}
	g.submit("west", "{answer: {Britain: pass}}")
	if x := g.next(); x.Campaign != "west" || x.State != Settled {
		t.Errorf("%+v", x)
	}
}

func TestParseURL(t *testing.T) {
	for _, text := range []string{"", "chat.example", "ftp://chat.example/", "https://"} {
		if u, err := ParseURL(text); err == nil {
			t.Errorf("%q is %q", text, u)
		}
	}
	if u, err := ParseURL("https://chat.example/hooks/x"); err != nil || u != "https://chat.example/hooks/x" {
		t.Error(u, err)
	}
}
