package main

import (
	"bytes"
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/chromedp"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/fixtures/longrun"
	"github.com/watu-ledger/watu/replay/bundle"
)

// TestPage builds the page, opens it from disk in a browser, and gives it an honest file, a forged one, one that is
// damaged, a checkpoint and a foreign hash, and one whose dice a beacon decided. The tab goes on meanwhile; nothing is
// fetched but the page itself, and a worker could fetch nothing either.
func TestPage(t *testing.T) {
	longrun.Only(t)
	dir := t.TempDir()
	at := filepath.Join(dir, "watu-verify.html")
	if err := write(at); err != nil {
		t.Fatal(err)
	}
	info, err := os.Stat(at)
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("the page has %d bytes", info.Size())
	note := played(t, dir)
	b := opened(t, "file://"+at)
	b.until(`document.getElementById("report").dataset.ready`)

	b.choose(filepath.Join(dir, "honest.watu"))
	b.says("good", "Nothing is wrong.", "whose key has the fingerprint", "throws: as declared",
		"paste one above", "host\t1\this secret alone decides")
	b.compare(strings.ReplaceAll(note, "\n", "\r\n"))
	b.says("good", "Nothing is wrong.", "heads given against the record")
	b.compare(strings.Repeat("0a", 32))
	b.says("bad", "It does not verify.")
	b.compare("the last one")
	b.says("bad", "Nothing was checked.", `to compare with is the hash of an event`)
	b.compare("")
	b.choose(filepath.Join(dir, "forged.watu"))
	b.says("bad", "It does not verify.", "the link gives another die")
	b.choose(filepath.Join(dir, "damaged.watu"))
	b.says("bad", "The file is damaged.")

	path, err := filepath.Abs(filepath.Join("..", "..", "watu", "internal", "web", "testdata", "beacon.watu"))
	if err != nil {
		t.Fatal(err)
	}
	b.ask(`globalThis.told = [], new MutationObserver(() => told.push(report.innerText))
		.observe(report, {childList: true, subtree: true, characterData: true}), ""`)
	b.choose(path)
	b.says("good", "Nothing is wrong.", "key holder\t", "rolls by a beacon: signature of the round, cosigned before it",
		"Witnesses", "whose key has the fingerprint")
	for _, step := range []string{"Reading the file", "Checking hashes", "Hearing every command again: event "} {
		if told := b.ask(`told.join("\n")`); !strings.Contains(told, step) {
			t.Errorf("the page did not show %q while it checked:\n%s", step, told)
		}
	}
	b.confined()

	if len(b.fetched) != 1 || b.fetched[0] != "file://"+at {
		t.Errorf("the page fetched %q", b.fetched)
	}
}

// confined wants the policy of the page to keep a worker from fetching anything.
func (b *browser) confined() {
	b.Helper()
	reached := make(chan string, 1)
	server := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		reached <- r.URL.Path
	}))
	defer server.Close()
	b.ask(fmt.Sprintf(`globalThis.worker2 = new Worker(URL.createObjectURL(new Blob(["fetch('%s').then(() => " +
		"postMessage('fetched'), (e) => postMessage('refused'))"]))), worker2.onmessage = (m) => {
			report.dataset.fetch = m.data }, ""`, server.URL))
	b.until(`report.dataset.fetch`)
	if got := b.ask(`report.dataset.fetch`); got != "refused" || len(reached) > 0 {
		b.Errorf("a worker's request: %s", got)
	}
}

