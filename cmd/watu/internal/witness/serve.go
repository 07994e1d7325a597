package witness

import (
	"context"
	"errors"
	"io"
	"log"
	"net"
	"net/http"
	"strings"
	"time"
)

// mostBody is how long a request may be: a note may carry many signatures.
const mostBody = 64 << 10

// Handler answers as a witness does.
func (w *Witness) Handler() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("POST /add-checkpoint", func(a http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(http.MaxBytesReader(a, r.Body, mostBody))
		var long *http.MaxBytesError
		switch {
		case errors.As(err, &long):
			err = refused(http.StatusRequestEntityTooLarge, "a request has at most %d bytes", mostBody)
		case err != nil:
			err = refused(http.StatusBadRequest, "the request was cut short")
		}
		line := ""
		if err == nil {
			line, err = w.add(string(body))
		}
		w.answer(a, line, err)
	})
	mux.HandleFunc("GET /{origin}/checkpoint", func(a http.ResponseWriter, r *http.Request) {
		note := w.largest(r.PathValue("origin"))
		if note == "" {
			w.answer(a, "", refused(http.StatusNotFound, "this witness has cosigned no such campaign"))
			return
		}
		w.answer(a, note, nil)
	})
	return mux
}

// largest gives the largest checkpoint of a campaign, "" if there is none.
func (w *Witness) largest(origin string) string {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, h := range w.heads {
		if h.origin == origin {
			return h.note
		}
	}
	return ""
}

func (w *Witness) answer(a http.ResponseWriter, text string, err error) {
	kind, status := "text/plain; charset=utf-8", http.StatusOK
	var no *refusal
	switch {
	case errors.As(err, &no):
		if text, status = no.text, no.status; status == http.StatusConflict {
			kind = "text/x.tlog.size"
		}
	case err != nil:
		w.say("a checkpoint could not be cosigned: " + strings.ReplaceAll(err.Error(), "\n", "; "))
		text, status = "the witness failed\n", http.StatusInternalServerError
	}
	a.Header().Set("Content-Type", kind)
	a.WriteHeader(status)
	_, _ = io.WriteString(a, text) // who hung up needs no answer
}

// Serve answers until ctx ends.
func (w *Witness) Serve(ctx context.Context, l net.Listener) error {
	s := &http.Server{
		Handler: w.Handler(), ReadHeaderTimeout: 5 * time.Second, ReadTimeout: 10 * time.Second,
		WriteTimeout: 20 * time.Second, IdleTimeout: 2 * time.Minute, MaxHeaderBytes: 16 << 10,
		ErrorLog: log.New(io.Discard, "", 0), // strangers' handshakes
	}
	ended := make(chan error, 1)
	go func() { ended <- s.Serve(l) }()
	select {
	case err := <-ended:
		return err
	case <-ctx.Done():
	}
	late, cancel := context.WithTimeout(context.WithoutCancel(ctx), 4*time.Second)
	defer cancel()
	if s.Shutdown(late) != nil { // a client that stopped reading is not waited for
		return s.Close()
	}
	return nil
}
