package web_test

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"regexp"
	"runtime"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	cdpruntime "github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
)

// These tests look at the pages with a real browser, one process for all of them, a context of its own
// for each test. It is $WATU_BROWSER, or a Chromium or Chrome on the path; "none" is none. Without one
// they are skipped, loudly; with WATU_BROWSER_REQUIRED they fail. A headless shell draws the same pages
// as a browser with windows, with half the CPU time.

func TestMain(m *testing.M) {
	_ = flag.Set("test.parallel", strconv.Itoa(3*runtime.GOMAXPROCS(0))) // they wait more than they compute
	// One process has a hundred servers, and each would keep its memory small.
	debug.SetMemoryLimit(4 << 30)
	code := m.Run()
	for _, end := range slices.Backward(ends.list) {
		end()
	}
	os.Exit(code)
}

// ends stops what the tests share, the newest first.
var ends struct {
	sync.Mutex
	list []func()
}

func atEnd(end func()) {
	ends.Lock()
	defer ends.Unlock()
	ends.list = append(ends.list, end)
}

// beside has a test run beside others. The browser starts meanwhile: after TestGracefulStop, which runs alone.
func beside(t *testing.T) {
	go chrome()
	t.Parallel()
}

// names are what a browser may be called.
var names = []string{"chromium-headless-shell", "headless-shell", "headless_shell", "chromium", "chromium-browser",
	"google-chrome", "google-chrome-stable", "chrome"}

