package web_test

import (
	"io"
	"net/http"
	"path/filepath"
	"testing"

	"github.com/watu-ledger/watu/cmd/watu/internal/api"
	"github.com/watu-ledger/watu/cmd/watu/internal/delta"
	"github.com/watu-ledger/watu/cmd/watu/internal/maintenance"
	"github.com/watu-ledger/watu/cmd/watu/internal/service"
	"github.com/watu-ledger/watu/cmd/watu/internal/timeline"
	"github.com/watu-ledger/watu/cmd/watu/internal/web"
	"github.com/watu-ledger/watu/fixtures"
	"github.com/watu-ledger/watu/fixtures/longrun"
)

// stage is a ledger of its own, in which campaigns unfold an entry at a time.
func stage(t testing.TB) *ground {
	t.Helper()
	f, err := service.New(maintenance.Open(t.Context(), filepath.Join(t.TempDir(), "ledger"),
		maintenance.Options{Begin: true, Say: func(string) {}}))
	if err != nil {
		t.Fatal(err)
	}
	g := &ground{service: f, client: api.InProcess(f)}
	s, err := web.Listen(web.Options{Address: "127.0.0.1:0"})
	if err != nil {
		t.Fatal(err)
	}
	s.Serve(f)
	t.Cleanup(func() {
		_ = s.Close()
		_ = g.client.Close()
	})
	g.url = s.URL()[:len(s.URL())-1]
	return g
}

// unfold plays a campaign entry by entry, calls after when events were recorded, and says how many there are.
func (g *ground) unfold(t testing.TB, k fixtures.Campaign, after func(events uint64)) uint64 {
	t.Helper()
	if err := g.open(t.Context(), k); err != nil {
		t.Fatal(err)
	}
	was := uint64(0)
	look := func() {
		there, err := g.service.Extent(k.Name)
		if err != nil {
			t.Fatal(err)
		}
		if there.Events != was {
			was = there.Events
			after(was)
		}
	}
	look()
	for _, file := range k.Files {
		if file.Kind != fixtures.Turn {
			if err := g.hear(t.Context(), k.Name, file); err != nil {
				t.Fatal(err)
			}
			look()
			continue
		}
		sent := service.Submission{Name: file.Name, Text: string(file.Data), Most: 1}
		for {
			var done service.Submitted
			if err := g.client.Post(t.Context(), sent, &done, "campaigns", k.Name, "submissions"); err != nil {
				t.Fatal(err)
			}
			look()
			if done.Problem != nil || len(done.NotHeard) == 0 {
				break
			}
		}
	}
	return was
}

// token gives out one by which a campaign is looked at as somebody.
func (g *ground) token(t testing.TB, campaign, as string) string {
	t.Helper()
	var issued service.IssuedToken
	if err := g.client.Post(t.Context(), service.NewToken{Campaign: campaign, As: as}, &issued, "tokens"); err != nil {
		t.Fatal(err)
	}
	return issued.Text
}

// following is a reader of a page who asks for it again whenever its campaign goes on.
type following struct {
	path, token string
	packed      bool // he takes compressed answers
	tag         string
	bytes       int // of all answers
	most        int // of an answer, for each of the events that it tells of
}

// look asks for the page again: for what so many events changed, once he has it.
func (f *following) look(t *testing.T, g *ground, events int) {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, g.url+f.path, nil)
	if err != nil {
		t.Fatal(err)
	}
	if r.Header.Set("Accept-Encoding", "identity"); f.packed {
		r.Header.Set("Accept-Encoding", "gzip")
	}
	if f.token != "" {
		r.Header.Set("Authorization", "Bearer "+f.token)
	}
	if f.tag != "" {
		r.Header.Set("If-None-Match", f.tag)
		r.Header.Set("A-IM", delta.Format)
	}
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	body, err := io.ReadAll(answer.Body)
	if err != nil {
		t.Fatal(err)
	}
	switch {
	case f.tag == "" && answer.StatusCode != http.StatusOK, f.tag != "" && answer.StatusCode != http.StatusIMUsed:
		t.Fatalf("%s: %s", f.path, answer.Status)
	case f.tag != "":
		f.bytes, f.most = f.bytes+len(body), max(f.most, len(body)/events)
	}
	f.tag = answer.Header.Get("ETag")
}

