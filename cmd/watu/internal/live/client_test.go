package live

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"syscall"
	"testing"
)

// message is one that came over a stream.
type message struct {
	id, event, data string
}

// client reads a stream over a connection of its own.
type client struct {
	conn   net.Conn
	answer *http.Response
	lines  *bufio.Reader
	last   string // the id that it saw last, as a browser keeps it
}

// small is how much the sockets of the tests hold, so that a client who does not read is noticed soon.
const small = 16 << 10

// dial asks for a stream, with a last id if there is one.
func dial(address, path, last string) (*client, error) {
	d := net.Dialer{Control: func(_, _ string, c syscall.RawConn) error {
		var err error
		return errors.Join(c.Control(func(fd uintptr) {
			err = syscall.SetsockoptInt(int(fd), syscall.SOL_SOCKET, syscall.SO_RCVBUF, small)
		}), err)
	}}
	conn, err := d.Dial("tcp", address)
	if err != nil {
		return nil, err
	}
	text := "GET " + path + " HTTP/1.1\r\nHost: " + address + "\r\n"
	if last != "" {
		text += "Last-Event-ID: " + last + "\r\n"
	}
	if _, err := io.WriteString(conn, text+"\r\n"); err != nil {
		return nil, errors.Join(err, conn.Close())
	}
	read := bufio.NewReaderSize(conn, 4096)
	answer, err := http.ReadResponse(read, nil)
	if err != nil {
		return nil, errors.Join(err, conn.Close())
	}
	c := over(answer)
	c.conn, c.last = conn, last
	return c, nil
}

// over reads the stream that was answered with.
func over(answer *http.Response) *client {
	return &client{answer: answer, lines: bufio.NewReaderSize(answer.Body, 4096)}
}

// next gives the next whole message, or a comment as one that has nothing.
func (c *client) next() (message, error) {
	var m message
	for {
		line, err := c.lines.ReadString('\n')
		if err != nil {
			return message{}, err // what was cut short is no message
		}
		field, value, _ := strings.Cut(strings.TrimSuffix(line, "\n"), ": ")
		switch field {
		case "":
			if m.id != "" {
				c.last = m.id
			}
			return m, nil
		case "id":
			m.id = value
		case "event":
			m.event = value
		case "data":
			m.data = value
		}
	}
}

// await gives the next message of that kind.
func (c *client) await(event string) (message, error) {
	for {
		m, err := c.next()
		if err != nil || m.event == event {
			return m, err
		}
	}
}

// listen serves a feed on loopback, and gives the address. Its sockets hold little.
func listen(t testing.TB, f *Feed) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	mux := http.NewServeMux()
	mux.Handle("GET /campaigns/{c}/live", f)
	mux.Handle("GET /live", f)
	s := &http.Server{Handler: mux}
	done := make(chan error, 1)
	go func() { done <- s.Serve(narrow{l}) }()
	t.Cleanup(func() {
		if err := errors.Join(f.Close(), s.Shutdown(t.Context())); err != nil && t.Context().Err() == nil {
			t.Error(err)
		}
		if err := errors.Join(s.Close(), <-done); !errors.Is(err, http.ErrServerClosed) {
			t.Error(err)
		}
	})
	return l.Addr().String()
}

// narrow is a listener whose connections hold little that nobody reads.
type narrow struct{ net.Listener }

func (l narrow) Accept() (net.Conn, error) {
	c, err := l.Listener.Accept()
	if err != nil {
		return nil, err
	}
	return c, c.(*net.TCPConn).SetWriteBuffer(small)
}

// joined asks for a stream that is given, and ends with the test.
func joined(t testing.TB, address, path, last string) *client {
	t.Helper()
	c, err := dial(address, path, last)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.conn.Close() })
	if c.answer.StatusCode != http.StatusOK {
		t.Fatalf("%s: %s", path, c.answer.Status)
	}
	return c
}

// expect reads the events with these ids, no other in between, and gives them.
func (c *client) expect(first, last uint64) ([]message, error) {
	var list []message
	for id := first; id <= last; id++ {
		m, err := c.await("event")
		if err != nil {
			return list, fmt.Errorf("before event %d: %w", id, err)
		}
		if m.id != fmt.Sprint(id) {
			return list, fmt.Errorf("event %s came in the place of %d", m.id, id)
		}
		list = append(list, m)
	}
	return list, nil
}
