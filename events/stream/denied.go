package stream

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/nats-io/nats.go"
)

// deniedPoll is how often a request that waits looks whether it was forbidden.
const deniedPoll = 20 * time.Millisecond

// denied says whether the server forbade the connection to publish to subject, or to receive
// any answer. A server reports that aside from the request, which it never answers.
func denied(nc *nats.Conn, subject string) error {
	err := nc.LastError()
	if !errors.Is(err, nats.ErrPermissionViolation) {
		return nil
	}
	inbox := cmp.Or(nc.Opts.InboxPrefix, strings.TrimSuffix(nats.InboxPrefix, "."))
	switch text := err.Error(); {
	case strings.Contains(text, `Publish to "`+subject+`"`):
		return fmt.Errorf("%w to publish to %s", ErrDenied, subject)
	case strings.Contains(text, `Subscription to "`+inbox+`.`):
		return fmt.Errorf(
			"%w to subscribe to %s.>, where answers come (a user with an inbox prefix of his own names it in a "+
				"context of the nats CLI)", ErrDenied, inbox)
	}
	return nil
}

// undenied gives a context that ends, with the reason as its cause, when the server forbids
// the connection to ask on subject. The second result must be called.
func undenied(ctx context.Context, nc *nats.Conn, subject string) (context.Context, func()) {
	ctx, cancel := context.WithCancelCause(ctx)
	go func() {
		look := time.NewTicker(deniedPoll)
		defer look.Stop()
		for {
			select {
			case <-ctx.Done():
				return
			case <-look.C:
				if err := denied(nc, subject); err != nil {
					cancel(err)
				}
			}
		}
	}()
	return ctx, func() { cancel(nil) }
}

// ask makes one request of the JetStream API, and gives up as soon as the server forbids it.
func ask(ctx context.Context, nc *nats.Conn, subject string, request func(context.Context) error) error {
	on, off := undenied(ctx, nc, subject)
	defer off()
	return caused(on, request(on))
}

// askTimes is how often a cluster is asked before its silence is believed: one that is choosing a leader
// may drop a request.
const askTimes = 3

// askAgain is [ask], again while nobody answers in time.
func askAgain(
	ctx context.Context, nc *nats.Conn, wait time.Duration, subject string, request func(context.Context) error,
) error {
	for i := 1; ; i++ {
		err := ask(ctx, nc, subject, func(ctx context.Context) error {
			ctx, cancel := context.WithTimeout(ctx, wait)
			defer cancel()
			return request(ctx)
		})
		if !isTimeout(err) || ctx.Err() != nil || i == askTimes {
			return err
		}
	}
}

// caused gives the denial that ended a request, if one did.
func caused(ctx context.Context, err error) error {
	if cause := context.Cause(ctx); err != nil && errors.Is(cause, ErrDenied) {
		return cause
	}
	return err
}

// mayPublish asks the server whether the connection may publish to the log of its ledger: by a
// message that every stream refuses, since no stream has the name that it expects. The answer
// is complete once the server has answered what was sent after it.
func (c *comparison) mayPublish(ctx context.Context) error {
	if c.embedded() {
		return nil
	}
	subject := LogSubject(c.log.ID(), c.log.ID(), otherType)
	probe := &nats.Msg{Subject: subject, Header: nats.Header{nats.ExpectedStreamHdr: []string{"none"}}}
	ctx, cancel := context.WithTimeout(ctx, answerWait)
	defer cancel()
	err := c.nc.PublishMsg(probe)
	if err == nil {
		err = c.nc.FlushWithContext(ctx)
	}
	if err != nil {
		return explain("publish to "+subject, err)
	}
	return denied(c.nc, subject)
}
