package api

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/watu-ledger/watu/cmd/watu/internal/maintenance"
	"github.com/watu-ledger/watu/cmd/watu/internal/problem"
	"github.com/watu-ledger/watu/cmd/watu/internal/service"
	"github.com/watu-ledger/watu/events/ledger"
)

// Client speaks to a service: another process's, over its socket, or one in this process.
type Client struct {
	http    *http.Client
	service *service.Service // nil if another process holds the directory
	inside  *inside

	dir     string       // that another process holds
	say     func(string) // hears once that it does not answer; nil for nobody
	waiting sync.Once
}

// silence is how long a server may be silent before whoever asked hears whom he waits for. What it does may really
// take long, so it is not given up: Ctrl-C does that.
const silence = 10 * time.Second

// Dial finds the service of a directory: the server that holds it if there is one; else it
// opens the directory itself, as o says.
func Dial(ctx context.Context, dir string, o maintenance.Options) (*Client, error) {
	if c, ok := dialServer(ctx, dir, o.Say); ok {
		return c, nil
	}
	f, err := service.New(maintenance.OpenWhenFree(ctx, dir, o))
	if err == nil {
		return InProcess(f), nil
	}
	if errors.Is(err, ledger.ErrHeld) { // by a server that came meanwhile?
		if c, ok := dialServer(ctx, dir, o.Say); ok {
			return c, nil
		}
	}
	return nil, err
}

// DialInspect is [Dial] for a command that only looks: where no server holds the directory, nothing in it is
// written.
func DialInspect(ctx context.Context, dir string, o maintenance.Options) (*Client, error) {
	if c, ok := dialServer(ctx, dir, o.Say); ok {
		return c, nil
	}
	f, err := service.New(maintenance.Inspect(ctx, dir, o))
	if err != nil {
		return nil, err
	}
	return InProcess(f), nil
}

// dialServer finds the server that holds the directory. A socket elsewhere is named by the file SOCKET, which a copy of
// a directory has too: so whoever answers there has to hold this one.
func dialServer(ctx context.Context, dir string, say func(string)) (*Client, bool) {
	path, ok := maintenance.Socket(dir)
	if !ok {
		return nil, false
	}
	c := dialSocket(path)
	c.dir, c.say = dir, say
	if filepath.Dir(path) == filepath.Clean(dir) {
		return c, true
	}
	var s service.Status
	if err := c.Get(ctx, &s, "status"); err != nil {
		return nil, false
	}
	here, err := os.Stat(dir)
	there, gone := os.Stat(s.Directory)
	return c, err == nil && gone == nil && os.SameFile(here, there)
}

func dialSocket(path string) *Client {
	d := net.Dialer{Timeout: maintenance.DialWait}
	t := &http.Transport{DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
		return d.DialContext(ctx, "unix", path)
	}}
	return &Client{http: &http.Client{Transport: t}}
}

// Guest gives a client of a server elsewhere, by its URL. It goes nowhere else, and reads no more than [mostAnswer] of
// an answer: whoever runs that server is not believed.
func Guest(server *url.URL) *Client {
	return &Client{http: &http.Client{Timeout: guestWait, Transport: guestTransport{server},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}}
}

const (
	guestWait  = time.Minute // how long a server elsewhere may take
	mostAnswer = 8 << 20     // how many bytes it may answer
)

// guestTransport sends requests to a server elsewhere.
type guestTransport struct{ server *url.URL }

// elsewhere bounds what stands before an answer.
var elsewhere = func() *http.Transport {
	t := http.DefaultTransport.(*http.Transport).Clone()
	t.MaxResponseHeaderBytes = 64 << 10
	return t
}()

// RoundTrip implements [http.RoundTripper].
func (t guestTransport) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	r.URL.Scheme, r.URL.Host, r.Host = t.server.Scheme, t.server.Host, t.server.Host
	answer, err := elsewhere.RoundTrip(r)
	if err == nil {
		answer.Body = http.MaxBytesReader(nil, answer.Body, mostAnswer)
	}
	return answer, err
}

// InProcess gives a client of a service in this process. Close closes the service too.
func InProcess(f *service.Service) *Client {
	in := &inside{handler: Owner(f)}
	return &Client{http: &http.Client{Transport: in}, service: f, inside: in}
}

// Served reports whether another process answers.
func (c *Client) Served() bool { return c.service == nil }

// Close lets requests finish, but not for ever once the process is asked to end, and closes the service if it is in
// this process.
func (c *Client) Close() error {
	if c.service == nil {
		c.http.CloseIdleConnections()
		return nil
	}
	late, cancel := c.service.Requests()
	defer cancel()
	done := make(chan struct{})
	go func() { defer close(done); c.inside.running.Wait() }()
	select {
	case <-done:
	case <-late.Done():
	}
	return c.service.Close()
}

// Get asks for a value.
func (c *Client) Get(ctx context.Context, into any, path ...string) error {
	return c.do(ctx, http.MethodGet, Path(path...), nil, nil, into)
}

// Query asks for a value with a query.
func (c *Client) Query(ctx context.Context, into any, query url.Values, path ...string) error {
	return c.do(ctx, http.MethodGet, Path(path...), query, nil, into)
}

// Post sends a value and reads the answer.
func (c *Client) Post(ctx context.Context, body, into any, path ...string) error {
	return c.do(ctx, http.MethodPost, Path(path...), nil, body, into)
}

// Delete takes something away and reads the answer.
func (c *Client) Delete(ctx context.Context, into any, path ...string) error {
	return c.do(ctx, http.MethodDelete, Path(path...), nil, nil, into)
}

