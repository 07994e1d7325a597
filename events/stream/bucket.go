package stream

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
	"github.com/oklog/ulid/v2"
)

// bucket is the JetStream key-value bucket in which a ledger's lease is kept.
type bucket struct {
	nc     *nats.Conn
	js     jetstream.JetStream
	kv     jetstream.KeyValue
	name   string
	stream string // of the ledger's events
	o      LeaseOptions
}

var (
	errRevision = errors.New("another revision is there")
	errNoBucket = errors.New("the bucket that kept it is gone")
)

// leaseBucket names the bucket of a ledger's lease.
func leaseBucket(ledger ulid.ULID) string { return "WATU_LEASE_" + ledger.String() }

func newBucket(nc *nats.Conn, ledger ulid.ULID, o LeaseOptions) (bucket, error) {
	js, err := jetstream.New(nc)
	if err != nil {
		return bucket{}, fmt.Errorf("jetstream: %w", err)
	}
	return bucket{nc: nc, js: js, name: leaseBucket(ledger), stream: StreamName(ledger), o: o}, nil
}

// open finds the bucket. It is made where a home may begin; one that a ledger remembers and that is
// not there is not made again, or whoever held it would not know.
func (b *bucket) open(ctx context.Context) error {
	err := b.find(ctx)
	switch {
	case errors.Is(err, jetstream.ErrBucketNotFound) && (b.o.Home == "" || b.o.Begin):
		return b.create(ctx)
	case errors.Is(err, jetstream.ErrBucketNotFound):
		return b.fits(leaseValue{}, 0)
	case err != nil:
		return explain("ask for the bucket "+b.name, inCluster(b.nc, err))
	}
	return b.replicate(ctx)
}

func (b *bucket) find(ctx context.Context) error {
	return askAgain(ctx, b.nc, answerWait, "$JS.API.STREAM.INFO.KV_"+b.name, func(ctx context.Context) (err error) {
		b.kv, err = b.js.KeyValue(ctx, b.name)
		return err
	})
}

// HomeOf gives the id of the home that a ledger has on a server elsewhere, "" if it never had one there,
// and how far its stream is known to have been published. It takes no lease, and may be behind.
func HomeOf(ctx context.Context, nc *nats.Conn, ledger ulid.ULID) (id string, published uint64, err error) {
	b, err := newBucket(nc, ledger, LeaseOptions{})
	if err != nil {
		return "", 0, err
	}
	if err := b.find(ctx); errors.Is(err, jetstream.ErrBucketNotFound) {
		return "", 0, nil
	} else if err != nil {
		return "", 0, explain("ask for the bucket "+b.name, inCluster(nc, err))
	}
	v, _, err := b.read(ctx)
	return v.Home, v.Published, err
}

// replicas is how many servers keep the bucket, 0 if that is not known.
func (b *bucket) replicas(ctx context.Context) int {
	s, err := b.js.Stream(ctx, "KV_"+b.name)
	if err != nil {
		return 0
	}
	return s.CachedInfo().Config.Replicas
}

// create makes the bucket, on as many servers as keep the stream.
func (b *bucket) create(ctx context.Context) error {
	replicas := b.o.Replicas
	if s, err := b.js.Stream(ctx, b.stream); err == nil && replicas == 0 {
		replicas = s.CachedInfo().Config.Replicas
	}
	err := askAgain(ctx, b.nc, answerWait, "$JS.API.STREAM.CREATE.KV_"+b.name, func(ctx context.Context) (err error) {
		b.kv, err = b.js.CreateKeyValue(ctx, jetstream.KeyValueConfig{
			Bucket: b.name, Description: "watu: who may take steps in a ledger",
			Storage: jetstream.FileStorage, Replicas: max(1, replicas),
		})
		return err
	})
	if errors.Is(err, jetstream.ErrBucketExists) {
		b.kv, err = b.js.KeyValue(ctx, b.name)
	}
	if err == nil {
		b.settle(ctx)
	}
	return explain("create the bucket "+b.name, inCluster(b.nc, err))
}

