package stream

import (
	"context"
	"errors"
	"fmt"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// What a caller may branch on. The error that wraps one of them says whom it is about, why, and
// where the remedy can be named.
var (
	// ErrTarget: what [Dial] was given is neither a URL nor the name of a usable context.
	ErrTarget = errors.New("not a usable NATS target")
	// ErrUnknownContext: no context of the nats CLI has this name.
	ErrUnknownContext = errors.New("unknown NATS context")
	// ErrUnreachable: no server answers as a NATS server does.
	ErrUnreachable = errors.New("no NATS server can be reached")
	// ErrUnauthorized: the server refuses the credentials, or wants some.
	ErrUnauthorized = errors.New("the NATS server refuses the credentials")
	// ErrTLS: the two sides do not agree on TLS, or do not trust each other's certificate.
	ErrTLS = errors.New("TLS with the NATS server failed")

	// ErrNoJetStream: the server keeps no streams.
	ErrNoJetStream = errors.New("the NATS server has no JetStream")
	// ErrNoJetStreamForAccount: the server keeps streams, not those of this account.
	ErrNoJetStreamForAccount = errors.New("JetStream is disabled for this account of the NATS server")
	// ErrDenied: the connection may not publish, subscribe or ask what it has to.
	ErrDenied = errors.New("the NATS server denies permission")
	// ErrReplicas: the server cannot keep as many copies of the stream as asked for.
	ErrReplicas = errors.New("the NATS server cannot keep that many replicas")
	// ErrForeign: a stream of our name or on our subjects is someone else's.
	ErrForeign = errors.New("the stream is not this ledger's")
	// ErrDiverged: the stream knows more than the record, or something else.
	ErrDiverged = errors.New("stream and record have diverged")
	// ErrNoStream: the stream does not exist.
	ErrNoStream = errors.New("no such stream")
	// ErrNoLeader: the stream, or the cluster that keeps it, has no leader at the moment. It is
	// there, and comes back when enough of its servers do.
	ErrNoLeader = errors.New("the stream has no leader at the moment")
	// ErrUnanswered: nobody answers for the stream, and the connection may not ask why.
	ErrUnanswered = errors.New("nobody answers for the stream: it does not exist, or has no leader at the moment")
	// ErrSilent: the server is there, and what it was asked for is not answered in time.
	ErrSilent = errors.New("the NATS server does not answer in time")
	// ErrNotStored: the server took a message and neither stored nor refused it. Once it could not write a stream, it
	// does not try again.
	ErrNotStored = errors.New("the server took it and did not store it; its log says why. " +
		"If its disk is full, make room and start it again")
	// ErrNotYet: a host with guests lets none of them read, since its stream is not its record's yet.
	ErrNotYet = errors.New("the host lets nobody read at the moment")
)

// Codes of the JetStream API that nats.go does not name.
const (
	codeNoPeers         jetstream.ErrorCode = 10005
	codeUnavailable     jetstream.ErrorCode = 10008
	codeNoResources     jetstream.ErrorCode = 10023
	codeTooManyStreams  jetstream.ErrorCode = 10027
	codeNoStorage       jetstream.ErrorCode = 10047
	codeReplicasFixed   jetstream.ErrorCode = 10061
	codeSubjectsOverlap jetstream.ErrorCode = 10065
	codeNotClustered    jetstream.ErrorCode = 10074
	codeMaxBytesWanted  jetstream.ErrorCode = 10113
	codeOffline         jetstream.ErrorCode = 10118
)

// codeOf gives the code of an answer of the JetStream API, 0 for another error.
func codeOf(err error) jetstream.ErrorCode {
	var answer *jetstream.APIError
	if errors.As(err, &answer) {
		return answer.ErrorCode
	}
	return 0
}

// explain says what was asked of the server when it failed, and names the cause.
func explain(asked string, err error) error {
	switch {
	case err == nil:
		return nil
	case errors.Is(err, ErrNoLeader):
		return fmt.Errorf("%s: %w", asked, err)
	case errors.Is(err, nats.ErrReconnectBufExceeded): // nothing is kept to send while it is away
		return fmt.Errorf("%s: %w: the connection broke", asked, ErrUnreachable)
	case errors.Is(err, nats.ErrNoResponders), errors.Is(err, jetstream.ErrJetStreamNotEnabled):
		return fmt.Errorf("%s: %w: start it with -js, or connect to one that has it", asked, ErrNoJetStream)
	case errors.Is(err, jetstream.ErrJetStreamNotEnabledForAccount):
		return fmt.Errorf("%s: %w: its operator can enable it", asked, ErrNoJetStreamForAccount)
	case isTimeout(err):
		return fmt.Errorf("%s: %w: %w", asked, ErrSilent, err)
	}
	switch codeOf(err) {
	case codeNoPeers, codeNotClustered, codeReplicasFixed:
		return fmt.Errorf("%s: %w: %w", asked, ErrReplicas, err)
	case codeUnavailable, codeOffline:
		return fmt.Errorf("%s: %w: %w", asked, ErrNoLeader, err)
	}
	return fmt.Errorf("%s: %w", asked, err)
}

// lasting reports whether asking again gives the same error.
func lasting(err error) bool {
	for _, e := range []error{ErrNoJetStream, ErrNoJetStreamForAccount, ErrDenied, ErrReplicas, ErrForeign} {
		if errors.Is(err, e) {
			return true
		}
	}
	switch codeOf(err) {
	case codeNoResources, codeTooManyStreams, codeNoStorage, codeMaxBytesWanted:
		return true
	}
	return false
}

// isTimeout reports whether the server did not answer in time.
func isTimeout(err error) bool {
	return errors.Is(err, context.DeadlineExceeded) || errors.Is(err, nats.ErrTimeout)
}
