package stream

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// errAppeared says that a stream is there that was not a moment ago.
var errAppeared = errors.New("a stream with messages appeared")

// align makes the stream a clean prefix of the record: it is made when missing, kept when
// clean, made again when damaged. A stream that knows more or something else is left alone, and
// the error is a DivergedError; where it is known to have had more than the record, a ShortError.
func (c *comparison) align(ctx context.Context) (Report, error) {
	for {
		report, err := c.compareTwice(ctx)
		switch {
		case err != nil:
			return report, err
		case report.Diverged():
			return report, &DivergedError{Name: c.name, Report: report}
		}
		if short, err := c.lease.Lacking(c.log, report.Last); short != nil {
			return report, short
		} else if err != nil {
			return report, err
		}
		switch report.State {
		case New:
		case Damaged:
			report.State = Rebuilt
			return report, c.create(ctx, true)
		default:
			return report, c.reached(report.Published)
		}
		if err := c.create(ctx, false); !errors.Is(err, errAppeared) {
			return report, err
		}
	}
}

// compareTwice compares, and believes in damage only when it lasts: a server elsewhere that is
// just stopping calls every message missing, and one that was just made leader may lack the
// last ones for a moment.
func (c *comparison) compareTwice(ctx context.Context) (Report, error) {
	const times = 3
	for i := 1; ; i++ {
		report, err := c.compare(ctx)
		if err != nil || report.State != Damaged || c.embedded() || i == times {
			return report, err
		}
		select {
		case <-time.After(time.Second):
		case <-ctx.Done():
			return report, ctx.Err()
		}
	}
}

// embedded reports whether the server is our own, inside the process.
func (c *comparison) embedded() bool { return c.nc.Opts.InProcessServer != nil }

// create makes an empty stream, if again then in the place of one that is there. The server
// removes the files of a deleted stream in the background: a stream of the same name that is
// made at that moment may fail, or come back with the old messages (nats-server 2.15.2). So it
// is deleted and made until it is empty. Nothing is deleted unless again.
func (c *comparison) create(ctx context.Context, again bool) error {
	ctx, cancel := context.WithTimeout(ctx, 4*answerWait)
	defer cancel()
	pause := 5 * time.Millisecond
	for {
		if again {
			if err := c.remove(ctx); err != nil {
				return err
			}
		}
		info, err := c.createOnce(ctx)
		empty := err == nil && info.State.LastSeq == 0
		switch {
		case empty && c.leak(info.Config) == "":
			return nil
		case err == nil && !again:
			return errAppeared
		case lasting(err):
			return err
		}
		select {
		case <-time.After(pause):
			pause = min(2*pause, time.Second)
		case <-ctx.Done():
			if err == nil {
				err = errAppeared
			}
			return fmt.Errorf("create stream %s: %w", c.name, err)
		}
	}
}

func (c *comparison) createOnce(ctx context.Context) (*jetstream.StreamInfo, error) {
	var s jetstream.Stream
	config := c.config()
	if c.replicas == 0 && c.lease != nil { // as many as before: the bucket has been there all the time
		config.Replicas = max(1, c.lease.replicas(ctx))
	}
	err := ask(ctx, c.nc, "$JS.API.STREAM.CREATE."+c.name, func(ctx context.Context) (err error) {
		s, err = c.js.CreateStream(ctx, config)
		return err
	})
	switch {
	case err == nil:
		return s.CachedInfo(), nil
	case codeOf(err) == codeSubjectsOverlap:
		return nil, c.overlap(ctx)
	case codeOf(err) == codeNoPeers || codeOf(err) == codeNotClustered:
		return nil, tooFew(c.name, c.replicas, err)
	}
	return nil, explain("create stream "+c.name, inCluster(c.nc, err))
}

func (c *comparison) remove(ctx context.Context) error {
	if c.lease != nil {
		if err := c.lease.Valid(); err != nil {
			return err
		}
	}
	err := ask(ctx, c.nc, "$JS.API.STREAM.DELETE."+c.name, func(ctx context.Context) error {
		return c.js.DeleteStream(ctx, c.name)
	})
	if errors.Is(err, jetstream.ErrStreamNotFound) {
		return nil
	}
	return explain("delete stream "+c.name, inCluster(c.nc, err))
}

// overlap names the stream that has our subjects already.
func (c *comparison) overlap(ctx context.Context) error {
	subject := c.config().Subjects[0]
	name, err := c.js.StreamNameBySubject(ctx, subject)
	if err != nil {
		name = "another"
	}
	return fmt.Errorf(
		"%w: stream %s keeps subjects that overlap with %s: take them from it, or connect to another server or account",
		ErrForeign, name, subject)
}

// replicate changes the number of replicas where another is asked for.
func (c *comparison) replicate(ctx context.Context) error {
	if c.replicas == 0 {
		return nil
	}
	info, err := infoOf(ctx, c.nc, c.js, c.log.ID())
	if err != nil {
		return err
	}
	return setReplicas(ctx, c.nc, c.js, info.Config, c.replicas)
}

// Rebuild makes the stream anew from the record, whatever it holds, and returns when all that
// was durable at the call is published. It is for who has read the report of a diverged stream
// and wants the record to stand: what the stream alone knows is lost. A stream with other
// subjects than ours is left alone ([ErrForeign]). No outbox of the ledger may be open.
func Rebuild(ctx context.Context, nc *nats.Conn, log Log, opts Options) (Report, error) {
	o, err := prepare(ctx, nc, log, opts)
	if err != nil {
		return Report{}, err
	}
	report := Report{State: Rebuilt}
	info, err := infoOf(ctx, nc, o.js, log.ID())
	switch {
	case errors.Is(err, ErrNoStream):
		report.State = New
	case err != nil:
		return report, err
	default:
		report.Last = info.State.LastSeq
	}
	if err := o.create(ctx, report.State == Rebuilt); err != nil {
		return report, err
	}
	o.start()
	defer o.Close()
	err = o.Drain(ctx)
	s := o.Status()
	report.Published, report.Durable = s.Published, s.Durable
	if err == nil && o.lease != nil {
		err = o.lease.giveUp(log, s.Published)
	}
	return report, err
}
