package api

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/watu-ledger/watu/cmd/watu/internal/timeline"
	"github.com/watu-ledger/watu/events"
)

// first is a bundled campaign with secrets.
func first(t *testing.T) timeline.Campaign {
	t.Helper()
	list, err := played.Campaigns()
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range list.Campaigns {
		if c.System == "awaw" {
			return c
		}
	}
	t.Fatal("no such campaign")
	return timeline.Campaign{}
}

// What cannot change is kept for good, and only where it was asked for by ULID and shows what the
// public knows.
func TestWhatIsKept(t *testing.T) {
	c := first(t)
	for _, k := range []struct {
		path, token, keep string
	}{
		{"/campaigns/ULID/events/7/bytes", "", forever},
		{"/campaigns/NAME/events/7/bytes", "", asked},
		{"/campaigns/ULID/views/pools?at=7", "", forever},
		{"/campaigns/ULID/views/pools?at=7&as=public", "umpire", forever},
		{"/campaigns/NAME/views/pools?at=7", "", asked},
		{"/campaigns/ULID/views/pools", "", asked},
		{"/campaigns/ULID/views/pools?at=turn:" + strings.ReplaceAll(c.Turn, " ", "%20"), "", asked},
		{"/campaigns/ULID/views/pools?at=7", "umpire", never},
		{"/campaigns/ULID/moment?at=7", "", asked}, // says how many events there are
		{"/campaigns/ULID/moment?at=7", "Britain", never},
		{"/campaigns/ULID/events/7", "", asked}, // what comes later marks it
		{"/campaigns/ULID/events/7/explanation", "", asked},
		{"/campaigns/ULID/events/7/proof", "", asked}, // dice may yet fall
		{"/campaigns/ULID/events?limit=5", "", asked},
		{"/campaigns/ULID/report", "umpire", never},
		{"/campaigns/ULID/views/pools?at=999999", "", "no-store"},
	} {
		path := strings.NewReplacer("ULID", c.ID, "NAME", c.Name).Replace(k.path)
		var header []string
		if k.token != "" {
			header = []string{"Authorization", "Bearer " + k.token}
		}
		w := get(t, front, path, header...)
		if got := w.Header().Get("Cache-Control"); got != k.keep {
			t.Errorf("%s to %q: %d, kept %q, not %q", path, k.token, w.Code, got, k.keep)
		}
		looked := strings.Contains(path, "/moment") || strings.Contains(path, "/views") ||
			strings.Contains(path, "/report")
		if (w.Header().Get("Vary") == "Cookie, Authorization") != looked {
			t.Errorf("%s varies by %q", path, w.Header().Get("Vary"))
		}
		revalidated(t, path, w, header)
	}
}

// revalidated asks again for what was answered with an entity tag.
func revalidated(t *testing.T, path string, w *httptest.ResponseRecorder, header []string) {
	t.Helper()
	tag := w.Header().Get("ETag")
	keep := w.Header().Get("Cache-Control")
	if (tag == "") != (keep == never || keep == "no-store") {
		t.Errorf("%s is kept %q with the tag %q", path, keep, tag)
	}
	if tag == "" {
		return
	}
	for _, has := range []string{tag, `"other", W/` + tag, "*"} {
		again := get(t, front, path, append([]string{"If-None-Match", has}, header...)...)
		if again.Code != http.StatusNotModified || again.Body.Len() != 0 || again.Header().Get("ETag") != tag ||
			again.Header().Get("Cache-Control") != keep {
			t.Errorf("%s, which the client has as %s, is answered %d %s", path, has, again.Code, again.Header())
		}
	}
	if again := get(t, front, path, append([]string{"If-None-Match", `"other"`},
		header...)...); again.Body.String() != w.Body.String() {
		t.Errorf("%s comes otherwise the second time", path)
	}
	head := ask(t, front, httptest.NewRequest(http.MethodHead, root+path, nil), header...)
	if head.Body.Len() != 0 || head.Header().Get("ETag") != tag ||
		head.Header().Get("Content-Length") != fmt.Sprint(w.Body.Len()) {
		t.Errorf("HEAD %s: %d bytes, %s", path, head.Body.Len(), head.Header())
	}
}

// The bytes are those that the log's hashes are made of.
func TestBytesAreHashed(t *testing.T) {
	c := first(t)
	for i := uint64(0); i < c.Events; i += 11 {
		l := into[timeline.LogEvent](t, get(t, front, fmt.Sprintf("/campaigns/%s/events/%d", c.ID, i)))
		w := get(t, front, fmt.Sprintf("/campaigns/%s/events/%d/bytes", c.ID, i))
		e, err := events.Decode(w.Body.Bytes())
		if err != nil || e.Index != i {
			t.Fatalf("#%d reads as #%d: %v", i, e.Index, err)
		}
		if got := events.LeafHash(w.Body.Bytes()); got != l.Hash || w.Header().Get("Watu-Hash") != l.Hash.String() {
			t.Errorf("#%d has the hash %s, and its bytes %s", i, l.Hash, got)
		}
	}
}

// A viewer's answer holds nothing that the public's has not, unless he may know it; and without a
// token nobody is more than the public.
func TestWhoLooks(t *testing.T) {
	c := first(t)
	path := "/campaigns/" + c.ID + "/views/pools"
	public, umpire := get(t, front, path).Body.String(), get(t, front, path, "Authorization",
		"Bearer umpire").Body.String()
	if public == umpire {
		t.Error("the umpire's pools are the public's")
	}
	if got := get(t, front, path+"?as=public", "Authorization", "Bearer umpire").Body.String(); got != public {
		t.Error("the umpire cannot see what the public sees")
	}
	for _, as := range []string{"umpire", "Britain", "commentator"} {
		w := get(t, front, path+"?as="+as)
		if w.Code != http.StatusUnauthorized || w.Header().Get("WWW-Authenticate") == "" {
			t.Errorf("as %s without a token: %d %s", as, w.Code, w.Body)
		}
		if w := get(t, front, path+"?as="+as, "Authorization", "Bearer nobody"); w.Code != http.StatusUnauthorized {
			t.Errorf("as %s with a token that is none: %d %s", as, w.Code, w.Body)
		}
		if w := get(t, front, path+"?as="+as, "Authorization", "Bearer Japan"); w.Code != http.StatusForbidden {
			t.Errorf("as %s with another's token: %d %s", as, w.Code, w.Body)
		}
	}
}
