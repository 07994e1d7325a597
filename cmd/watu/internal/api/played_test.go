package api

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/watu-ledger/watu/cmd/watu/internal/access"
	"github.com/watu-ledger/watu/cmd/watu/internal/maintenance"
	"github.com/watu-ledger/watu/cmd/watu/internal/readers"
	"github.com/watu-ledger/watu/cmd/watu/internal/service"
	"github.com/watu-ledger/watu/cmd/watu/internal/timeline"
	"github.com/watu-ledger/watu/fixtures"
	"github.com/watu-ledger/watu/replay"
	"github.com/watu-ledger/watu/replay/campaign"
	"github.com/watu-ledger/watu/rules"
)

// The bundled campaigns, played once for all tests that only read.
var (
	played *service.Service
	front  *site
)

func TestMain(m *testing.M) { os.Exit(withPlayed(m)) }

func withPlayed(m *testing.M) int {
	dir, err := os.MkdirTemp("", "watu")
	if err != nil {
		panic(err)
	}
	defer func() { _ = os.RemoveAll(dir) }()
	ctx := context.Background()
	f, err := service.New(maintenance.Open(ctx, filepath.Join(dir, "ledger"), maintenance.Options{Begin: true}))
	if err != nil {
		panic(err)
	}
	c := InProcess(f)
	for _, k := range fixtures.Campaigns() {
		if err := play(ctx, c, k); err != nil {
			panic(err)
		}
	}
	played, front = f, newSite(f, nil)
	code := m.Run()
	if err := c.Close(); err != nil {
		panic(err)
	}
	return code
}

// site is the interface of a service, with its door and its feed. In tests a token is called by the name of
// its viewer, and issued when it is first used.
type site struct {
	http.Handler
	service *service.Service
	tokens  map[string]string
}

func newSite(f *service.Service, feed http.Handler) *site {
	return &site{New(f, access.New(f).Viewer, readers.New(readers.Options{}), feed), f, map[string]string{}}
}

// token gives a token for the campaign of a path; a viewer that there is none for is sent as he is.
func (s *site) token(path, as string) string {
	parts := strings.Split(strings.TrimPrefix(path, root), "/")
	if len(parts) < 3 {
		return as
	}
	key := parts[2] + "/" + as
	if s.tokens[key] == "" {
		s.tokens[key] = as
		if given, err := s.service.IssueToken(service.NewToken{Campaign: parts[2], As: as}); err == nil {
			s.tokens[key] = given.Text
		}
	}
	return s.tokens[key]
}

func play(ctx context.Context, c *Client, k fixtures.Campaign) error {
	n := replay.NewCampaign{Name: k.Name, System: k.System, Options: k.Options, Note: k.Note, Seed: k.Seed}
	for _, file := range k.Board {
		n.Board = append(n.Board, rules.BoardFile(file))
	}
	for _, s := range k.Seats {
		n.Seats = append(n.Seats, campaign.Seat{Name: s.Name, Sides: s.Sides})
	}
	if err := c.Post(ctx, n, &service.Opened{}, "campaigns"); err != nil {
		return err
	}
	for _, file := range k.Files {
		var err error
		switch file.Kind {
		case fixtures.Correction:
			var event uint64
			if event, err = resultOf(ctx, c, k.Name, file.Entry); err == nil {
				err = c.Post(ctx, service.CorrectionRequest{Event: event, Name: file.Name, Text: string(file.Data)},
					&service.Corrected{}, "campaigns", k.Name, "corrections")
			}
		case fixtures.Move:
			err = c.Post(ctx, replay.NewEdition{To: file.To, Reason: file.Reason}, &service.Moved{}, "campaigns",
				k.Name, "edition")
		default:
			err = c.Post(ctx, service.Submission{Name: file.Name, Text: string(file.Data)}, &service.Submitted{},
				"campaigns", k.Name, "submissions")
		}
		if err != nil {
			return fmt.Errorf("%s: %w", file.Name, err)
		}
	}
	return nil
}

// resultOf gives the event that an entry came to: its result, or what it reported.
func resultOf(ctx context.Context, c *Client, campaign, entry string) (index uint64, err error) {
	err = c.Lines(ctx, http.MethodGet, nil, nil, func(line json.RawMessage) error {
		var l timeline.LogEvent
		err := json.Unmarshal(line, &l)
		if l.CommandID == entry && l.Corrects == 0 && (l.Type == "result_adjudicated" || index == 0) {
			index = l.Index
		}
		return err
	}, "campaigns", campaign, "log")
	return index, err
}

// get asks for a path below the root; header are names and values in turn.
func get(t *testing.T, h *site, path string, header ...string) *httptest.ResponseRecorder {
	t.Helper()
	return ask(t, h, httptest.NewRequest(http.MethodGet, root+path, nil), header...)
}

func ask(t *testing.T, h *site, r *http.Request, header ...string) *httptest.ResponseRecorder {
	t.Helper()
	for i := 0; i < len(header); i += 2 {
		value := header[i+1]
		if as, ok := strings.CutPrefix(value, "Bearer "); ok {
			value = "Bearer " + h.token(r.URL.Path, as)
		}
		r.Header.Set(header[i], value)
	}
	r.RemoteAddr = "127.0.0.1:5000" // from elsewhere no token is taken in clear
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	return w
}

// post sends what v is in JSON.
func post(t *testing.T, h *site, path string, v any, header ...string) *httptest.ResponseRecorder {
	t.Helper()
	b, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	r := httptest.NewRequest(http.MethodPost, root+path, strings.NewReader(string(b)))
	r.Header.Set("Content-Type", "application/json")
	return ask(t, h, r, header...)
}

// into reads an answer that must be a success.
func into[T any](t *testing.T, w *httptest.ResponseRecorder) (out T) {
	t.Helper()
	if w.Code != http.StatusOK {
		t.Fatalf("%d: %s", w.Code, w.Body)
	}
	if err := json.Unmarshal(w.Body.Bytes(), &out); err != nil {
		t.Fatal(err)
	}
	return out
}
