package stream

import (
	"context"
	"errors"
	"fmt"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
	"github.com/oklog/ulid/v2"
)

// infoOf asks for the figures of a ledger's stream. A cluster that is choosing a leader may
// drop a request, so it is asked again before its silence is believed. The error may be
// [ErrNoStream] or [ErrForeign].
func infoOf(ctx context.Context, nc *nats.Conn, js jetstream.JetStream, ledger ulid.ULID) (*jetstream.StreamInfo, error) {
	const attempts = 3
	name := StreamName(ledger)
	for i := 1; ; i++ {
		var s jetstream.Stream
		err := ask(ctx, nc, "$JS.API.STREAM.INFO."+name, func(ctx context.Context) (err error) {
			ctx, cancel := context.WithTimeout(ctx, answerWait/attempts)
			defer cancel()
			s, err = js.Stream(ctx, name)
			return err
		})
		switch {
		case err == nil:
			return s.CachedInfo(), foreign(ledger, s.CachedInfo().Config.Subjects)
		case errors.Is(err, jetstream.ErrStreamNotFound):
			return nil, fmt.Errorf("%s: %w", name, ErrNoStream)
		case !isTimeout(err) || ctx.Err() != nil || i == attempts:
			return nil, explain("ask for stream "+name, err)
		}
	}
}

// foreign says whether a stream of a ledger's name keeps something else than its events: it is
// not ours to judge, and even less to delete.
func foreign(ledger ulid.ULID, subjects []string) error {
	if len(subjects) == 1 && subjects[0] == everySubject(ledger) {
		return nil
	}
	return fmt.Errorf("%w: stream %s keeps the subjects %q and not %s: connect to another server or account, or delete it there",
		ErrForeign, StreamName(ledger), subjects, everySubject(ledger))
}

// everySubject is what a ledger's stream keeps.
func everySubject(ledger ulid.ULID) string { return allSubjects(ledger, "log", ulid.ULID{}) }
