package main

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"os/exec"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

// A server ends when it is interrupted, with readers who ask for reports, some of whom hang up.
func TestInterruptedUnderReaders(t *testing.T) {
	k := &killing{t: t, dir: t.TempDir() + "/ledger"}
	k.watu("campaign", "new", "war", "--system", "awaw", "--seed", "crowd")
	var b strings.Builder
	fmt.Fprint(&b, "campaign: war\nturn: Spring 1940\nentries:\n  - {id: axis, draw: Ultra}\n")
	for i := range 400 {
		fmt.Fprintf(&b, "  - {id: r%d, submarine warfare: {box: Atlantic, side: European Axis, submarines: 8, asw: "+
			"30, again: true}, cards: []}\n", i)
	}
	k.watu("submit", "war", "-f", k.file(b.String()))
	server := exec.Command("watu", "serve", "--dir", k.dir, "--addr", "127.0.0.1:0")
	out, err := server.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	var errs bytes.Buffer
	server.Stderr = &errs
	if err := server.Start(); err != nil {
		t.Fatal(err)
	}
	url := ""
	for lines := bufio.NewScanner(out); url == "" && lines.Scan(); {
		if at, ok := strings.CutPrefix(lines.Text(), "pages   "); ok {
			url = strings.TrimSpace(at)
		}
	}
	go func() { _, _ = io.Copy(io.Discard, out) }()
	ctx, leave := context.WithCancel(t.Context())
	defer leave()
	client := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 60}}
	answered := make(chan struct{}, 1000)
	var readers sync.WaitGroup
	for n := range 60 {
		readers.Go(func() { readOn(ctx, client, url, n, answered) })
	}
	<-answered
	if err := server.Process.Signal(syscall.SIGINT); err != nil {
		t.Fatal(err)
	}
	// ten seconds, on a machine with nothing else to do
	stuck := time.AfterFunc(2*time.Minute, func() { _ = server.Process.Kill() })
	if err := server.Wait(); err != nil {
		t.Errorf("it ends with %v: %s", err, errs.String())
	}
	stuck.Stop()
	leave()
	readers.Wait()
	k.watu("status") // the ledger is free, and whole
}

// readOn asks for reports and explanations until ctx ends; every second reader hangs up before he is answered.
func readOn(ctx context.Context, client *http.Client, url string, n int, answered chan<- struct{}) {
	for i := 0; ctx.Err() == nil; i++ {
		patience := time.Minute
		if n%2 == 0 {
			patience = 20 * time.Millisecond
		}
		path := "api/v1/campaigns/war/report"
		if n%3 == 0 {
			path = fmt.Sprintf("campaigns/war/events/%d", (n+i*60)%1000)
		}
		once, done := context.WithTimeout(ctx, patience)
		if r, err := http.NewRequestWithContext(once, http.MethodGet, url+path, nil); err == nil {
			if a, err := client.Do(r); err == nil {
				_, _ = io.Copy(io.Discard, a.Body)
				_ = a.Body.Close()
				select {
				case answered <- struct{}{}:
				default:
				}
			} else {
				time.Sleep(time.Millisecond)
			}
		}
		done()
	}
}
