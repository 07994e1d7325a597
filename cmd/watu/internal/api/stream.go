package api

import (
	"net/http"
	"strings"
)

// streaming lets a stream through as it is written, and says in a problem why there is none.
func streaming(feed http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		feed.ServeHTTP(&stream{ResponseWriter: w}, r)
	})
}

// stream is the answer of a feed: events, or why they do not come.
type stream struct {
	http.ResponseWriter
	status int
}

// Unwrap gives what the stream is flushed by.
func (s *stream) Unwrap() http.ResponseWriter { return s.ResponseWriter }

// WriteHeader notes a status that is none of a stream.
func (s *stream) WriteHeader(status int) {
	if s.status = status; status < http.StatusBadRequest {
		s.ResponseWriter.WriteHeader(status)
	}
}

// Write sends events, or the problem that the words tell.
func (s *stream) Write(b []byte) (int, error) {
	if s.status < http.StatusBadRequest {
		return s.ResponseWriter.Write(b)
	}
	Refuse(s.ResponseWriter, s.status, strings.TrimSpace(string(b)))
	return len(b), nil
}
