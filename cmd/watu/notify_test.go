package main

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"testing"

	"github.com/watu-ledger/watu/cmd/watu/internal/notify"
)

// TestServeNotifies: a chat hears for whom a campaign waits, and when nobody has to answer any more.
func TestServeNotifies(t *testing.T) {
	heard := make(chan notify.Notice, 10)
	chat := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var x notify.Notice
		if err := json.NewDecoder(r.Body).Decode(&x); err != nil {
			w.WriteHeader(http.StatusBadRequest)
		}
		heard <- x
	}))
	defer chat.Close()
	k := &killing{t: t, dir: filepath.Join(t.TempDir(), "ledger")}
	k.watu("campaign", "new", "west", "--system", "awaw", "--seed", "one", "--seat", "Anna=Britain")
	r := start(t, k.dir, "serve", "--notify", chat.URL, "--host", "games.example")
	r.until(&r.out, "serving until")
	k.watu("submit", "west", "-f", k.file("turn: Spring 1940\nentries:\n  - {id: draw, draw: Ultra}\n  - {id: raid, "+
		"submarine warfare: {box: Atlantic, submarines: 8, asw: 34, cves: 0}}\n"))
	x := <-heard
	if x.State != notify.Waits || x.Side != "European Axis" || x.Link != "https://games.example/campaigns/west" {
		t.Errorf("the chat hears %+v", x)
	}
	k.watu("submit", "west", "-e", "{answer: {European Axis: pass}}")
	if x = <-heard; x.State != notify.Waits || x.Side != "Britain" {
		t.Errorf("then it hears %+v", x)
	}
	k.watu("submit", "west", "-e", "{answer: {Britain: pass}}")
	if x = <-heard; x.State != notify.Settled || x.Side != "Britain" {
		t.Errorf("at the end it hears %+v", x)
	}
	r.ends(0)
}
