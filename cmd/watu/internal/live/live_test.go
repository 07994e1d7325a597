package live

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/watu-ledger/watu/cmd/watu/internal/timeline"
)

const (
	patrol   = "pacific-patrol-1942"
	straits  = "straits-1942"
	atlantic = "atlantic-and-pacific"
)

// A stream begins behind the head, and says where that is: nothing that was before comes, and
// everything that is recorded from then on.
func TestStreamBeginsBehindTheHead(t *testing.T) {
	at := sit(t)
	k := bundled(t, patrol)
	at.open(k)
	address := listen(t, New(at.service, Options{}))
	c := joined(t, address, "/campaigns/"+patrol+"/live", "")
	for name, want := range map[string]string{
		"Content-Type": "text/event-stream", "Cache-Control": "no-store", "X-Accel-Buffering": "no",
	} {
		if got := c.answer.Header.Get(name); got != want {
			t.Errorf("%s is %q, not %q", name, got, want)
		}
	}
	m, err := c.await("head")
	if err != nil {
		t.Fatal(err)
	}
	first := at.events(patrol)
	if want := fmt.Sprintf(`{"index":%d,"sequence":%d}`, first-1, at.service.Durable()); m.data != want ||
		m.id != fmt.Sprint(first-1) {
		t.Errorf("the head is %+v, not %s", m, want)
	}
	if err := at.play(k, k.Files); err != nil {
		t.Fatal(err)
	}
	last := at.events(patrol) - 1
	if last < first+10 {
		t.Fatalf("only %d events were played", last-first)
	}
	list, err := c.expect(first, last)
	if err != nil {
		t.Fatal(err)
	}
	asTold(t, at, list, func(m message) timeline.PublicEvent { return bulletinOf(t, m) })
}

func bulletinOf(t *testing.T, m message) (b timeline.PublicEvent) {
	t.Helper()
	if err := json.Unmarshal([]byte(m.data), &b); err != nil {
		t.Fatalf("%q: %v", m.data, err)
	}
	return b
}

// asTold holds messages to the log.
func asTold(t *testing.T, at *table, list []message, read func(message) timeline.PublicEvent) {
	t.Helper()
	for _, m := range list {
		b := read(m)
		logged, err := at.service.Log(t.Context(), b.Campaign, b.Index, b.Index+1)
		if err != nil || len(logged) != 1 {
			t.Fatal(logged, err)
		}
		l := logged[0]
		if b.Text != l.Narration || b.Type != l.Type || b.Sequence != l.Sequence || b.Hash != l.Hash ||
			b.Turn != l.Turn || b.Side != l.Side {
			t.Errorf("%+v is not what the log tells: %+v", b, l)
		}
	}
}

// Who comes back goes on behind the last that he saw, however far back that is: the feed was opened
// later than most of it was recorded.
func TestStreamResumes(t *testing.T) {
	at := sit(t)
	for _, name := range []string{patrol, straits} {
		at.open(bundled(t, name))
	}
	for _, name := range []string{patrol, straits} {
		if err := at.play(bundled(t, name), bundled(t, name).Files); err != nil {
			t.Fatal(err)
		}
	}
	address := listen(t, New(at.service, Options{}))
	last := at.events(patrol) - 1
	for _, seen := range []uint64{0, 1, 17, last - 1} {
		for _, way := range []string{"header", "query"} {
			path, header := "/campaigns/"+patrol+"/live", fmt.Sprint(seen)
			if way == "query" {
				path, header = path+"?last="+header, ""
			}
			c := joined(t, address, path, header)
			if m, err := c.await("head"); err != nil || m.id != "" {
				t.Fatalf("who resumes is not at the head yet: %+v %v", m, err)
			}
			if _, err := c.expect(seen+1, last); err != nil {
				t.Errorf("%s, behind %d: %v", way, seen, err)
			}
		}
	}
	all := joined(t, address, "/live?last=0", "")
	list, err := all.expect(1, at.service.Durable())
	if err != nil {
		t.Fatal(err)
	}
	asTold(t, at, list, func(m message) timeline.PublicEvent { return bulletinOf(t, m) })
	// The header is newer than the address.
	c := joined(t, address, "/live?last=3", "9")
	if _, err := c.expect(10, 12); err != nil {
		t.Error(err)
	}
}