func browserPath() string {
	if os.Getenv("WATU_BROWSER") == "none" {
		return ""
	}
	for _, name := range append([]string{os.Getenv("WATU_BROWSER")}, names...) {
		if name == "" {
			continue
		}
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	return ""
}

// chrome is the browser, started with the first test that wants it.
var chrome = sync.OnceValues(func() (context.Context, error) {
	path := browserPath()
	if path == "" {
		return nil, exec.ErrNotFound
	}
	options := append(slices.Clone(chromedp.DefaultExecAllocatorOptions[:]),
		chromedp.ExecPath(path), chromedp.NoSandbox, chromedp.DisableGPU,
		chromedp.Flag("disable-quic", true), chromedp.Flag("disable-component-update", true),
		chromedp.Flag("font-render-hinting", "none"), chromedp.WSURLReadTimeout(2*time.Minute),
	)
	allocator, stop := chromedp.NewExecAllocator(context.Background(), options...)
	quiet := chromedp.WithErrorf(func(string, ...any) {}) // what a newer browser says that the protocol does not know
	ctx, cancel := chromedp.NewContext(allocator, quiet)
	atEnd(func() { cancel(); stop() })
	return ctx, chromedp.Do(ctx)
})

// tab is a page in the browser. The test fails of any error in the console, exception, breach of the
// content security policy, request that fails and request to another host, unless it is expected.
type tab struct {
	testing.TB
	ctx  context.Context
	base string // URL of the server, without the slash at its end

	mu       sync.Mutex
	faults   []string
	expected []*regexp.Regexp
}

// patience is how long a page may take to come to what is waited for: that it never does fails the
// test, and on a busy machine it takes long.
const patience = time.Minute

// browse opens an empty tab, 1280 wide, on a light screen.
func browse(t testing.TB, base string) *tab {
	t.Helper()
	browser, err := chrome()
	if browserPath() == "" {
		text := "NOT TESTED: the pages in a browser. There is none here: install chromium (apt-get install " +
			"chromium), or name one with $WATU_BROWSER"
		if os.Getenv("WATU_BROWSER_REQUIRED") != "" {
			t.Fatal(text)
		}
		fmt.Fprintln(os.Stderr, text)
		t.Skip(text)
	}
	if err != nil {
		t.Fatalf("%s: %v", browserPath(), err)
	}
	b := &tab{TB: t, base: strings.TrimSuffix(base, "/")}
	var cancel context.CancelFunc
	b.ctx, cancel = chromedp.NewContext(browser, chromedp.WithNewBrowserContext())
	t.Cleanup(func() {
		b.mu.Lock()
		faults := b.faults
		b.faults, b.expected = nil, []*regexp.Regexp{regexp.MustCompile("")} // what ends with the tab is no fault
		b.mu.Unlock()
		cancel()
		for _, f := range faults {
			t.Errorf("the browser says: %s", f)
		}
	})
	if err := chromedp.Listen(b.ctx, b.heard); err != nil {
		t.Fatal(err)
	}
	b.do(chromedp.EmulateViewport(1280, 900))
	b.media("light")
	return b
}

// expect names a fault that the test brings about.
func (b *tab) expect(pattern string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.expected = append(b.expected, regexp.MustCompile(pattern))
}

// heard looks at what the browser reports.
func (b *tab) heard(event any) {
	fault := ""
	switch e := event.(type) {
	case *cdpruntime.EventConsoleAPICalled:
		if e.Type == "error" || e.Type == "warning" || e.Type == "assert" {
			text, _ := json.Marshal(e.Args)
			fault = fmt.Sprintf("console.%s %s", e.Type, text)
		}
	case *cdpruntime.EventExceptionThrown:
		fault = "exception: " + e.ExceptionDetails.Text
		if x := e.ExceptionDetails.Exception; x != nil {
			fault += " " + x.Description
		}
	case *log.EventEntryAdded: // also a breach of the content security policy
		bad := e.Entry.Level == log.EntryLevelError || e.Entry.Level == log.EntryLevelWarning
		if bad && e.Entry.Source != log.EntrySourceNetwork { // which is told below
			fault = fmt.Sprintf("%s: %s %s", e.Entry.Source, e.Entry.Text, e.Entry.URL)
		}
	case *network.EventRequestWillBeSent:
		if u := e.Request.URL; !strings.HasPrefix(u, b.base+"/") {
			fault = "request to another host: " + u
		}
	case *network.EventResponseReceived:
		if e.Response.Status >= 400 {
			fault = fmt.Sprintf("status %d: %s", e.Response.Status, e.Response.URL)
		}
	case *network.EventLoadingFailed:
		if !e.Canceled && e.ErrorText != "net::ERR_ABORTED" { // the page was left, or asked for another moment
			fault = fmt.Sprintf("request failed: %s %s %s", e.Type, e.ErrorText, e.BlockedReason)
		}
	}
	if fault == "" {
		return
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if !slices.ContainsFunc(b.expected, func(r *regexp.Regexp) bool { return r.MatchString(fault) }) {
		b.faults = append(b.faults, fault)
	}
}

func (b *tab) do(steps ...chromedp.Action[chromedp.Void]) {
	b.Helper()
	ctx, cancel := context.WithTimeout(b.ctx, patience)
	defer cancel()
	if err := chromedp.Do(ctx, steps...); err != nil {
		b.Fatal(err)
	}
}

// visit goes to a path of the server.
func (b *tab) visit(path string) {
	b.Helper()
	b.do(chromedp.Navigate(b.base + path))
}

// ask evaluates an expression in the page; one that is a promise is awaited.
func ask[T any](b *tab, expression string) T {
	b.Helper()
	ctx, cancel := context.WithTimeout(b.ctx, patience)
	defer cancel()
	v, err := chromedp.Run(ctx, chromedp.Evaluate[T](expression, chromedp.EvalAwaitPromise))
	if err != nil {
		b.Fatalf("%s: %v", expression, err)
	}
	return v
}

// until waits until an expression holds in the page.
func (b *tab) until(what, expression string) {
	b.Helper()
	for deadline := time.Now().Add(patience); time.Now().Before(deadline); time.Sleep(20 * time.Millisecond) {
		ctx, cancel := context.WithTimeout(b.ctx, patience)
		so, err := chromedp.Run(ctx, chromedp.Evaluate[bool]("!!("+expression+")"))
		cancel()
		if err == nil && so { // an error: the page is being left
			return
		}
	}
	b.Fatalf("waited in vain for %s at %s", what, ask[string](b, "location.href"))
}

// click clicks in the middle of the first element that the selector matches, once there is one.
func (b *tab) click(selector string) {
	b.Helper()
	b.until(selector, fmt.Sprintf("document.querySelector(%q)", selector))
	b.until("its faces, which move lines when they come late", `document.fonts.status === "loaded"`)
	var at, was []float64
	for range 250 { // what comes into sight is drawn then, and moves what is below it
		was, at = at, ask[[]float64](b, fmt.Sprintf(`(() => {
			const e = document.querySelector(%q);
			e.scrollIntoView({ block: "center", behavior: "instant" });
			const box = e.getBoundingClientRect();
			const drawn = e.checkVisibility({ contentVisibilityAuto: true }) ? 1 : 0;
			return [box.x + box.width / 2, box.y + box.height / 2, drawn];
		})()`, selector))
		if slices.Equal(was, at) && at[2] == 1 {
			break
		}
		b.do(chromedp.Sleep(40 * time.Millisecond))
	}
	b.do(chromedp.MouseClickXY(at[0], at[1]))
}

// media shows the page as on a screen that is "light" or "dark", without motion if still is among
// the rest.
func (b *tab) media(scheme string, rest ...string) {
	b.Helper()
	features := []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: scheme}}
	if slices.Contains(rest, "still") {
		features = append(features, &emulation.MediaFeature{Name: "prefers-reduced-motion", Value: "reduce"})
	}
	b.do(command(emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Features: features}))
}

