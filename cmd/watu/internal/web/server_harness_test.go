package web

import (
	"io"
	"net/http"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/watu-ledger/watu/cmd/watu/internal/api"
	"github.com/watu-ledger/watu/cmd/watu/internal/maintenance"
	"github.com/watu-ledger/watu/cmd/watu/internal/service"
	"github.com/watu-ledger/watu/cmd/watu/internal/timeline"
	"github.com/watu-ledger/watu/replay"
)

// testServer is a ledger and its server, as an umpire has them.
type testServer struct {
	t       *testing.T
	dir     string
	client  *api.Client
	service *service.Service
	server  *Server

	mu    sync.Mutex
	lines []string // what the service reported
}

// open begins a ledger and serves its pages.
func open(t *testing.T, o Options) *testServer {
	t.Helper()
	return openIn(t, filepath.Join(t.TempDir(), "ledger"), o)
}

// openIn serves the ledger of a directory, and begins one where there is none.
func openIn(t *testing.T, dir string, o Options) *testServer {
	t.Helper()
	d := &testServer{t: t, dir: dir}
	f, err := service.New(maintenance.Open(t.Context(), d.dir, maintenance.Options{Begin: true, Listen: "127.0.0.1:0",
		Say: d.hear}))
	if err != nil {
		t.Fatal(err)
	}
	d.client, d.service = api.InProcess(f), f
	if o.Address == "" {
		o.Address = "127.0.0.1:0"
	}
	if d.server, err = Listen(o); err != nil {
		t.Fatal(err)
	}
	d.server.Serve(f)
	t.Cleanup(d.close)
	return d
}

func (d *testServer) hear(line string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.lines = append(d.lines, line)
}

// close gives the ledger free, so that it can be looked into.
func (d *testServer) close() {
	d.t.Helper()
	if d.client == nil {
		return
	}
	if err := d.server.Close(); err != nil {
		d.t.Error(err)
	}
	if err := d.client.Close(); err != nil {
		d.t.Error(err)
	}
	d.client = nil
}

func (d *testServer) post(body, into any, path ...string) {
	d.t.Helper()
	if err := d.client.Post(d.t.Context(), body, into, path...); err != nil {
		d.t.Fatal(err)
	}
}

// campaign opens one with a published seed: its draws are the same in every ledger.
func (d *testServer) campaign(name string, options map[string]string) {
	d.t.Helper()
	d.post(replay.NewCampaign{Name: name, System: "awaw", Seed: "one", Options: options}, &service.Opened{},
		"campaigns")
}

// submit hands in a turn file of which every entry stands.
func (d *testServer) submit(campaign, text string) {
	d.t.Helper()
	var done service.Submitted
	d.post(service.Submission{Name: "turn.yaml", Text: text}, &done, "campaigns", campaign, "submissions")
	if done.Problem != nil || done.Waiting != nil {
		d.t.Fatalf("%v, waiting for %v", done.Problem, done.Waiting)
	}
}

// token gives out one; "public" needs none.
func (d *testServer) token(campaign, as string) string {
	d.t.Helper()
	if as == timeline.Public {
		return ""
	}
	var issued service.IssuedToken
	d.post(service.NewToken{Campaign: campaign, As: as}, &issued, "tokens")
	return issued.Text
}

// response is what the server answered.
type response struct {
	status int
	header http.Header
	body   string
}

// ask asks over the network. The headers are pairs.
func (d *testServer) ask(method, path, body string, headers ...string) response {
	d.t.Helper()
	r, err := http.NewRequestWithContext(d.t.Context(), method, strings.TrimSuffix(d.server.URL(), "/")+path,
		strings.NewReader(body))
	if err != nil {
		d.t.Fatal(err)
	}
	for i := 0; i+1 < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
		if headers[i] == "Host" {
			r.Host = headers[i+1]
		}
	}
	client := &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	a, err := client.Do(r)
	if err != nil {
		d.t.Fatal(err)
	}
	defer a.Body.Close()
	text, err := io.ReadAll(a.Body)
	if err != nil {
		d.t.Fatal(err)
	}
	return response{a.StatusCode, a.Header, string(text)}
}

// get asks as the holder of a token, or as nobody.
func (d *testServer) get(path, token string) response {
	d.t.Helper()
	if token == "" {
		return d.ask(http.MethodGet, path, "")
	}
	return d.ask(http.MethodGet, path, "", "Authorization", "Bearer "+token)
}