// Who names the first event that he wants gets it and all behind it, each once, and goes on live: he comes while the
// campaign is played, and the feed begins in its middle.
func TestStreamFrom(t *testing.T) {
	at := sit(t)
	k := bundled(t, patrol)
	at.open(k)
	half := len(k.Files) / 2
	if err := at.play(k, k.Files[:half]); err != nil {
		t.Fatal(err)
	}
	address := listen(t, New(at.service, Options{Pause: time.Millisecond}))
	middle := at.events(patrol) - 1
	played := make(chan error, 1)
	go func() { played <- at.play(k, k.Files[half:]) }()
	own := map[uint64]*client{}
	for _, from := range []uint64{0, 1, middle, middle + 1} {
		own[from] = joined(t, address, fmt.Sprintf("/campaigns/%s/live?from=%d", patrol, from), "")
	}
	all := map[uint64]*client{1: joined(t, address, "/live?from=0", ""), 7: joined(t, address, "/live?from=7", "")}
	if err := <-played; err != nil {
		t.Fatal(err)
	}
	at.submit(patrol, "{id: end, dispute: {event: 5, by: umpire, claim: the end}}")
	last := at.events(patrol) - 1
	for from, c := range own {
		if _, err := c.expect(from, last); err != nil {
			t.Errorf("from %d: %v", from, err)
		}
	}
	for from, c := range all {
		list, err := c.expect(from, at.service.Durable())
		if err != nil {
			t.Errorf("all from %d: %v", from, err)
		}
		asTold(t, at, list, func(m message) timeline.PublicEvent { return bulletinOf(t, m) })
	}
	// The header is newer than the address; two beginnings are none.
	if _, err := joined(t, address, "/live?from=0", "9").expect(10, 12); err != nil {
		t.Error(err)
	}
	for _, query := range []string{"from=0&last=1", "from=-1", "from=x", "last=x"} {
		c, err := dial(address, "/live?"+query, "")
		if err != nil || c.answer.StatusCode != http.StatusBadRequest {
			t.Errorf("%s: %v, %v", query, c.answer.Status, err)
		}
		c.conn.Close()
	}
}

// An id of another record, as before a restore, is answered with where this one stands.
func TestIDBeyondTheHead(t *testing.T) {
	at := sit(t)
	k := bundled(t, patrol)
	at.open(k)
	address := listen(t, New(at.service, Options{}))
	first := at.events(patrol)
	for _, seen := range []string{fmt.Sprint(first), "18446744073709551615"} {
		c := joined(t, address, "/campaigns/"+patrol+"/live", seen)
		if m, err := c.await("head"); err != nil || m.id != fmt.Sprint(first-1) {
			t.Errorf("behind %s: %+v %v", seen, m, err)
		}
		all := joined(t, address, "/live", seen)
		if m, err := all.await("head"); err != nil || m.id != fmt.Sprint(at.service.Durable()) {
			t.Errorf("behind %s: %+v %v", seen, m, err)
		}
	}
}

func TestStreamRefuses(t *testing.T) {
	at := sit(t)
	at.open(bundled(t, patrol))
	address := listen(t, New(at.service, Options{Readers: 1}))
	path := "/campaigns/" + patrol + "/live"
	for _, c := range []struct {
		path, last string
		status     int
	}{
		{path, "seventeen", http.StatusBadRequest},
		{path, "-1", http.StatusBadRequest},
		{path + "?last=1e3", "", http.StatusBadRequest},
		{path, "18446744073709551616", http.StatusBadRequest},
		{"/live", "x", http.StatusBadRequest},
		{"/campaigns/nowhere/live", "", http.StatusNotFound},
	} {
		got, err := dial(address, c.path, c.last)
		if err != nil {
			t.Fatal(err)
		}
		if got.answer.StatusCode != c.status {
			t.Errorf("%s behind %q is answered with %s, not %d", c.path, c.last, got.answer.Status, c.status)
		}
		got.conn.Close()
	}
	one := joined(t, address, path, "")
	if _, err := one.await("head"); err != nil {
		t.Fatal(err)
	}
	two, err := dial(address, path, "")
	if err != nil {
		t.Fatal(err)
	}
	defer two.conn.Close()
	if two.answer.StatusCode != http.StatusServiceUnavailable || two.answer.Header.Get("Retry-After") == "" {
		t.Errorf("one too many is answered with %s", two.answer.Status)
	}
}

