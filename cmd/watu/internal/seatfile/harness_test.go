package seatfile

import (
	"bytes"
	"io"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/watu-ledger/watu/cmd/watu/internal/access"
	"github.com/watu-ledger/watu/cmd/watu/internal/api"
	"github.com/watu-ledger/watu/cmd/watu/internal/maintenance"
	"github.com/watu-ledger/watu/cmd/watu/internal/problem"
	"github.com/watu-ledger/watu/cmd/watu/internal/readers"
	"github.com/watu-ledger/watu/cmd/watu/internal/seats"
	"github.com/watu-ledger/watu/cmd/watu/internal/service"
	"github.com/watu-ledger/watu/cmd/watu/internal/timeline"
	"github.com/watu-ledger/watu/events/beacon/beacontest"
	"github.com/watu-ledger/watu/replay"
	"github.com/watu-ledger/watu/replay/campaign"
	"github.com/watu-ledger/watu/rules"
)

// host is a server as players reach it. What it answers goes through lie, if there is one.
type host struct {
	*testing.T
	*service.Service
	url  string
	lie  func(path string, answer []byte) []byte
	deaf bool     // it does not hear what comes to /signed
	sent [][]byte // what came to /signed
}

func serve(t *testing.T) *host {
	t.Helper()
	return serveWith(t, t.TempDir(), maintenance.Options{Begin: true}, replay.NewCampaign{})
}

// handsOfPlayers is a campaign in which each player draws his own cards.
func handsOfPlayers(t *testing.T) replay.NewCampaign {
	t.Helper()
	m, err := beacontest.New(time.Now().Unix()-100, 1)
	if err != nil {
		t.Fatal(err)
	}
	return replay.NewCampaign{Dice: campaign.Beacon, Beacon: m.Beacon, Hands: campaign.Players, Signed: true}
}

func serveWith(t *testing.T, dir string, o maintenance.Options, n replay.NewCampaign) *host {
	t.Helper()
	f, err := service.New(maintenance.Open(t.Context(), dir, o))
	if err != nil {
		t.Fatal(err)
	}
	h := &host{T: t, Service: f}
	honest := api.New(f, access.New(f).Viewer, readers.New(readers.Options{}), nil)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		if strings.HasSuffix(r.URL.Path, "/signed") {
			h.sent = append(h.sent, body)
		}
		r.Body = io.NopCloser(bytes.NewReader(body))
		answer := httptest.NewRecorder()
		if !h.deaf || !strings.HasSuffix(r.URL.Path, "/signed") {
			honest.ServeHTTP(answer, r)
		}
		text := answer.Body.Bytes()
		if h.lie != nil {
			text = h.lie(r.URL.Path, text)
		}
		if text == nil {
			panic(http.ErrAbortHandler) // the answer is lost
		}
		w.Header().Set("Content-Type", answer.Header().Get("Content-Type"))
		w.WriteHeader(answer.Code)
		_, _ = w.Write(text)
	}))
	t.Cleanup(func() {
		server.Close()
		if err := f.Close(); err != nil {
			t.Error(err)
		}
	})
	h.url = server.URL
	n.Name, n.System = "atlantic", "awaw"
	n.Seats = []campaign.Seat{{Name: "Anna", Sides: []string{"European Axis", "Japan"}},
		{Name: "Ben", Sides: []string{"Britain", "United States"}}}
	if _, err := f.OpenCampaign(n); err != nil {
		t.Fatal(err)
	}
	h.umpire("{id: t, turn: Fall 1939}")
	return h
}

// umpire enters something.
func (h *host) umpire(entry string) {
	h.Helper()
	done, err := h.Submit(h.Context(), "atlantic", timeline.Viewer{As: timeline.Umpire},
		service.Submission{Name: "entry", Entry: true, Text: entry})
	if err != nil || done.Problem != nil {
		h.Fatal(err, done.Problem)
	}
}

// invite gives a link for a seat.
func (h *host) invite(seat string) Invitation {
	h.Helper()
	v, err := seats.NewInvitation(h.Context(), h.Service, "atlantic", seats.Invite{Seat: seat, By: seats.ByKey})
	if err != nil {
		h.Fatal(err)
	}
	link, err := ParseLink(v.Link(h.url) + "\n")
	if err != nil {
		h.Fatal(err)
	}
	return link
}

func (h *host) joined() *Seat {
	h.Helper()
	s, done, err := Join(h.Context(), h.invite("Anna"), filepath.Join(h.TempDir(), "anna.seat"))
	if err != nil || done.Problem != nil {
		h.Fatal(err, done.Problem)
	}
	return s
}

// allocation is an entry of Anna's.
func allocation(id, points string) rules.Command {
	body := `{"allocate":{"side":"Japan","project":"Magic","points":` + points + `}}`
	return rules.Command{ID: id, Verb: "allocate", Body: []byte(body)}
}

func enter(h *host, s *Seat, e rules.Command) (Entered, error) {
	return s.Enter(h.Context(), "Fall 1939", e, func(string) {})
}

func (h *host) events() uint64 {
	c, err := h.Find("atlantic")
	if err != nil {
		h.Fatal(err)
	}
	return c.Events
}

func kindOf(err error) problem.Kind {
	if err == nil {
		return ""
	}
	return problem.Of(err).Kind
}
