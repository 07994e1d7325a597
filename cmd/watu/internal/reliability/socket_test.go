package reliability

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/watu-ledger/watu/cmd/watu/internal/api"
	"github.com/watu-ledger/watu/cmd/watu/internal/maintenance"
	"github.com/watu-ledger/watu/cmd/watu/internal/service"
)

// TestSocketOfAnother puts a file SOCKET into a ledger's directory that names another's socket, or some file. A command
// on the directory answers for its own ledger or reports, and takes nothing away that is another's.
func TestSocketOfAnother(t *testing.T) {
	dir := t.TempDir()
	// The other's name is too long for a socket in its directory: a copy of that has its file SOCKET too.
	here, there := filepath.Join(dir, "here"), filepath.Join(dir, "there"+strings.Repeat(" and there", 8))
	f, err := service.New(maintenance.Open(t.Context(), there, maintenance.Options{Begin: true}))
	if err != nil {
		t.Fatal(err)
	}
	id := f.Standing().Ledger
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(there, here); err != nil {
		t.Fatal(err)
	}
	if f, err = service.New(maintenance.Open(t.Context(), there, maintenance.Options{Begin: true})); err != nil {
		t.Fatal(err)
	}
	ctx, end := context.WithCancel(t.Context())
	served, done := make(chan string), make(chan error)
	go func() { done <- f.Serve(ctx, api.Owner(f), func(socket string) { served <- socket }) }()
	socket := <-served
	defer func() {
		end()
		if err := <-done; err != nil {
			t.Error(err)
		}
		if err := f.Close(); err != nil {
			t.Error(err)
		}
	}()
	document := filepath.Join(dir, "document")
	if err := os.WriteFile(document, []byte("of somebody"), 0o600); err != nil {
		t.Fatal(err)
	}
	var w row
	for _, named := range []string{socket, document, ""} {
		if err := os.WriteFile(filepath.Join(here, "SOCKET"), []byte(named+"\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		r := answeredFor(t, here, id)
		if _, err := os.Stat(document); err != nil {
			r.Others["the document"], r.Silent = "is gone", append(r.Silent, "the document")
		}
		if c, err := api.Dial(t.Context(), there, maintenance.Options{}); err != nil {
			r.Others["the other server"], r.Silent = "does not answer any more", append(r.Silent, "the other server")
		} else if err := c.Close(); err != nil {
			t.Error(err)
		}
		w.count(t, "SOCKET names "+named, r, "")
	}
	w.tell(t)
}

// answeredFor asks which ledger a directory is.
func answeredFor(t *testing.T, dir, id string) result {
	t.Helper()
	r := result{Others: map[string]string{}}
	say := func(line string) { r.Reported = append(r.Reported, reported{opening, line}) }
	c, err := api.Dial(t.Context(), dir, maintenance.Options{Say: say})
	if err != nil {
		say(err.Error())
		r.Others["ledger"] = noAnswer
		return r
	}
	var s service.Status
	if err := c.Get(t.Context(), &s, "status"); err != nil {
		say(err.Error())
	}
	if s.Ledger != id {
		r.Others["ledger"] = s.Ledger + ", not " + id
		if len(r.Reported) == 0 {
			r.Silent = []string{"ledger"}
		}
	}
	if err := c.Close(); err != nil {
		say(err.Error())
	}
	return r
}