// What people type cannot make a message of its own.
func TestHostileTextStaysInItsLine(t *testing.T) {
	at := sit(t)
	k := bundled(t, straits)
	at.open(k)
	if err := at.play(k, k.Files[:1]); err != nil {
		t.Fatal(err)
	}
	address := listen(t, New(at.service, Options{}))
	c := joined(t, address, "/live", "")
	if _, err := c.await("head"); err != nil {
		t.Fatal(err)
	}
	first := at.service.Durable() + 1
	claim := "no\n\nid: 9\nevent: event\ndata: {\"text\":\"forged\"}\n\n<script>\u2028alert(1)</script>\r"
	typed, err := json.Marshal(claim)
	if err != nil {
		t.Fatal(err)
	}
	at.submit(straits, fmt.Sprintf(`{id: hostile, dispute: {event: 5, by: Anna, claim: %s}}`, typed))
	list, err := c.expect(first, at.service.Durable())
	if err != nil {
		t.Fatal(err)
	}
	text := ""
	for _, m := range list {
		if strings.ContainsAny(m.data, "<>\r\u2028") {
			t.Errorf("%q stands as it was typed", m.data)
		}
		text += bulletinOf(t, m).Text
	}
	if !strings.Contains(text, "<script>") {
		t.Errorf("the claim is not shown: %q", text)
	}
}

func TestHeartbeat(t *testing.T) {
	at := sit(t)
	at.open(bundled(t, patrol))
	c := joined(t, listen(t, New(at.service, Options{Heartbeat: time.Millisecond})), "/live", "")
	if _, err := c.await("head"); err != nil {
		t.Fatal(err)
	}
	for range 3 {
		if m, err := c.next(); err != nil || m != (message{}) {
			t.Fatalf("%+v is no comment: %v", m, err)
		}
	}
}

// Close waits for nobody: neither for who sleeps nor for who has stopped reading.
func TestCloseEndsStreams(t *testing.T) {
	at := sit(t)
	k := bundled(t, atlantic)
	at.open(k)
	at.open(bundled(t, patrol))
	f := New(at.service, Options{Patience: time.Hour, Heartbeat: time.Hour})
	address := listen(t, f)
	quiet := joined(t, address, "/campaigns/"+patrol+"/live", "") // nothing happens there
	stuck := joined(t, address, "/live", "0")
	for _, c := range []*client{quiet, stuck} {
		if _, err := c.await("head"); err != nil {
			t.Fatal(err)
		}
	}
	if err := at.play(k, k.Files); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	if n := f.Stats(); n.Readers != 0 || n.Drops != 0 {
		t.Errorf("behind the end: %+v", n)
	}
	if _, err := io.Copy(io.Discard, quiet.lines); err != nil {
		t.Errorf("a stream that is closed ends whole: %v", err)
	}
	late, err := dial(address, "/live", "")
	if err != nil {
		t.Fatal(err)
	}
	defer late.conn.Close()
	if late.answer.StatusCode != http.StatusServiceUnavailable {
		t.Errorf("behind the end: %s", late.answer.Status)
	}
}

// Over HTTP/2 a write deadline that passes while nothing is written would end the stream.
func TestStreamOverHTTP2(t *testing.T) {
	at := sit(t)
	k := bundled(t, patrol)
	at.open(k)
	const patience = 200 * time.Millisecond
	f := New(at.service, Options{Patience: patience})
	s := httptest.NewUnstartedServer(f)
	s.EnableHTTP2 = true
	s.StartTLS()
	defer s.Close()
	defer f.Close()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, s.URL+"/live", nil)
	if err != nil {
		t.Fatal(err)
	}
	answer, err := s.Client().Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	if answer.ProtoMajor != 2 {
		t.Fatalf("the stream came over %s", answer.Proto)
	}
	c := over(answer)
	if _, err := c.await("head"); err != nil {
		t.Fatal(err)
	}
	time.Sleep(2 * patience)
	first := at.service.Durable() + 1
	if err := at.play(k, k.Files[:1]); err != nil {
		t.Fatal(err)
	}
	if _, err := c.expect(first, at.service.Durable()); err != nil {
		t.Error(err)
	}
}