// Path joins the parts of a path below /api/v1, each escaped.
func Path(parts ...string) string {
	path := root
	for _, p := range parts {
		path += "/" + url.PathEscape(p)
	}
	return path
}

func (c *Client) do(ctx context.Context, method, path string, query url.Values, body, into any) error {
	answer, err := c.ask(ctx, method, path, query, body)
	if err != nil {
		return err
	}
	defer answer.Body.Close()
	if err := json.NewDecoder(answer.Body).Decode(into); ctx.Err() != nil {
		return ctx.Err()
	} else if err != nil {
		return &problem.Problem{Kind: problem.Failed, Message: fmt.Sprintf("the answer does not read: %v", err)}
	}
	return nil
}

// Lines sends a request whose answer is a value a line, and gives each line to take. A body may be nil.
func (c *Client) Lines(
	ctx context.Context, method string, query url.Values, body any, take func(line json.RawMessage) error,
	path ...string,
) error {
	answer, err := c.ask(ctx, method, Path(path...), query, body)
	if err != nil {
		return err
	}
	defer answer.Body.Close()
	lines := json.NewDecoder(answer.Body)
	for {
		var line json.RawMessage
		err := lines.Decode(&line)
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case errors.Is(err, io.EOF):
			return nil
		case err != nil:
			return gone("has gone away", err)
		}
		if err := take(line); err != nil {
			return err
		}
	}
}

// WithProgress asks for what takes long, and gives the result, or the error, or both. Seen hears how far it is and gets
// the pieces of a file, if it is one.
func WithProgress[T any](
	ctx context.Context, c *Client, method string, query url.Values, body any, seen func(ProgressLine[T]) error,
	path ...string,
) (result *T, err error) {
	err = c.Lines(ctx, method, query, body, func(line json.RawMessage) error {
		var l ProgressLine[T]
		if err := json.Unmarshal(line, &l); err != nil {
			return err
		}
		if l.Result != nil {
			result = l.Result
		}
		if l.Problem != nil {
			return l.Problem
		}
		return seen(l)
	}, path...)
	if result == nil && err == nil {
		err = &problem.Problem{Kind: problem.Unreachable, Message: "the server has gone away before the " +
			"answer was whole"}
	}
	return result, err
}

// gone is the problem of a server that does not answer any more.
func gone(how string, err error) *problem.Problem {
	return &problem.Problem{Kind: problem.Unreachable, Message: strings.ReplaceAll(fmt.Sprintf("the server %s: %v", how,
		err), "\n", "; ")}
}

// Fetch asks for an answer whose first line is a value and whose rest are bytes, which it gives.
func (c *Client) Fetch(ctx context.Context, into any, query url.Values, path ...string) ([]byte, error) {
	answer, err := c.ask(ctx, http.MethodGet, Path(path...), query, nil)
	if err != nil {
		return nil, err
	}
	defer answer.Body.Close()
	b, err := io.ReadAll(answer.Body)
	if ctx.Err() != nil {
		return nil, ctx.Err()
	} else if err != nil {
		return nil, gone("has gone away", err)
	}
	line, rest, _ := bytes.Cut(b, []byte("\n"))
	if err := json.Unmarshal(line, into); err != nil {
		return nil, &problem.Problem{Kind: problem.Failed, Message: fmt.Sprintf("the answer does not read: %v", err)}
	}
	return rest, nil
}

// Upload sends bytes and reads the answer.
func (c *Client) Upload(ctx context.Context, body []byte, into any, query url.Values, path ...string) error {
	return c.do(ctx, http.MethodPost, Path(path...), query, body, into)
}

// waits says once whom the asker waits for.
func (c *Client) waits() {
	c.waiting.Do(func() {
		who := ""
		if h := ledger.HeldBy(c.dir); h.PID != 0 {
			who = fmt.Sprintf(": %d, %s", h.PID, cmp.Or(h.Holder, "another program"))
		}
		c.say("waiting for the process that holds this directory" + who + "; it may be suspended or busy")
	})
}

// listened is an answer in whose middle a server may be silent, too.
type listened struct {
	io.ReadCloser
	client *Client
}

// Read implements io.Reader.
func (l *listened) Read(b []byte) (int, error) {
	defer time.AfterFunc(silence, l.client.waits).Stop()
	return l.ReadCloser.Read(b)
}

// ask sends a request and gives its answer, or the problem that was answered. A body of bytes is sent as it is.
func (c *Client) ask(ctx context.Context, method, path string, query url.Values, body any) (*http.Response, error) {
	var sent io.Reader
	kind := "application/json"
	if raw, ok := body.([]byte); ok {
		sent, kind = bytes.NewReader(raw), "application/octet-stream"
	} else if body != nil {
		b, err := json.Marshal(body)
		if err != nil {
			return nil, err
		}
		sent = bytes.NewReader(b)
	}
	r, err := http.NewRequestWithContext(ctx, method, "http://watu"+path+"?"+query.Encode(), sent)
	if err != nil {
		return nil, err
	}
	r.Header.Set("Content-Type", kind)
	if c.say != nil {
		defer time.AfterFunc(silence, c.waits).Stop()
	}
	answer, err := c.http.Do(r)
	if err != nil {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		return nil, gone("does not answer", errors.Unwrap(err))
	}
	if c.say != nil && !query.Has("follow") { // which waits for what happens
		answer.Body = &listened{answer.Body, c}
	}
	if answer.StatusCode == http.StatusOK {
		return answer, nil
	}
	defer answer.Body.Close()
	p := &ProblemDetails{}
	if err := json.NewDecoder(answer.Body).Decode(p); err != nil || p.Type == "" {
		return nil, fmt.Errorf("the server answers %s", answer.Status)
	}
	return nil, p.problem()
}
