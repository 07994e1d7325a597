package maintenance

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"time"

	"github.com/watu-ledger/watu/cmd/watu/internal/readers"
)

// patience is how long a client may take to send a request's head.
const patience = 10 * time.Second

// bringing is how long a body may take to come: a board, or a file that is imported, from a slow disk. idle is
// how long a connection may stay that asks nothing.
const (
	bringing = 5 * time.Minute
	idle     = 2 * time.Minute
)

// patient has next wait for bodies, and not for ever.
func patient(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		readers.LimitBodyTime(w, r, bringing)
		next.ServeHTTP(w, r)
	})
}

// Serve answers on the directory's socket until ctx ends, then lets requests under way finish:
// a turn file up to the end of an entry. ready receives the socket's path. If the ledger fails meanwhile,
// that is reported, reading goes on, and it is the error at the end.
func (h *Host) Serve(ctx context.Context, handler http.Handler, ready func(socket string)) error {
	l, path, err := listen(h.dir)
	if err != nil {
		return fmt.Errorf("socket: %w", err)
	}
	base, end := context.WithCancel(context.Background())
	defer end()
	s := &http.Server{
		Handler: patient(handler), ReadHeaderTimeout: patience, IdleTimeout: idle,
		BaseContext: func(net.Listener) context.Context { return base },
	}
	done := make(chan error, 1)
	go func() { done <- s.Serve(l) }()
	late, cancel := after(ctx, RequestDeadline)
	ready(path)
	select {
	case err := <-done:
		cancel()
		removeSocket(h.dir)
		return fmt.Errorf("socket: %w", err)
	case <-h.failing:
		h.say(h.Failed().Error() + "; what is recorded can be read until then")
		<-ctx.Done()
	case <-ctx.Done():
	}
	end() // those who follow the log would never finish
	// A step that waits for a stream which does not come is answered that it is not confirmed.
	defer time.AfterFunc(patience/5, h.lease.hasten).Stop()
	shut := closer{late, cancel, "the socket is not closed", func(late context.Context) error {
		defer removeSocket(h.dir)
		if s.Shutdown(late) != nil { // a client that stopped reading must not hold the ledger for ever
			_ = s.Close()
		}
		if err := <-done; !errors.Is(err, http.ErrServerClosed) {
			return err
		}
		return nil
	}}
	if err := shut.end(); err != nil || h.reads {
		return err
	}
	return h.Failed()
}
