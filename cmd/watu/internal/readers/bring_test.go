package readers

import (
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"
)

// A body that does not come to its end is waited for no longer than that; who has brought his waits for the
// answer as long as it takes.
func TestBring(t *testing.T) {
	const patience = 50 * time.Millisecond
	ends := make(chan error, 2)
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		LimitBodyTime(w, r, patience)
		_, err := io.Copy(io.Discard, r.Body)
		if err == nil {
			select {
			case <-r.Context().Done(): // as when the deadline passes still
				err = r.Context().Err()
			case <-time.After(4 * patience):
			}
		}
		ends <- err
	}))
	defer s.Close()
	c, err := net.Dial("tcp", s.Listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	fmt.Fprint(c, "POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000\r\n\r\nhalf of it")
	if err := <-ends; err == nil {
		t.Error("a body that does not come is whole")
	}
	a, err := s.Client().Post(s.URL, "text/plain", strings.NewReader("all of it"))
	if err != nil {
		t.Fatal(err)
	}
	a.Body.Close()
	if err := <-ends; err != nil {
		t.Errorf("who has brought it all: %v", err)
	}
}
