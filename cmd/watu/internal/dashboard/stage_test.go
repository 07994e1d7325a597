package dashboard

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"sync"
	"testing"

	"golang.org/x/net/html"

	"github.com/watu-ledger/watu/cmd/watu/internal/api"
	"github.com/watu-ledger/watu/cmd/watu/internal/maintenance"
	"github.com/watu-ledger/watu/cmd/watu/internal/readers"
	"github.com/watu-ledger/watu/cmd/watu/internal/service"
	"github.com/watu-ledger/watu/cmd/watu/internal/timeline"
	"github.com/watu-ledger/watu/fixtures"
	"github.com/watu-ledger/watu/replay"
	"github.com/watu-ledger/watu/replay/campaign"
	"github.com/watu-ledger/watu/rules"
)

// theatre is a service in which the bundled campaigns are played once for all tests that read.
type theatre struct {
	service *service.Service
	client  *api.Client
	dir     string
}

var played = sync.OnceValues(func() (theatre, error) {
	t, err := newTheatre()
	for _, k := range fixtures.Campaigns() {
		if err == nil {
			err = t.play(k)
		}
	}
	return t, err
})

var opened []theatre // to be closed

func TestMain(m *testing.M) {
	code := m.Run()
	for _, t := range opened {
		if err := t.client.Close(); err != nil {
			fmt.Fprintln(os.Stderr, err)
			code = 1
		}
		_ = os.RemoveAll(t.dir)
	}
	os.Exit(code)
}

func newTheatre() (t theatre, err error) {
	if t.dir, err = os.MkdirTemp("", "watu-pages-"); err != nil {
		return t, err
	}
	if t.service, err = service.New(maintenance.Open(context.Background(), t.dir,
		maintenance.Options{Begin: true})); err != nil {
		return t, err
	}
	t.client = api.InProcess(t.service)
	opened = append(opened, t)
	return t, nil
}

func (t theatre) post(body, into any, path ...string) error {
	return t.client.Post(context.Background(), body, into, path...)
}

// play plays a bundled campaign to its end.
func (t theatre) play(k fixtures.Campaign) error {
	n := replay.NewCampaign{Name: k.Name, System: k.System, Options: k.Options, Note: k.Note, Seed: k.Seed}
	for _, file := range k.Board {
		n.Board = append(n.Board, rules.BoardFile(file))
	}
	for _, s := range k.Seats {
		n.Seats = append(n.Seats, campaign.Seat{Name: s.Name, Sides: s.Sides})
	}
	if err := t.post(n, &service.Opened{}, "campaigns"); err != nil {
		return err
	}
	for _, file := range k.Files {
		if err := t.submit(k.Name, file); err != nil {
			return fmt.Errorf("%s/%s: %w", k.Name, file.Name, err)
		}
	}
	return nil
}

func (t theatre) submit(campaign string, file fixtures.File) error {
	switch file.Kind {
	case fixtures.Correction:
		event, err := t.resultOf(campaign, file.Entry)
		if err != nil {
			return err
		}
		a := service.CorrectionRequest{Event: event, Name: file.Name, Text: string(file.Data)}
		return t.post(a, &service.Corrected{}, "campaigns", campaign, "corrections")
	case fixtures.Move:
		return t.post(replay.NewEdition{To: file.To, Reason: file.Reason}, &service.Moved{}, "campaigns", campaign,
			"edition")
	}
	var done service.Submitted
	err := t.post(service.Submission{Name: file.Name, Text: string(file.Data)}, &done, "campaigns", campaign,
		"submissions")
	if err == nil && (done.Problem != nil) != (file.Expect == fixtures.Refused) {
		return done.Problem
	}
	return err
}

// resultOf gives the event that an entry came to.
func (t theatre) resultOf(campaign, entry string) (index uint64, err error) {
	err = t.client.Lines(context.Background(), http.MethodGet, nil, nil, func(line json.RawMessage) error {
		var l timeline.LogEvent
		err := json.Unmarshal(line, &l)
		if l.CommandID == entry && l.Corrects == 0 && (l.Type == "result_adjudicated" || index == 0) {
			index = l.Index
		}
		return err
	}, "campaigns", campaign, "log")
	return index, err
}

// public gives the pages as anyone sees them.
func (t theatre) public() *Dashboard {
	return New(t.service, func(_ *http.Request, campaign string) (timeline.Viewer, error) {
		return t.service.Viewer(campaign, timeline.Public)
	}, readers.New(readers.Options{}))
}

// pages gives the pages of the bundled campaigns.
func pages(t *testing.T) (*Dashboard, theatre) {
	t.Helper()
	all, err := played()
	if err != nil {
		t.Fatal(err)
	}
	return all.public(), all
}

// get asks for a page.
func get(h http.Handler, url string) *httptest.ResponseRecorder {
	w := httptest.NewRecorder()
	h.ServeHTTP(w, httptest.NewRequest(http.MethodGet, url, nil))
	return w
}

// read asks for a page, which must be there and sound.
func read(t *testing.T, h http.Handler, url string) *html.Node {
	t.Helper()
	w := get(h, url)
	if w.Code != http.StatusOK {
		t.Fatalf("%s: %d\n%s", url, w.Code, w.Body)
	}
	doc, err := html.Parse(strings.NewReader(w.Body.String()))
	if err != nil {
		t.Fatal(err)
	}
	for _, fault := range append(faults(doc), unbalanced(w.Body.String())...) {
		t.Errorf("%s: %s", url, fault)
	}
	return doc
}
