package stream

import (
	"io"
	"net"
	"sync"
	"testing"

	"github.com/watu-ledger/watu/events"
)

// detour carries connections to a server, until it is cut.
type detour struct {
	l  net.Listener
	to string

	mu    sync.Mutex
	off   bool
	conns map[net.Conn]bool
	all   sync.WaitGroup
}

func newDetour(t testing.TB, to string) *detour {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	check(t, err)
	d := &detour{l: l, to: to, conns: map[net.Conn]bool{}}
	d.all.Go(d.accept)
	t.Cleanup(func() {
		_ = l.Close()
		d.cut()
		d.all.Wait()
	})
	return d
}

func (d *detour) address() string { return d.l.Addr().String() }

func (d *detour) accept() {
	for {
		c, err := d.l.Accept()
		if err != nil {
			return
		}
		d.all.Go(func() { d.carry(c) })
	}
}

func (d *detour) carry(c net.Conn) {
	defer c.Close()
	s, err := net.Dial("tcp", d.to)
	if err != nil {
		return
	}
	defer s.Close()
	if !d.keep(c, s) {
		return
	}
	d.all.Go(func() {
		_, _ = io.Copy(s, c)
		_ = s.Close()
	})
	_, _ = io.Copy(c, s)
}

// keep notes the two ends of a way, unless it is cut.
func (d *detour) keep(ends ...net.Conn) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, c := range ends {
		d.conns[c] = true
	}
	return !d.off
}

func (d *detour) cut() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.off = true
	for c := range d.conns {
		_ = c.Close()
	}
	clear(d.conns)
}

func (d *detour) mend() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.off = false
}

func typeOf(t testing.TB, r events.Record) events.Type {
	t.Helper()
	id, err := identify(r.Bytes)
	check(t, err)
	return id.Type
}
