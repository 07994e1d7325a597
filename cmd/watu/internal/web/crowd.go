package web

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"slices"
	"strings"
	"sync"
	"time"

	"golang.org/x/time/rate"
)

// Limits are how much one address, or one token, may have at a time. The zero value is ready for use.
type Limits struct {
	Connections int            // and requests under way; 0 is 128
	Streams     int            // of events; 0 is 64
	Rate        int            // requests a second; 0 is 100
	Held        int            // requests under way with one token, from wherever; 0 is 32
	Trusted     []netip.Prefix // proxies, whose word for whom they ask is taken
}

// nearer is how many times as much this machine itself may have: tests, the umpire's tools, and a proxy that
// nobody has named.
const nearer = 8

// spare is how many connections beyond the limit are answered 429. Of more, each is closed at once.
const spare = 16

// crowd counts what every address has, and what comes with every token. An address of IPv6 is its network of 64 bits,
// of which one host has as many as it likes.
type crowd struct {
	limits Limits
	held   func(*http.Request) []string // ids of the tokens of a request that open something

	mu       sync.Mutex
	open     map[netip.Addr]int // connections
	underWay map[netip.Addr]int // requests
	streams  map[netip.Addr]int
	with     map[string]int // requests, by token
	pace     map[netip.Addr]*rate.Limiter
	swept    time.Time
}

func crowdOf(l Limits, held func(*http.Request) []string) *crowd {
	if l.Connections == 0 {
		l.Connections = 128
	}
	if l.Streams == 0 {
		l.Streams = 64
	}
	if l.Rate == 0 {
		l.Rate = 100
	}
	if l.Held == 0 {
		l.Held = 32
	}
	return &crowd{
		limits: l, held: held, open: map[netip.Addr]int{}, underWay: map[netip.Addr]int{},
		streams: map[netip.Addr]int{}, with: map[string]int{}, pace: map[netip.Addr]*rate.Limiter{},
	}
}

// addressOf is the address that something at "host:port" counts for.
func addressOf(hostPort string) netip.Addr {
	at, err := netip.ParseAddrPort(hostPort)
	if err != nil {
		return netip.Addr{}
	}
	return counted(at.Addr())
}

func counted(a netip.Addr) netip.Addr {
	if a = a.Unmap().WithZone(""); a.Is6() && !a.IsLoopback() {
		if network, err := a.Prefix(64); err == nil {
			return network.Addr()
		}
	}
	return a
}

// trusts reports whether an address is a proxy's whose word is taken.
func (c *crowd) trusts(a netip.Addr) bool {
	return slices.ContainsFunc(c.limits.Trusted, func(p netip.Prefix) bool { return p.Contains(a) })
}

// asks is for whom a request counts: its sender, or where that is a trusted proxy, the last address of
// X-Forwarded-For that is none. What stands before that anybody may have written.
func (c *crowd) asks(r *http.Request) netip.Addr {
	at, err := netip.ParseAddrPort(r.RemoteAddr)
	if err != nil {
		return netip.Addr{}
	}
	from := at.Addr().Unmap().WithZone("")
	through := strings.Split(strings.Join(r.Header.Values("X-Forwarded-For"), ","), ",")
	for _, text := range slices.Backward(through) {
		if !c.trusts(from) {
			break
		}
		text = strings.TrimSpace(text)
		next, err := netip.ParseAddr(strings.Trim(text, "[]"))
		if err != nil {
			if next = addrPort(text); !next.IsValid() {
				break
			}
		}
		from = next.Unmap().WithZone("")
	}
	return counted(from)
}

// addrPort reads an address that some proxies write with a port.
func addrPort(text string) netip.Addr {
	at, _ := netip.ParseAddrPort(text)
	return at.Addr()
}

// most is a limit for an address.
func most(limit int, a netip.Addr) int {
	if a.IsLoopback() {
		return nearer * limit
	}
	return limit
}

// enter counts something of an address in, unless it has as many as it may.
func (c *crowd) enter(counts map[netip.Addr]int, a netip.Addr, limit int) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if counts[a] >= most(limit, a) {
		return false
	}
	counts[a]++
	return true
}

func (c *crowd) leave(counts map[netip.Addr]int, a netip.Addr) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if counts[a]--; counts[a] == 0 {
		delete(counts, a)
	}
}

// soon is after how long a token that has as many requests under way as it may is asked about once more: who is
// refused at once asks again at once.
const soon = time.Second

// enterSoon is enterWith, and where that is too many, once more after a while.
func (c *crowd) enterSoon(ctx context.Context, held []string) bool {
	if c.enterWith(held) {
		return true
	}
	select {
	case <-time.After(soon):
		return c.enterWith(held)
	case <-ctx.Done():
		return false
	}
}

// enterWith counts a request in that brings these tokens, unless one of them has as many as it may.
func (c *crowd) enterWith(held []string) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, token := range held {
		if c.with[token] >= c.limits.Held {
			return false
		}
	}
	for _, token := range held {
		c.with[token]++
	}
	return true
}

func (c *crowd) leaveWith(held []string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, token := range held {
		if c.with[token]--; c.with[token] == 0 {
			delete(c.with, token)
		}
	}
}

