package dashboard

import (
	"compress/gzip"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/watu-ledger/watu/cmd/watu/internal/readers"
	"github.com/watu-ledger/watu/cmd/watu/internal/timeline"
	"github.com/watu-ledger/watu/fixtures"
)

// A reader who has the page already gets no copy; what is drawn for one who carries something is never
// given to another.
func TestPagesAreKept(t *testing.T) {
	_, all := pages(t)
	drawings := 0
	d := New(all.service, func(r *http.Request, campaign string) (timeline.Viewer, error) {
		drawings++
		as := timeline.Public
		if r.Header.Get("Cookie") != "" {
			as = timeline.Umpire
		}
		return all.service.Viewer(campaign, as)
	}, readers.New(readers.Options{}))
	const url = "/campaigns/atlantic-and-pacific?at=80"
	first := get(d, url)
	again := get(d, url)
	if drawings != 1 || first.Body.String() != again.Body.String() || first.Header().Get("ETag") == "" {
		t.Errorf("%d drawings, ETag %q", drawings, first.Header().Get("ETag"))
	}
	r := httptest.NewRequest(http.MethodGet, url, nil)
	r.Header.Set("If-None-Match", first.Header().Get("ETag"))
	w := httptest.NewRecorder()
	d.ServeHTTP(w, r)
	if w.Code != http.StatusNotModified || w.Body.Len() != 0 {
		t.Errorf("the reader has it, and is answered %d with %d bytes", w.Code, w.Body.Len())
	}
	r = httptest.NewRequest(http.MethodGet, url, nil)
	r.Header.Set("Cookie", "__Host-watu=a-token")
	r.Header.Set("If-None-Match", first.Header().Get("ETag"))
	w = httptest.NewRecorder()
	d.ServeHTTP(w, r)
	if w.Code != http.StatusOK || !strings.Contains(w.Body.String(), "seen by the umpire") ||
		!strings.HasPrefix(w.Header().Get("Cache-Control"), "private") {
		t.Errorf("the umpire is answered %d, to be kept %q\n%s", w.Code, w.Header().Get("Cache-Control"), w.Body)
	}
	if after := get(d, url); after.Body.String() != first.Body.String() {
		t.Error("the public is given what was drawn for the umpire")
	}
}

// However many look at once, a page is drawn once; when the record has gone on it is drawn again.
func TestPagesAreDrawnOnceForMany(t *testing.T) {
	stage, err := newTheatre()
	if err != nil {
		t.Fatal(err)
	}
	k := fixtures.Campaigns()[0]
	files := k.Files
	k.Files = files[:1]
	if err := stage.play(k); err != nil {
		t.Fatal(err)
	}
	var drawings atomic.Int64
	d := New(stage.service, func(_ *http.Request, campaign string) (timeline.Viewer, error) {
		drawings.Add(1)
		return stage.service.Viewer(campaign, timeline.Public)
	}, readers.New(readers.Options{}))
	look := func() string {
		var readers sync.WaitGroup
		bodies := make([]string, 50)
		for i := range bodies {
			readers.Go(func() { bodies[i] = get(d, pathTo("campaigns", k.Name)).Body.String() })
		}
		readers.Wait()
		for _, b := range bodies {
			if b != bodies[0] || b == "" {
				t.Error("readers of the same moment see different pages")
			}
		}
		return bodies[0]
	}
	before := look()
	if n := drawings.Load(); n != 1 {
		t.Errorf("drawn %d times for readers who came together", n)
	}
	if err := stage.submit(k.Name, files[1]); err != nil {
		t.Fatal(err)
	}
	if after := look(); after == before || drawings.Load() != 2 {
		t.Errorf("drawn %d times, and the page is the same: %v", drawings.Load(), after == before)
	}
}

