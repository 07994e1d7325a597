package peers

import (
	"context"
	"iter"
	"path/filepath"

	"github.com/oklog/ulid/v2"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/events/ledger"
	"github.com/watu-ledger/watu/events/stream"
)

// watu is the record as a server keeps it: a ledger, and the outbox that publishes it on the
// embedded NATS.
type watu struct {
	*ledger.Ledger
	dir    string
	outbox *stream.Outbox // nil: the ledger alone
	hangup func()
}

func openWatu(dir string, publish bool) (*watu, error) {
	w := &watu{dir: filepath.Join(dir, "ledger")}
	var err error
	if w.Ledger, err = ledger.Open(w.dir, ledger.Options{}); err != nil || !publish {
		return w, err
	}
	server, err := stream.StartServer(stream.ServerOptions{StoreDir: filepath.Join(dir, "stream")})
	if err != nil {
		return nil, err
	}
	nc, err := server.Connect()
	if err != nil {
		return nil, err
	}
	w.hangup = func() { nc.Close(); server.Shutdown() }
	w.outbox, _, err = stream.Open(context.Background(), nc, w.Ledger, stream.Options{Heard: server.Heard})
	return w, err
}

func (w *watu) append(_ int, s *step) (known bool, err error) {
	for i := range s.Events {
		s.Events[i] = events.Encode(*s.Events[i].Event()) // which is the umpire's part of the work
	}
	a, err := w.Append(s.Step)
	return a.Replayed, err
}

// settle waits until the stream has acknowledged all that is durable.
func (w *watu) settle() error {
	if w.outbox == nil {
		return nil
	}
	return w.outbox.Drain(context.Background())
}

// Read lets a rebuild read the ledger as a server does.
func (w *watu) Read(campaign ulid.ULID, from, to uint64) iter.Seq2[events.Record, error] {
	return w.Walk(campaign, from, to)
}

// rest opens the ledger anew, which is all that is ever done to it: nothing is compacted but
// by Pebble itself.
func (w *watu) rest() (err error) {
	if err = w.Ledger.Close(); err == nil {
		w.Ledger, err = ledger.Open(w.dir, ledger.Options{})
	}
	return err
}

func (w *watu) close() error {
	if w.outbox != nil {
		w.outbox.Close()
		w.hangup()
	}
	return w.Ledger.Close()
}