// scriptless lets the page run no script.
func (b *tab) scriptless() {
	b.Helper()
	b.do(command(emulation.SetScriptExecutionDisabled, emulation.SetScriptExecutionDisabledParams{Value: true}))
}

// command is an action that sends a command of the protocol.
func command[P, R any](c cdp.Command[P, R], params P) chromedp.Action[chromedp.Void] {
	return chromedp.Func(func(ctx context.Context, t *chromedp.Target) error {
		_, err := cdp.Call(ctx, t, c, params)
		return err
	})
}

// mark leaves a mark in the window that no reload survives; marked reports whether it is there.
func (b *tab) mark()        { b.Helper(); ask[bool](b, "window.watuMark = true") }
func (b *tab) marked() bool { b.Helper(); return ask[bool](b, "window.watuMark === true") }

// text is what an element shows.
func (b *tab) text(selector string) string {
	b.Helper()
	return ask[string](b, fmt.Sprintf("document.querySelector(%q)?.innerText ?? %q", selector, "no "+selector))
}

// The browser that these tests watch with reports what they would fail of.
func TestBrowserTellsFaults(t *testing.T) {
	beside(t)
	s := faulty(t)
	b := browse(t, s)
	for _, want := range []string{
		"console.error", "exception: .*thrown", "status 404: .*/missing", "Content Security Policy",
		"request to another host: ", "request failed: ",
	} {
		b.expect(want)
	}
	b.visit("/")
	b.until("the script", "window.done")
	b.mu.Lock()
	if len(b.faults) > 0 {
		t.Errorf("beside what was expected: %q", b.faults)
	}
	b.expected = nil
	b.mu.Unlock()
	b.visit("/?again")
	b.until("the script", "window.done")
	b.mu.Lock()
	defer b.mu.Unlock()
	all := strings.Join(b.faults, "\n")
	for _, want := range []string{"console.error", "thrown", "status 404", "Content Security Policy", "another host"} {
		if !strings.Contains(all, want) {
			t.Errorf("no fault %q among\n%s", want, all)
		}
	}
	b.faults = nil
}

// faulty serves a page with everything on it that a page must not have.
func faulty(t *testing.T) string {
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/":
			w.Header().Set("Content-Security-Policy", "script-src 'self'; style-src 'self'")
			w.Header().Set("Content-Type", "text/html")
			io.WriteString(w,
				`<!doctype html><title>faulty</title><link rel="icon" href="/icon">
				<style>p { color: red }</style><script type="module" src="/faulty.js"></script>
				<img alt="" src="/missing">`)
		case "/icon":
		case "/faulty.js":
			w.Header().Set("Content-Type", "text/javascript")
			io.WriteString(w,
				`console.error("an error"); fetch("http://127.0.0.1:9/").catch(() => {})
				.finally(() => { window.done = true });
				throw new Error("thrown")`)
		default:
			http.NotFound(w, r)
		}
	}))
	t.Cleanup(s.Close)
	return s.URL
}
