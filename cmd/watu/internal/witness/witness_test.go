package witness

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/oklog/ulid/v2"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/events/tree"
)

var campaign = ulid.MustParseStrict("01ARZ3NDEKTSV4RRFFQ69G5FAV")

// played is a tree of events with that name.
func played(name string, n int) *tree.Tree {
	t := &tree.Tree{}
	for i := range n {
		t.Add(events.LeafHash(fmt.Appendf(nil, "%s %d", name, i)))
	}
	return t
}

func ledgerKey(t testing.TB, n byte) *tree.Key {
	t.Helper()
	k, err := tree.NewKey(bytes.NewReader(bytes.Repeat([]byte{n}, 32)), ulid.ULID{n})
	if err != nil {
		t.Fatal(err)
	}
	return k
}

// signed is the signed checkpoint of a tree's first n events.
func signed(t testing.TB, of *tree.Tree, n uint64, id ulid.ULID, by *tree.Key) string {
	t.Helper()
	root, err := of.Root(n)
	if err != nil {
		t.Fatal(err)
	}
	note, err := tree.Checkpoint{Campaign: id, Events: n, Root: root}.Sign(by)
	if err != nil {
		t.Fatal(err)
	}
	return note
}

// asked is the body of a request.
func asked(t testing.TB, of *tree.Tree, old, n uint64, note string) string {
	t.Helper()
	body := fmt.Sprintf("old %d\n", old)
	if old > 0 && old <= n {
		proof, err := of.Extension(old, n)
		if err != nil {
			t.Fatal(err)
		}
		for _, h := range proof {
			body += base64.StdEncoding.EncodeToString(h[:]) + "\n"
		}
	}
	return body + "\n" + note
}

// running is a witness, what it said, and where it answers.
type running struct {
	*Witness
	url string

	mu   sync.Mutex
	said []string
}

func open(t *testing.T, dir string, ledgers ...*tree.Key) *running {
	t.Helper()
	r := &running{}
	o := Options{Name: "arbiter", Now: func() time.Time { return time.Unix(1700000000, 0) }, Say: func(line string) {
		r.mu.Lock()
		defer r.mu.Unlock()
		r.said = append(r.said, line)
	}}
	for _, k := range ledgers {
		o.Ledgers = append(o.Ledgers, k.Verifier())
	}
	w, err := Open(dir, o)
	if err != nil {
		t.Fatal(err)
	}
	s := httptest.NewServer(w.Handler())
	t.Cleanup(func() { s.Close(); w.Close() })
	r.Witness, r.url = w, s.URL
	return r
}