// What an event costs a reader is what it changed, and not the page: of each bundled campaign, entry by entry. What a
// seat is sent is not compressed, for its size would tell of what it alone may know.
func TestOnlyWhatChangedTravels(t *testing.T) {
	beside(t)
	for i, k := range fixtures.Campaigns() {
		t.Run(k.Name, func(t *testing.T) {
			t.Parallel()
			g := stage(t)
			path := "/campaigns/" + k.Name
			page, band, seat := &following{path: path, packed: true}, &following{path: path + "/overlay", packed: true},
				&following{path: path}
			list := []*following{page, band}
			if i >= len(fixtures.Campaigns())-longrun.Of(1, len(fixtures.Campaigns())) { // a seat's page takes long
				list = append(list, seat)
			}
			began, was := uint64(0), uint64(0)
			all := g.unfold(t, k, func(events uint64) {
				if began == 0 {
					began, seat.token = events, g.token(t, k.Name, timeline.Umpire)
				}
				for _, f := range list {
					f.look(t, g, int(events-was))
				}
				was = events
			})
			events := int(all - began)
			for _, x := range []struct {
				*following
				as          string
				mean, limit int // bytes of an event
			}{{page, "the public", 1500, 6000}, {band, "the overlay", 600, 1500}, {seat, "the umpire", 6000, 24_000}} {
				t.Logf("%s: %d bytes an event, %d at most", x.as, x.bytes/events, x.most)
				if x.bytes/events > x.mean || x.most > x.limit {
					t.Errorf("%s: an event is to cost %d bytes, %d at most", x.as, x.mean, x.limit)
				}
			}
		})
	}
}

// The module reads a page in pieces: a live part begins with a line, alone, and none stands within another.
func TestBrowserReadsPagesInPieces(t *testing.T) {
	beside(t)
	g := played(t)
	b := browse(t, g.url)
	for _, k := range kinds(t, g) {
		b.visit(k.path)
		const begins = `/<\w+(?: [\w-]+(?:="[^"]*")?)* data-live[ >]/g`
		if fault := ask[string](b, `fetch(location).then((r) => r.text()).then((text) => {
			const page = new DOMParser().parseFromString(text, "text/html");
			if (page.querySelector("[data-live] [data-live], [data-live]:not([id])")) return "within another, or no id";
			const lines = text.split("\n").map((line) => line.match(`+begins+`)?.length ?? 0);
			if (Math.max(...lines) > 1) return "two live parts in a line";
			const found = lines.filter((n) => n).length;
			return found === page.querySelectorAll("[data-live]").length ? "" : "some part is not found";
		})`); fault != "" {
			t.Errorf("%s: %s", k.path, fault)
		}
	}
}

// Who names the tag of a page that another alone was sent hears nothing of it: not even that it was sent.
func TestPagesOfOthersAreUnknown(t *testing.T) {
	beside(t)
	g := played(t)
	ask := func(token, old string) *http.Response {
		r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, g.url+"/campaigns/straits-1942", nil)
		if err != nil {
			t.Fatal(err)
		}
		if token != "" {
			r.Header.Set("Authorization", "Bearer "+token)
		}
		if old != "" {
			r.Header.Set("If-None-Match", old)
			r.Header.Set("A-IM", delta.Format)
		}
		answer, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		answer.Body.Close()
		return answer
	}
	umpire := g.token(t, "straits-1942", timeline.Umpire)
	open, seat := ask("", "").Header.Get("ETag"), ask(umpire, "").Header.Get("ETag")
	if open == "" || seat == "" || open == seat {
		t.Fatalf("tags %q and %q", open, seat)
	}
	if got := ask("", seat).StatusCode; got != http.StatusOK {
		t.Errorf("the public names the umpire's page and is answered %d", got)
	}
	if got := ask(g.token(t, "straits-1942", "UK"), seat).StatusCode; got != http.StatusOK {
		t.Errorf("a seat names the umpire's page and is answered %d", got)
	}
}