// limited is a listener that counts connections by address.
type limited struct {
	net.Listener
	crowd *crowd
}

// Accept waits for the next connection that may be there.
func (l limited) Accept() (net.Conn, error) {
	for {
		conn, err := l.Listener.Accept()
		if err != nil {
			return conn, err
		}
		at := addressOf(conn.RemoteAddr().String())
		if l.crowd.trusts(at) {
			return conn, nil
		}
		of := most(l.crowd.limits.Connections, at)
		l.crowd.mu.Lock()
		l.crowd.open[at]++
		n := l.crowd.open[at]
		l.crowd.mu.Unlock()
		x := &connection{Conn: conn, over: n > of, left: sync.OnceFunc(func() { l.crowd.leave(l.crowd.open, at) })}
		if n <= of+spare {
			return x, nil
		}
		_ = x.Close()
	}
}

// connection is one that is counted until it closes.
type connection struct {
	net.Conn
	over bool // its address has too many
	left func()
}

// CloseWrite ends what is sent: so the last answer is read before the connection is gone.
func (c *connection) CloseWrite() error {
	if t, ok := c.Conn.(interface{ CloseWrite() error }); ok {
		return t.CloseWrite()
	}
	return nil
}

// Close counts it out.
func (c *connection) Close() error {
	c.left()
	return c.Conn.Close()
}

type overKey struct{}

// connected notes of the requests of a connection that there are too many of its address.
func connected(ctx context.Context, c net.Conn) context.Context {
	if secured, ok := c.(interface{ NetConn() net.Conn }); ok {
		c = secured.NetConn()
	}
	if x, ok := c.(*connection); ok && x.over {
		return context.WithValue(ctx, overKey{}, true)
	}
	return ctx
}

// requests lets so many requests of an address be under way.
func (c *crowd) requests(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		at := c.asks(r)
		if r.Context().Value(overKey{}) != nil {
			w.Header().Set("Connection", "close")
			tooMany(w, r, "has %d connections, and may have no more; close some, and ask again",
				most(c.limits.Connections, at))
			return
		}
		if held := c.held(r); len(held) > 0 { // the table's own people are few
			if !c.enterSoon(r.Context(), held) {
				refuseMore(w, r, "your token has %d requests under way, and may have no more; ask again when they "+
					"are answered", c.limits.Held)
				return
			}
			defer c.leaveWith(held)
			next.ServeHTTP(w, r)
			return
		}
		if !c.enter(c.underWay, at, c.limits.Connections) {
			tooMany(w, r, "has %d requests under way, and may have no more; ask again when they are answered",
				most(c.limits.Connections, at))
			return
		}
		defer c.leave(c.underWay, at)
		if !c.paced(r.Context(), at) {
			tooMany(w, r, "may ask %d times a second; ask more slowly", most(c.limits.Rate, at))
			return
		}
		next.ServeHTTP(w, r)
	})
}

// unhurried is how long a request waits for its turn, where its address asks faster than it may.
const unhurried = 5 * time.Second

// paced waits until an address may ask again; false if that is too long, or it has gone. So much as it may ask
// in two seconds it may ask at once.
func (c *crowd) paced(ctx context.Context, a netip.Addr) bool {
	c.mu.Lock()
	l := c.pace[a]
	if l == nil {
		c.sweep()
		of := most(c.limits.Rate, a)
		l = rate.NewLimiter(rate.Limit(of), 2*of)
		c.pace[a] = l
	}
	turn := l.Reserve()
	c.mu.Unlock()
	wait := turn.Delay()
	if wait == 0 {
		return true
	}
	if wait > unhurried {
		turn.Cancel()
		return false
	}
	select {
	case <-time.After(wait):
		return true
	case <-ctx.Done():
		turn.Cancel()
		return false
	}
}

// strangers is how many addresses are remembered before those are forgotten that ask no more.
const strangers = 4096

// sweep forgets addresses that have not asked for two seconds. The lock is held.
func (c *crowd) sweep() {
	if len(c.pace) < strangers || time.Since(c.swept) < time.Second {
		return
	}
	c.swept = time.Now()
	for a, l := range c.pace {
		if l.Tokens() >= float64(l.Burst()) {
			delete(c.pace, a)
		}
	}
}

// following lets an address have so many streams.
func (c *crowd) following(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		at := c.asks(r)
		if !c.enter(c.streams, at, c.limits.Streams) {
			tooMany(w, r, "has %d streams, and may have no more; close some, and ask again", most(c.limits.Streams, at))
			return
		}
		defer c.leave(c.streams, at)
		next.ServeHTTP(w, r)
	})
}

// tooMany says that an address has as much as it may: why goes on after "your address", and names how much that is.
func tooMany(w http.ResponseWriter, r *http.Request, why string, most int) {
	refuseMore(w, r, "your address "+why, most)
}

// refuseMore answers 429.
func refuseMore(w http.ResponseWriter, r *http.Request, why string, most int) {
	w.Header().Set("Retry-After", "10")
	w.Header().Set("Cache-Control", "no-store")
	deny(w, r, fmt.Sprintf(why, most), http.StatusTooManyRequests)
}