func (r *running) post(t *testing.T, body string) (int, string, string) {
	t.Helper()
	got, err := http.Post(r.url+"/add-checkpoint", "", strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	defer got.Body.Close()
	text, err := io.ReadAll(got.Body)
	if err != nil {
		t.Fatal(err)
	}
	return got.StatusCode, string(text), got.Header.Get("Content-Type")
}

// A ledger that sends campaigns without end leaves room for those of another.
func TestShareOfALedger(t *testing.T) {
	one, other := ledgerKey(t, 1), ledgerKey(t, 2)
	w := open(t, t.TempDir(), one, other)
	for i := range mostCampaigns / 2 {
		id := ulid.ULID{1, byte(i >> 8), byte(i)}
		w.heads[id] = head{Checkpoint: tree.Checkpoint{Campaign: id}, by: one.Verifier()}
	}
	a := played("a", 3)
	if status, text, _ := w.post(t, asked(t, a, 0, 3, signed(t, a, 3, campaign, one))); status != 503 {
		t.Errorf("one more of the first: %d %s", status, text)
	}
	if status, text, _ := w.post(t, asked(t, a, 0, 3, signed(t, a, 3, campaign, other))); status != 200 {
		t.Errorf("the first of the other: %d %s", status, text)
	}
}

// A checkpoint that anybody sends again is cosigned again, and nothing is written.
func TestSentAgain(t *testing.T) {
	key, dir := ledgerKey(t, 1), t.TempDir()
	w := open(t, dir, key)
	a := played("a", 3)
	note := signed(t, a, 3, campaign, key)
	if status, text, _ := w.post(t, asked(t, a, 0, 3, note)); status != 200 {
		t.Fatalf("%d %s", status, text)
	}
	file := filepath.Join(dir, "heads", campaign.String())
	before, err := os.Stat(file)
	if err != nil {
		t.Fatal(err)
	}
	status, text, _ := w.post(t, asked(t, a, 3, 3, note))
	if status != 200 || !strings.HasPrefix(text, "\u2014 arbiter ") {
		t.Errorf("%d %s", status, text)
	}
	if after, err := os.Stat(file); err != nil || !os.SameFile(before, after) {
		t.Errorf("the head is written anew: %v", err)
	}
}

// The statuses are those of C2SP tlog-witness.
func TestStatuses(t *testing.T) {
	key, stranger, second := ledgerKey(t, 1), ledgerKey(t, 2), ledgerKey(t, 3)
	w := open(t, filepath.Join(t.TempDir(), "new"), key, second)
	a := played("a", 20)
	note := func(n uint64) string { return signed(t, a, n, campaign, key) }
	empty := signed(t, a, 0, campaign, key)
	forged := strings.Replace(empty, "47DEQpj8", "48DEQpj8", 1)
	wrongRoot, err := tree.Checkpoint{Campaign: ulid.ULID{9}, Root: events.Hash{1}}.Sign(key)
	if err != nil {
		t.Fatal(err)
	}
	for i, x := range []struct {
		body   string
		status int
		text   string
	}{
		{"", 400, "a request is"},
		{"old 0\n" + note(5), 400, ""},
		{"old 00\n\n" + note(5), 400, ""},
		{"old -1\n\n" + note(5), 400, ""},
		{"old 0\nabc\n\n" + note(5), 400, "hash 1 of the proof"},
		{"old 0" + strings.Repeat("\n"+strings.Repeat("A", 43)+"=", 64) + "\n\n" + note(5), 400, "at most 63 hashes"},
		{"old 6\n\n" + note(5), 400, "old is 6"},
		{"old 0\n\nhello\n", 404, ""},
		{"old 0\n\nexample.com/log\n5\n47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=\n", 404, ""},
		{"old 0\n\nwatu/" + campaign.String() + "\n5\nx\n\n", 400, ""},
		{"old 0\n\n" + signed(t, a, 5, campaign, stranger), 403, "no ledger that this witness knows"},
		{"old 0\n\n" + forged, 403, "signature of watu/"},
		{"old 0\n\n" + wrongRoot, 422, ""},
		{"old 0\n" + strings.Repeat("A", 43) + "=\n\n" + note(5), 422, ""},
		{"old 3\n\n" + note(5), 409, "0\n"},
		{asked(t, a, 0, 5, note(5)), 200, "— arbiter "},
		{asked(t, a, 0, 5, note(5)), 409, "5\n"},
		{asked(t, a, 4, 9, note(9)), 409, "5\n"},
		{"old 5\n\n" + note(9), 422, "is not shown to extend the one of 5"},
		{asked(t, a, 5, 5, note(5)), 200, "— arbiter "},
		{asked(t, a, 5, 5, signed(t, a, 5, campaign, second)), 403, "another ledger"},
		{asked(t, a, 5, 20, note(20)), 200, "— arbiter "},
		{asked(t, a, 0, 7, signed(t, a, 7, ulid.ULID{7}, second)), 200, "— arbiter "},
		{strings.Repeat("x", mostBody+1), 413, ""},
	} {
		status, text, kind := w.post(t, x.body)
		if status != x.status || !strings.Contains(text, x.text) || (kind == "text/x.tlog.size") != (status == 409) {
			t.Errorf("%d: %.60q: %d %s %q, want %d %q", i, x.body, status, kind, text, x.status, x.text)
		}
	}
	if got, err := http.Get(w.url + "/add-checkpoint"); err != nil || got.StatusCode != http.StatusMethodNotAllowed {
		t.Errorf("GET is %v, %v", got, err)
	}
}

// What is answered is the line of a cosignature, and the largest checkpoint is there for whoever asks, also after a
// restart; then the witness goes on from there.
func TestGoesOn(t *testing.T) {
	key, dir := ledgerKey(t, 1), t.TempDir()
	w := open(t, dir, key)
	a := played("a", 20)
	note := signed(t, a, 5, campaign, key)
	_, line, _ := w.post(t, asked(t, a, 0, 5, note))
	p, err := tree.ParsePolicy(fmt.Sprintf("witness w %s\nquorum w\n", w.Verifier()))
	if err != nil {
		t.Fatal(err)
	}
	got, err := tree.ParseCosigned(note+line, key.Verifier(), p)
	if err != nil || !p.Met(got.Cosignatures) || got.Cosignatures[0].Time != 1700000000 {
		t.Errorf("%+v, %v", got, err)
	}
	if _, err := Open(dir, Options{}); !errors.Is(err, ErrHeld) {
		t.Errorf("a second one opens: %v", err)
	}
	was := w.Verifier().String()
	w.Close()
	w = open(t, dir, key)
	if w.Verifier().String() != was {
		t.Error("the key is another")
	}
	for path, want := range map[string]string{
		fmt.Sprintf("%x", sha256.Sum256([]byte("watu/"+campaign.String()))): note + line, "abc": "",
	} {
		answer, err := http.Get(w.url + "/" + path + "/checkpoint")
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(answer.Body)
		if err != nil || (answer.StatusCode == 200) != (want != "") || want != "" && string(text) != want {
			t.Errorf("%s: %d %q, %v", path, answer.StatusCode, text, err)
		}
	}
	if status, text, _ := w.post(t, "old 0\n\n"+note); status != 409 || text != "5\n" {
		t.Errorf("after a restart: %d %q", status, text)
	}
	w.Close()
	w = open(t, dir) // without the ledger
	if status, _, _ := w.post(t, asked(t, a, 5, 9, signed(t, a, 9, campaign, key))); status != 403 {
		t.Errorf("of a ledger that is not known any more: %d", status)
	}
}

// Two records of as many events are a fork: both notes are kept, and both are the ledger's. What was merely not shown
// to extend is kept under another name. Neither is cosigned.
func TestFork(t *testing.T) {
	key, dir := ledgerKey(t, 1), t.TempDir()
	w := open(t, dir, key)
	a, b := played("a", 20), played("b", 20)
	first := signed(t, a, 8, campaign, key)
	w.post(t, asked(t, a, 0, 8, first))
	for range 2 {
		if status, _, _ := w.post(t, asked(t, b, 8, 12, signed(t, b, 12, campaign, key))); status != 422 {
			t.Errorf("a longer one: %d", status)
		}
		if status, _, _ := w.post(t, asked(t, b, 8, 8, signed(t, b, 8, campaign, key))); status != 422 {
			t.Errorf("one of as many events: %d", status)
		}
	}
	if len(w.said) != 2 || !strings.Contains(w.said[0], "was not shown to extend") ||
		!strings.Contains(w.said[1], "its ledger signed two records") {
		t.Errorf("it said %q", w.said)
	}
	for name, n := range map[string]uint64{"fork-": 8, "unproven-": 12} {
		text, err := os.ReadFile(filepath.Join(dir, fmt.Sprintf("%s%s-%d.txt", name, campaign, n)))
		one, other, _ := strings.Cut(string(text), "\n\n\n")
		x, err1 := tree.Parse(one, key.Verifier())
		y, err2 := tree.Parse(other, key.Verifier())
		if err := errors.Join(err, err1, err2); err != nil || x.Events != 8 || y.Events != n || x.Root == y.Root {
			t.Errorf("%s: %+v, %+v, %v", text, x, y, err)
		}
	}
	if status, _, _ := w.post(t, asked(t, a, 8, 20, signed(t, a, 20, campaign, key))); status != 200 {
		t.Errorf("the first one goes on: %d", status)
	}
}

// Of each number of events the first note is kept, whatever is cosigned later, and whatever a crash left.
func TestNotes(t *testing.T) {
	key, dir := ledgerKey(t, 1), t.TempDir()
	w := open(t, dir, key)
	a := played("a", 20)
	var want []string
	for _, x := range []struct{ old, n uint64 }{{0, 5}, {5, 5}, {5, 9}} {
		note := signed(t, a, x.n, campaign, key)
		_, line, _ := w.post(t, asked(t, a, x.old, x.n, note))
		if x.old != x.n {
			want = append(want, note+line)
		}
	}
	file, err := os.OpenFile(filepath.Join(dir, "notes", campaign.String()), os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	_, err = file.WriteString(`"watu/torn`)
	if err = errors.Join(err, file.Close()); err != nil {
		t.Fatal(err)
	}
	w.Close()
	w = open(t, dir, key)
	note := signed(t, a, 20, campaign, key)
	_, line, _ := w.post(t, asked(t, a, 9, 20, note))
	got, err := Notes(dir, campaign)
	if want = append(want, note+line); err != nil || !slices.Equal(got, want) {
		t.Errorf("%q, %v; want %q", got, err, want)
	}
}

// Of two that race for the same head one wins, and the other learns by how much.
func TestRace(t *testing.T) {
	key := ledgerKey(t, 1)
	w := open(t, t.TempDir(), key)
	a := played("a", 40)
	var all sync.WaitGroup
	count := map[int]int{}
	var mu sync.Mutex
	for n := uint64(1); n <= 40; n++ {
		body := asked(t, a, 0, n, signed(t, a, n, campaign, key))
		all.Go(func() {
			status, _, _ := w.post(t, body)
			mu.Lock()
			defer mu.Unlock()
			count[status]++
		})
	}
	if all.Wait(); count[200] != 1 || count[409] != 39 {
		t.Errorf("the answers are %v", count)
	}
}

// Where the disk refuses, nothing is cosigned, and the head stays.
func TestDiskRefuses(t *testing.T) {
	key, dir := ledgerKey(t, 1), t.TempDir()
	w := open(t, dir, key)
	a := played("a", 9)
	w.post(t, asked(t, a, 0, 5, signed(t, a, 5, campaign, key)))
	heads := filepath.Join(dir, "heads")
	if err := errors.Join(os.Rename(heads, heads+"-away"), os.WriteFile(heads, nil, 0o600)); err != nil {
		t.Fatal(err)
	}
	body := asked(t, a, 5, 9, signed(t, a, 9, campaign, key))
	if status, text, _ := w.post(t, body); status != 500 || strings.Contains(text, "—") || len(w.said) != 1 {
		t.Errorf("%d %q, %q", status, text, w.said)
	}
	if err := errors.Join(os.Remove(heads), os.Rename(heads+"-away", heads)); err != nil {
		t.Fatal(err)
	}
	if status, _, _ := w.post(t, body); status != 200 {
		t.Errorf("when the disk is back: %d", status)
	}
}

// A directory that cannot be relied on is not opened.
func TestUnsound(t *testing.T) {
	key := ledgerKey(t, 1)
	for what, x := range map[string]struct {
		spoil func(dir string) error
		want  string
	}{
		"others read the key":   {func(dir string) error { return os.Chmod(dir+"/key", 0o640) }, "chmod 600 "},
		"others write anything": {func(dir string) error { return os.Chmod(dir, 0o777) }, "chmod go-w "},
		"no key":                {func(dir string) error { return os.Remove(dir + "/key") }, "put the key back"},
		"a damaged key": {func(dir string) error {
			return os.WriteFile(dir+"/key", []byte("x"), 0o600)
		}, "key: it does not begin"},
		"a damaged head": {func(dir string) error {
			text := titleHead + campaign.String() + "\nx\nsha256 0\n"
			return os.WriteFile(dir+"/heads/"+campaign.String(), []byte(text), 0o600)
		}, "does not vouch"},
		"the head of another campaign": {func(dir string) error {
			return os.Rename(dir+"/heads/"+campaign.String(), dir+"/heads/"+ulid.ULID{5}.String())
		}, "does not begin"},
	} {
		dir := filepath.Join(t.TempDir(), "w")
		w := open(t, dir, key)
		a := played("a", 5)
		w.post(t, asked(t, a, 0, 5, signed(t, a, 5, campaign, key)))
		w.Close()
		if err := x.spoil(dir); err != nil {
			t.Fatal(err)
		}
		if _, err := Open(dir, Options{Name: "arbiter", Ledgers: []tree.Verifier{key.Verifier()}}); !errors.Is(err,
			ErrUnsound) || !strings.Contains(err.Error(), x.want) {
			t.Errorf("%s: %v", what, err)
		}
	}
	if _, err := Open(t.TempDir(), Options{Name: "two words"}); err == nil {
		t.Error("a key is named two words")
	}
}

// It answers until it is asked to end.
func TestServe(t *testing.T) {
	w := open(t, t.TempDir())
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ended := make(chan error)
	go func() { ended <- w.Serve(t.Context(), l) }()
	got, err := http.Get("http://" + l.Addr().String() + "/x/checkpoint")
	if err != nil || got.StatusCode != http.StatusNotFound {
		t.Errorf("%v, %v", got, err)
	}
	l.Close()
	if err := <-ended; err == nil {
		t.Error("a listener that failed is no error")
	}
}

// Whatever is sent, only a known ledger's checkpoint is cosigned, and one that extends what was seen.
func FuzzRequest(f *testing.F) {
	key := ledgerKey(f, 1)
	a := played("a", 9)
	for _, n := range []uint64{1, 5, 9} {
		f.Add(asked(f, a, 0, n, signed(f, a, n, campaign, key)))
		f.Add(asked(f, a, 5, n, signed(f, a, n, campaign, key)))
	}
	w, err := Open(f.TempDir(), Options{Name: "arbiter", Ledgers: []tree.Verifier{key.Verifier()}, Now: time.Now})
	if err != nil {
		f.Fatal(err)
	}
	defer w.Close()
	f.Fuzz(func(t *testing.T, body string) {
		was := w.heads[campaign].Events
		line, err := w.add(body)
		var no *refusal
		if h := w.heads[campaign]; (line == "") != errors.As(err, &no) || h.Events < was || len(w.heads) > 1 {
			t.Errorf("%q: %q, %v", body, line, err)
		}
	})
}
