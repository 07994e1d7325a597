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
func infoOf(ctx context.Context, nc *nats.Conn, js jetstream.JetStream,
	ledger ulid.ULID) (*jetstream.StreamInfo, error) {
	info, err := askInfo(ctx, nc, js, StreamName(ledger))
	if err != nil {
		return nil, err
	}
	return info, foreign(ledger, info.Config.Subjects)
}

// askInfo asks for the figures of a stream.
func askInfo(ctx context.Context, nc *nats.Conn, js jetstream.JetStream, name string) (*jetstream.StreamInfo, error) {
	var s jetstream.Stream
	err := askAgain(ctx, nc, answerWait/askTimes, "$JS.API.STREAM.INFO."+name, func(ctx context.Context) (err error) {
		s, err = js.Stream(ctx, name)
		return err
	})
	switch {
	case err == nil:
		return s.CachedInfo(), nil
	case errors.Is(err, jetstream.ErrStreamNotFound):
		return nil, fmt.Errorf("%s: %w", name, ErrNoStream)
	}
	return nil, explain("ask for stream "+name, inCluster(nc, err))
}

// setReplicas changes how many servers of a cluster keep a stream.
func setReplicas(
	ctx context.Context, nc *nats.Conn, js jetstream.JetStream, is jetstream.StreamConfig, replicas int,
) error {
	if is.Replicas == replicas {
		return nil
	}
	is.Replicas = replicas
	err := askAgain(ctx, nc, answerWait, "$JS.API.STREAM.UPDATE."+is.Name, func(ctx context.Context) error {
		_, err := js.UpdateStream(ctx, is)
		return err
	})
	switch codeOf(err) {
	case codeNoPeers, codeNotClustered, codeReplicasFixed, codeNoResources:
		return tooFew(is.Name, replicas, err)
	}
	return explain("change the replicas of stream "+is.Name, err)
}

// tooFew says that there are fewer servers than replicas of a stream.
func tooFew(name string, replicas int, err error) error {
	return fmt.Errorf("%w: %d of stream %s need as many servers with jetstream in one cluster: %w",
		ErrReplicas, replicas, name, err)
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
	return fmt.Errorf(
		"%w: stream %s keeps the subjects %q and not %s: connect to another server or account, or delete it there",
		ErrForeign, StreamName(ledger), subjects, everySubject(ledger))
}

// everySubject is what a ledger's stream keeps.
func everySubject(ledger ulid.ULID) string { return allSubjects(ledger, "log", ulid.ULID{}) }