// Who takes compressed pages gets the same page.
func TestPagesAreCompressed(t *testing.T) {
	d, _ := pages(t)
	const url = "/campaigns/atlantic-and-pacific"
	plain := get(d, url)
	for accepts, packed := range map[string]bool{"gzip": true, "br, gzip;q=0.5": true, "gzip;q=0": false,
		"gzip; q=0.0": false, "br": false} {
		r := httptest.NewRequest(http.MethodGet, url, nil)
		r.Header.Set("Accept-Encoding", accepts)
		w := httptest.NewRecorder()
		d.ServeHTTP(w, r)
		body := w.Body.String()
		if got := w.Header().Get("Content-Encoding") == "gzip"; got != packed ||
			packed == (w.Header().Get("ETag") == plain.Header().Get("ETag")) {
			t.Errorf("%q: compressed %v, ETag %s", accepts, got, w.Header().Get("ETag"))
			continue
		}
		if packed {
			z, err := gzip.NewReader(strings.NewReader(body))
			if err != nil {
				t.Fatal(err)
			}
			text, err := io.ReadAll(z)
			if err != nil || 2*len(body) > len(text) {
				t.Errorf("%d bytes of %d: %v", len(body), len(text), err)
			}
			body = string(text)
		}
		if body != plain.Body.String() {
			t.Errorf("%q: another page", accepts)
		}
	}
}

// A page has one key however its address is written, and what it does not know is refused: nobody fills the
// memory with pages of his own.
func TestUnknownParametersAreNotKept(t *testing.T) {
	_, all := pages(t)
	var drawings atomic.Int64
	d := New(all.service, func(_ *http.Request, campaign string) (timeline.Viewer, error) {
		drawings.Add(1)
		return all.service.Viewer(campaign, timeline.Public)
	}, readers.New(readers.Options{}))
	const url = "/campaigns/atlantic-and-pacific"
	for _, address := range []string{url + "?at=80&as=public", url + "?as=public&at=80",
		"/campaigns/%61tlantic-and-pacific?%61t=%380&as=public"} {
		if w := get(d, address); w.Code != http.StatusOK {
			t.Errorf("%s: %d", address, w.Code)
		}
	}
	if n := drawings.Load(); n != 1 {
		t.Errorf("one page is drawn %d times", n)
	}
	for _, path := range []string{"/", url, url + "/events", url + "/events/5", url + "/events/5/proof", url + "/rules",
		url + "/overlay", url + "/disputes/5"} {
		for _, query := range []string{"n=1", "N=2", "at=80&n=3", "utm_source=x", "at=%zz", "as=public;n=4",
			"at=" + strings.Repeat("8", 5000)} {
			w := get(d, path+"?"+query)
			if w.Code != http.StatusBadRequest || !strings.Contains(w.Body.String(), "parameter") &&
				!strings.Contains(w.Body.String(), "does not read") {
				t.Errorf("%s?%.40s: %d %s", path, query, w.Code, w.Body)
			}
		}
	}
	if n := drawings.Load(); n != 1 {
		t.Errorf("after that %d are drawn", n)
	}
}

// So many pages are drawn at a time, so many wait; who comes then is sent away, and learns when to come back.
func TestTooManyLook(t *testing.T) {
	_, all := pages(t)
	begun, goOn := make(chan struct{}, 9), make(chan struct{})
	d := New(all.service, func(_ *http.Request, campaign string) (timeline.Viewer, error) {
		begun <- struct{}{}
		<-goOn
		return all.service.Viewer(campaign, timeline.Public)
	}, readers.New(readers.Options{Parallel: 1, Queue: 1}))
	const url = "/campaigns/atlantic-and-pacific?at="
	first, statuses := make(chan int), make(chan int, 2)
	go func() { first <- get(d, url+"10").Code }()
	<-begun
	for _, at := range []string{"11", "12"} {
		go func() { statuses <- get(d, url+at).Code }()
	}
	if code := <-statuses; code != http.StatusServiceUnavailable { // one waits, and the other is sent away
		t.Errorf("one too many is answered %d", code)
	}
	w := get(d, url+"13")
	if w.Code != http.StatusServiceUnavailable || w.Header().Get("Retry-After") == "" ||
		!strings.Contains(w.Body.String(), "Ask again") {
		t.Errorf("one too many is answered %d, to come back after %q: %s", w.Code, w.Header().Get("Retry-After"),
			w.Body)
	}
	close(goOn)
	if a, b := <-first, <-statuses; a != http.StatusOK || b != http.StatusOK {
		t.Errorf("those who were let in are answered %d and %d", a, b)
	}
	if w := get(d, url+"13"); w.Code != http.StatusOK {
		t.Errorf("later, %d", w.Code)
	}
}