// played plays a roll, and leaves its file in the directory: honest, forged and damaged. It gives the ledger's
// checkpoint.
func played(t *testing.T, dir string) (note string) {
	t.Helper()
	program := filepath.Join(dir, "watu")
	watu := func(name string, args ...string) string {
		c := exec.Command(name, args...)
		c.Env = append(os.Environ(), "WATU_DIR="+filepath.Join(dir, "ledger"))
		out, err := c.Output()
		if err != nil {
			t.Fatalf("%s %q: %v", name, args, err)
		}
		return string(out)
	}
	watu("go", "build", "-o", program, "../../watu")
	watu(program, "campaign", "new", "mine", "--system", "awaw")
	watu(program, "submit", "mine", "-e", "{turn: Spring 1940}")
	watu(program, "submit", "mine", "-e", "{facts: {cves: {Atlantic: 0}}}")
	watu(program, "submit", "mine", "-e", "{submarine warfare: {box: Atlantic, submarines: 8, asw: 34}, cards: []}")
	note = watu(program, "checkpoint", "mine")
	watu(program, "export", "mine", "-o", filepath.Join(dir, "honest.watu"))
	text, err := os.ReadFile(filepath.Join(dir, "honest.watu"))
	if err != nil {
		t.Fatal(err)
	}
	file, err := bundle.Read(bytes.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	forge(t, file)
	for name, data := range map[string][]byte{"forged.watu": file.Encode(), "damaged.watu": text[:len(text)-1]} {
		if err := os.WriteFile(filepath.Join(dir, name), data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return note
}

// forge changes a die, and makes every hash behind it anew.
func forge(t *testing.T, f *bundle.File) {
	t.Helper()
	var previous events.Hash
	for i, text := range f.Events {
		e, err := events.Decode(text)
		if err != nil {
			t.Fatal(err)
		}
		var p events.DiceRolled
		if e.Read(&p) {
			p.Dice[0] = p.Dice[0]%6 + 1
			e.Payload = events.EncodePayload(&p)
		}
		e.Previous = previous
		f.Events[i] = e.Encode()
		previous = events.LeafHash(f.Events[i])
	}
	f.Header.Head, f.Signed = previous, bundle.Signed{}
}

// browser is a tab with the page.
type browser struct {
	*testing.T
	ctx     context.Context
	fetched []string
}

// opened opens an address in a browser: $WATU_BROWSER, or a Chromium on the path.
func opened(t *testing.T, address string) *browser {
	t.Helper()
	path := ""
	for _, name := range []string{os.Getenv("WATU_BROWSER"), "chromium-headless-shell", "chromium", "google-chrome"} {
		if found, err := exec.LookPath(name); err == nil && path == "" {
			path = found
		}
	}
	if path == "" && os.Getenv("WATU_BROWSER_REQUIRED") != "" {
		t.Fatal("NOT TESTED: the page in a browser. There is none here: name one with $WATU_BROWSER")
	} else if path == "" {
		t.Skip("NOT TESTED: the page in a browser. There is none here: name one with $WATU_BROWSER")
	}
	options := append(slices.Clone(chromedp.DefaultExecAllocatorOptions[:]), chromedp.ExecPath(path),
		chromedp.NoSandbox, chromedp.DisableGPU, chromedp.WSURLReadTimeout(2*time.Minute))
	allocator, stop := chromedp.NewExecAllocator(context.Background(), options...)
	ctx, cancel := chromedp.NewContext(allocator, chromedp.WithErrorf(func(string, ...any) {}))
	t.Cleanup(func() { cancel(); stop() })
	b := &browser{T: t, ctx: ctx}
	err := chromedp.Listen(ctx, func(event any) {
		if e, is := event.(*network.EventRequestWillBeSent); is && !strings.HasPrefix(e.Request.URL, "blob:") {
			b.fetched = append(b.fetched, e.Request.URL)
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	b.do(chromedp.EmulateViewport(900, 1400))
	b.do(chromedp.Navigate(address))
	return b
}

func (b *browser) do(steps ...chromedp.Action[chromedp.Void]) {
	b.Helper()
	ctx, cancel := context.WithTimeout(b.ctx, time.Minute)
	defer cancel()
	if err := chromedp.Do(ctx, steps...); err != nil {
		b.Fatal(err)
	}
}

// ask evaluates an expression in the page.
func (b *browser) ask(expression string) string {
	b.Helper()
	text, err := chromedp.Run(b.ctx, chromedp.Evaluate[string](expression))
	if err != nil {
		b.Fatalf("%s: %v", expression, err)
	}
	return text
}

// until waits until an expression holds.
func (b *browser) until(expression string) {
	b.Helper()
	for end := time.Now().Add(time.Minute); b.ask("String(!!("+expression+"))") != "true"; {
		time.Sleep(20 * time.Millisecond)
		if time.Now().After(end) {
			b.Fatalf("waited in vain for %s:\n%s", expression, b.ask(`document.body.innerText`))
		}
	}
}

// choose gives the page a file, and waits until it is checked.
func (b *browser) choose(path string) {
	b.Helper()
	b.do(chromedp.SetUploadFiles("#file", []string{path}))
	b.until(fmt.Sprintf(`document.getElementById("report").dataset.checked === %q`, filepath.Base(path)))
}

// compare gives the page what is known from elsewhere.
func (b *browser) compare(head string) {
	b.Helper()
	b.ask(fmt.Sprintf(`head.value = %q, delete report.dataset.checked, head.dispatchEvent(new Event("change")), ""`,
		head))
	b.until(`report.dataset.checked`)
}

// says wants a verdict that is good or bad, and words of the report.
func (b *browser) says(verdict string, words ...string) {
	b.Helper()
	if got := b.ask(`report.querySelector(".verdict").className`); got != "verdict "+verdict {
		b.Errorf("the verdict is %q, not %s", got, verdict)
	}
	text := b.ask(`report.innerText`)
	for _, w := range words {
		if !strings.Contains(text, w) {
			b.Errorf("the report does not say %q:\n%s", w, text)
		}
	}
}