// settle gives the servers of a cluster time to answer for a bucket that was made just now. Whether they do then, who
// asks next finds out.
func (b *bucket) settle(ctx context.Context) {
	for begun := time.Now(); time.Since(begun) < answerWait && ctx.Err() == nil; time.Sleep(20 * time.Millisecond) {
		if _, _, err := b.read(ctx); !errors.Is(err, ErrNoLeader) {
			return
		}
	}
}

// replicate changes the number of replicas where another is asked for.
func (b *bucket) replicate(ctx context.Context) error {
	if b.o.Replicas == 0 {
		return nil
	}
	info, err := askInfo(ctx, b.nc, b.js, "KV_"+b.name)
	if err != nil {
		return err
	}
	return setReplicas(ctx, b.nc, b.js, info.Config, b.o.Replicas)
}

// fits fails if the lease is not that of the home which the ledger remembers.
func (b *bucket) fits(v leaseValue, revision uint64) error {
	switch {
	case b.o.Begin || v.Home == b.o.Home || b.o.Home == "":
		return nil
	case revision == 0:
		return fmt.Errorf("%w: this server has no lease of it: it is another server, or the lease was deleted", ErrHome)
	}
	return fmt.Errorf("%w: the ledger remembers home %s, and this is home %s", ErrHome, b.o.Home, v.Home)
}

// read gives what the lease holds and its revision, 0 if there is none. It may be stale.
func (b *bucket) read(ctx context.Context) (v leaseValue, revision uint64, err error) {
	ctx, cancel := context.WithTimeout(ctx, answerWait)
	defer cancel()
	e, err := b.kv.Get(ctx, leaseKey)
	switch {
	case errors.Is(err, jetstream.ErrKeyNotFound):
		return v, 0, nil
	case errors.Is(err, nats.ErrNoResponders), errors.Is(err, jetstream.ErrStreamNotFound):
		return v, 0, b.gone(ctx)
	case err != nil:
		return v, 0, fmt.Errorf("read %s: %w", b.name, inCluster(b.nc, err))
	}
	if err := json.Unmarshal(e.Value(), &v); err != nil || v.Home == "" || v.Term < 0 || v.term() > time.Hour {
		return v, 0, fmt.Errorf("%w: what the bucket %s holds is no lease: %q", ErrForeign, b.name, e.Value())
	}
	return v, e.Revision(), nil
}

// write replaces the value at a revision, 0 for none, and gives the new revision. It fails with
// errRevision where another revision is there.
func (b *bucket) write(ctx context.Context, v leaseValue, revision uint64) (written uint64, err error) {
	text, err := json.Marshal(v)
	if err != nil {
		return 0, err
	}
	err = ask(ctx, b.nc, "$KV."+b.name+"."+leaseKey, func(ctx context.Context) (err error) {
		ctx, cancel := context.WithTimeout(ctx, answerWait)
		defer cancel()
		if revision == 0 {
			written, err = b.kv.Create(ctx, leaseKey, text)
		} else {
			written, err = b.kv.Update(ctx, leaseKey, text, revision)
		}
		return err
	})
	switch {
	case errors.Is(err, jetstream.ErrKeyRevisionMismatch), errors.Is(err, jetstream.ErrKeyExists):
		return 0, errRevision
	case errors.Is(err, jetstream.ErrNoStreamResponse), errors.Is(err, nats.ErrNoResponders):
		return 0, b.gone(ctx)
	}
	return written, err
}

// gone distinguishes a bucket that does not exist from one that nobody answers for.
func (b *bucket) gone(ctx context.Context) error {
	_, err := b.js.Stream(ctx, "KV_"+b.name)
	switch {
	case errors.Is(err, jetstream.ErrStreamNotFound):
		return errNoBucket
	case err != nil:
		return inCluster(b.nc, err)
	}
	return fmt.Errorf("%w: nobody answers for the bucket %s", ErrNoLeader, b.name)
}
