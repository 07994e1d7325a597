package stream

import (
	"context"
	"errors"
	"fmt"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
	"github.com/oklog/ulid/v2"
)

// infoOf asks for the figures of a ledger's stream. The error may be [ErrNoStream],
// [ErrNoLeader] or [ErrForeign].
func infoOf(ctx context.Context, nc *nats.Conn, js jetstream.JetStream, ledger ulid.ULID) (*jetstream.StreamInfo, error) {
	info, err := askInfo(ctx, nc, js, StreamName(ledger))
	if err != nil {
		return nil, err
	}
	return info, foreign(ledger, info.Config.Subjects)
}

// askInfo asks for the figures of a stream. A cluster that is choosing a leader may drop a
// request, so it is asked again before its silence is believed.
func askInfo(ctx context.Context, nc *nats.Conn, js jetstream.JetStream, name string) (*jetstream.StreamInfo, error) {
	const attempts = 3
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
			return s.CachedInfo(), nil
		case errors.Is(err, jetstream.ErrStreamNotFound):
			return nil, fmt.Errorf("%s: %w", name, ErrNoStream)
		case !isTimeout(err) || ctx.Err() != nil || i == attempts:
			return nil, explain("ask for stream "+name, inCluster(nc, err))
		}
	}
}

// inCluster names the cause when a cluster is silent, or says that nobody is there to answer:
// one server says so only when it keeps no streams, a cluster also while it has no leader.
func inCluster(nc *nats.Conn, err error) error {
	silent := isTimeout(err) || errors.Is(err, nats.ErrNoResponders) || errors.Is(err, jetstream.ErrJetStreamNotEnabled)
	if silent && nc.ConnectedClusterName() != "" {
		return fmt.Errorf("%w: %w", ErrNoLeader, err)
	}
	return err
}

// leaderless reports whether a cluster keeps the stream and none of its servers leads it.
func leaderless(info *jetstream.StreamInfo) bool {
	return info.Cluster != nil && info.Cluster.Leader == ""
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
