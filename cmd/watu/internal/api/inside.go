package api

import (
	"io"
	"net/http"
	"sync"
)

// inside carries requests to a handler in this process, answers flowing as they are written,
// so that a command does the same with and without a server.
type inside struct {
	handler http.Handler
	running sync.WaitGroup
}

// RoundTrip implements http.RoundTripper.
func (t *inside) RoundTrip(r *http.Request) (*http.Response, error) {
	reader, writer := io.Pipe()
	w := &answer{header: http.Header{}, body: writer, begun: make(chan struct{})}
	if r.Body == nil {
		r = r.Clone(r.Context())
		r.Body = http.NoBody
	}
	t.running.Add(1)
	go func() {
		defer t.running.Done()
		t.handler.ServeHTTP(w, r)
		w.WriteHeader(http.StatusOK)
		_ = writer.Close()
	}()
	select {
	case <-w.begun:
	case <-r.Context().Done():
		_ = reader.Close()
		return nil, r.Context().Err()
	}
	return &http.Response{
		StatusCode: w.status, Status: http.StatusText(w.status), Header: w.header, Body: reader,
		ProtoMajor: 1, ProtoMinor: 1, Proto: "HTTP/1.1", ContentLength: -1, Request: r,
	}, nil
}

// answer is an http.ResponseWriter whose body is read at the other end of a pipe.
type answer struct {
	header http.Header
	body   *io.PipeWriter
	once   sync.Once
	begun  chan struct{}
	status int
}

func (a *answer) Header() http.Header { return a.header }

func (a *answer) WriteHeader(status int) {
	a.once.Do(func() {
		a.status = status
		close(a.begun)
	})
}

func (a *answer) Write(b []byte) (int, error) {
	a.WriteHeader(http.StatusOK)
	return a.body.Write(b)
}

// Flush implements http.Flusher: a pipe holds nothing back.
func (a *answer) Flush() {}
