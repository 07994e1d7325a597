package peers

import (
	"context"
	"errors"
	"fmt"
	"math"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/oklog/ulid/v2"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/events/history"
	"github.com/watu-ledger/watu/projections"
	"github.com/watu-ledger/watu/projections/pools"
	"github.com/watu-ledger/watu/projections/store"
)

// appendTable measures appends of the same steps until they are durable and, by watu,
// published.
func appendTable(b *testing.B, campaigns int) {
	mine, others := ours(b), theirs(b, campaigns)
	all := append(mine, others...)
	defer closeAll(b, all)
	chains := make([]*chain, campaigns)
	for i := range chains {
		chains[i] = newChain(i)
	}
	spent := interleaved(b, all, func() func(named) time.Duration {
		work := make([][]step, campaigns)
		for i, c := range chains {
			work[i] = c.steps(max(1, *steps/campaigns), stepSize)
		}
		return func(p named) time.Duration {
			began := time.Now()
			if err := each(p, work); err != nil {
				b.Fatalf("%s: %v", p.name, err)
			}
			return time.Since(began)
		}
	})
	for _, m := range mine {
		for _, o := range others {
			line(fmt.Sprintf("durable append, %d campaigns, %s / %s", campaigns, m.name, o.name),
				ratios(spent[o.name], spent[m.name]))
		}
	}
}

// interleaved measures every peer once in each round; who goes first moves on by one each
// round. prepare makes the work of a round. The first round warms up.
func interleaved(b *testing.B, all []named, prepare func() func(named) time.Duration) map[string][]time.Duration {
	b.Helper()
	spent := map[string][]time.Duration{}
	for round := range *rounds + 1 {
		work := prepare()
		for i := range all {
			p := all[(i+round)%len(all)]
			runtime.GC() // what one leaves behind is not cleared away in the time of the next
			if d := work(p); round > 0 {
				spent[p.name] = append(spent[p.name], d)
			}
		}
	}
	return spent
}

func ratios(theirs, ours []time.Duration) []float64 {
	list := make([]float64, len(ours))
	for i := range list {
		list[i] = float64(theirs[i]) / float64(ours[i])
	}
	return list
}

// rebuildTable measures the rebuild of the pools view of every campaign, in two ways: from a
// peer as one would write it, and with watu's own runner, which reads ahead on every core and
// decodes no event that changes nothing, on the peer's records.
func rebuildTable(b *testing.B) {
	others := theirs(b, runtime.GOMAXPROCS(0)*readers)
	both := ours(b)
	defer closeAll(b, append(both, others...))
	mine := both[1:] // the ledger alone
	chains := fill(b, append(mine, others...))
	all := append([]named{}, mine...)
	for _, o := range others {
		all = append(all, o, named{o.name + plainly, o.peer})
	}
	digests := map[string]string{}
	spent := interleaved(b, all, func() func(named) time.Duration {
		return func(p named) time.Duration {
			build := rebuild
			if strings.HasSuffix(p.name, plainly) {
				build = fold
			}
			d, digest := build(b, source{p, chains})
			digests[digest] = p.name
			return d
		}
	})
	if len(digests) != 1 {
		b.Fatalf("the views differ: %v", digests)
	}
	for _, p := range all[1:] {
		line(fmt.Sprintf("rebuild of %d events, %s / %s", *length, published, p.name),
			ratios(spent[p.name], spent[mine[0].name]))
	}
}

const (
	rebuildCampaigns = 8
	plainly          = ", plainly"
	readers          = 8 // more connections for each core than the runner reads with at a time
)

// fill makes a record of so many events in every peer, in steps of 400.
func fill(b *testing.B, all []named) []*chain {
	b.Helper()
	chains := make([]*chain, rebuildCampaigns)
	for i := range chains {
		chains[i] = newChain(i)
		for range max(1, *length/rebuildCampaigns/400) {
			s := chains[i].steps(1, 400)[0]
			for _, p := range all {
				if _, err := p.append(0, &s); err != nil {
					b.Fatalf("%s: %v", p.name, err)
				}
			}
		}
	}
	for _, p := range all {
		if err := p.rest(); err != nil {
			b.Fatalf("%s: %v", p.name, err)
		}
	}
	return chains
}

// source lets the runner read a peer. How long the campaigns are is known beforehand, as it
// is to a server.
type source struct {
	peer
	chains []*chain
}

func (s source) Each(f func(ulid.ULID, uint64)) {
	for _, c := range s.chains {
		f(c.id, c.index)
	}
}

func (s source) Durable() uint64 { return 0 }

func (s source) Wait(context.Context, uint64) (uint64, error) {
	return 0, errors.New("nothing follows a peer")
}

// rebuild gives how long it took, and the digests of the views.
func rebuild(b *testing.B, from source) (time.Duration, string) {
	b.Helper()
	views, err := store.Open(filepath.Join(b.TempDir(), "views"), store.Options{})
	if err != nil {
		b.Fatal(err)
	}
	defer views.Close()
	r, err := projections.Open(from, views, nil, pools.Projection())
	if err != nil {
		b.Fatal(err)
	}
	began := time.Now()
	if err := r.Rebuild(context.Background(), nil); err != nil {
		b.Fatal(err)
	}
	spent := time.Since(began)
	var digests []events.Hash
	for _, c := range from.chains {
		v, _, err := r.Latest(pools.Projection().Name, c.id)
		if err != nil {
			b.Fatal(err)
		}
		digests = append(digests, projections.Digest(v))
	}
	return spent, fmt.Sprint(digests)
}

// fold does what one would write: it reads a campaign after the other as one ordered result,
// decodes each event and applies it. The views are not kept.
func fold(b *testing.B, from source) (time.Duration, string) {
	b.Helper()
	began := time.Now()
	var views []projections.View
	var e events.Event // whose lists serve again
	for _, c := range from.chains {
		v := pools.Projection().New()
		for r, err := range from.Read(c.id, 0, math.MaxInt64) {
			if err == nil {
				err = events.DecodeInto(r.Bytes, &e)
			}
			if err != nil {
				b.Fatal(err)
			}
			v.Apply(history.Alone(&e), nil)
		}
		views = append(views, v)
	}
	spent := time.Since(began)
	var digests []events.Hash
	for _, v := range views {
		digests = append(digests, projections.Digest(v))
	}
	return spent, fmt.Sprint(digests)
}
