package docs

import (
	"context"
	"encoding/binary"
	"flag"
	"fmt"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/cockroachdb/pebble/v2"
	"github.com/cockroachdb/pebble/v2/sstable"
	"github.com/oklog/ulid/v2"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/events/ledger"
	"github.com/watu-ledger/watu/events/stream"
	"github.com/watu-ledger/watu/projections"
	"github.com/watu-ledger/watu/projections/pools"
	"github.com/watu-ledger/watu/projections/store"
)

var (
	benchEvents = flag.Int("events", 20_000, "events of the record that is rebuilt")
	benchRounds = flag.Int("rounds", 1, "interleaved rounds of each measurement")
)

// BenchmarkRebuild is the rebuild of the table alone, for profiles.
func BenchmarkRebuild(b *testing.B) {
	dir := b.TempDir()
	fill(b, dir)
	for b.Loop() {
		scan := bareScan(b, filepath.Join(dir, "record"))
		full, _ := rebuildOnce(b, dir)
		b.ReportMetric(float64(scan)/float64(full), "ratio")
	}
}

// BenchmarkTable prints the table of benchmarks.md: ratios only, each from work that was
// interleaved with what it is compared to.
func BenchmarkTable(b *testing.B) {
	for b.Loop() {
		fmt.Printf("\n%-58s %8s %8s %8s\n", "ratio (higher is faster)", "lowest", "median", "highest")
		for _, campaigns := range []int{1, 64} {
			line(fmt.Sprintf("durable append, outbox drained, %d campaigns / Pebble", campaigns),
				appendRatios(b, campaigns))
		}
		rebuild, reach := rebuildRatios(b)
		line(fmt.Sprintf("rebuild of %d events, decode and pools / bare scan", *benchEvents), rebuild)
		line(fmt.Sprintf("reaching a turn at %d events / full rebuild", *benchEvents), reach)
	}
}

func line(name string, ratios []float64) {
	slices.Sort(ratios)
	fmt.Printf("%-58s %8.2f %8.2f %8.2f\n", name, ratios[0], ratios[len(ratios)/2], ratios[len(ratios)-1])
}

// timed runs f and gives how long it took.
func timed(b *testing.B, f func() error) time.Duration {
	b.Helper()
	began := time.Now()
	if err := f(); err != nil {
		b.Fatal(err)
	}
	return time.Since(began)
}

// chain makes the events of one campaign, step by step.
type chain struct {
	id       ulid.ULID
	name     string
	index    uint64
	previous events.Hash
}

func newChain(n int) *chain {
	c := &chain{name: fmt.Sprintf("campaign-%d", n)}
	binary.BigEndian.PutUint64(c.id[8:], uint64(n)+1)
	return c
}

// play is a turn as it is played: sides draw, cards fall, dice are rolled, cards return.
var play = []struct {
	side    string
	payload events.Payload
	slots   int
}{
	{"", &events.TurnAdvanced{Ordinal: 1, Label: "Spring 1941", Year: 1941, Season: "Spring"}, 0},
	{"European Axis",
		&events.DrawDeclared{Deck: "Ultra", Count: 4, PoolSize: 8,
			Source: events.Source{Chain: "draws/European Axis", Position: 1}}, 0},
	{"European Axis", &events.CardsDrawn{Deck: "Ultra", Count: 4}, 4},
	{"European Axis",
		&events.ContestOpened{Kind: "submarine warfare", Deck: "Ultra", Acting: "European Axis", Opposing: "Britain",
			Scope: []string{"Atlantic"}}, 0},
	{"European Axis",
		&events.CardPlayed{Deck: "Ultra", Card: "submarine", Drawn: events.Ref{Index: 3, Slot: "European Axis 1"}}, 0},
	{"European Axis",
		&events.RollDeclared{Purpose: "submarine warfare", Subject: "Atlantic",
			Throws: []events.Throw{{Name: "submarines", Side: "European Axis", Dice: 2, Sides: 6,
				Table: "strategic-warfare", Rows: []int{8}, Modifier: 2}}, Net: 2,
			Sources: []events.Source{{Chain: "dice", Position: 1}}}, 0},
	{"European Axis",
		&events.DiceRolled{Throw: "submarines", Dice: []int{4, 3},
			Links: []events.Link{{Chain: "dice", Position: 1, Link: events.Hash{7}}}}, 0},
	{"European Axis", &events.CardsReturned{Deck: "Ultra", Count: 4}, 0},
}

func (c *chain) next() events.Encoded {
	at := play[c.index%uint64(len(play))]
	turn := c.index/uint64(len(play)) + 1
	e := events.Event{
		Campaign: c.id, Index: c.index, ID: c.id, Turn: events.Turn{Ordinal: turn, Label: fmt.Sprintf("turn %d", turn)},
		Phase: "European Axis combat", Seat: "umpire", Side: at.side, Command: fmt.Sprintf("turn %d/entry", turn),
		Epoch:    1,
		Recorded: time.UnixMilli(1), Schema: events.SchemaVersion, Edition: events.Hash{1}, Previous: c.previous,
		Derivation: []events.Citation{{Rule: "AWAW-48.21-A", Step: "the European Axis draws from its own Ultra pool"}},
	}
	p := at.payload
	if c.index == 0 {
		p = &events.CampaignOpened{Name: c.name, System: "awaw",
			Pools: []events.Pool{{Side: "European Axis", Deck: "Ultra",
				Cards: []events.Count{{Card: "submarine", Count: 8}}}}}
	}
	e.Type, e.Payload = p.Type(), events.EncodePayload(p)
	for i := range at.slots {
		e.Commitments = append(e.Commitments,
			events.Commitment{Slot: fmt.Sprintf("European Axis %d", i+1), Hash: events.Hash{byte(i + 1), byte(turn)}})
	}
	x := events.Encode(e)
	c.index, c.previous = c.index+1, x.Hash()
	return x
}

// steps makes n steps of size events.
func (c *chain) steps(n, size int) []ledger.Step {
	list := make([]ledger.Step, n)
	for i := range list {
		list[i] = ledger.Step{Campaign: c.id, Expected: c.index, Command: fmt.Sprintf("c%d", c.index),
			Answer: []byte(`{}`)}
		for range size {
			list[i].Events = append(list[i].Events, c.next())
		}
	}
	return list
}

// appendRatios measures appends until they are durable and published, in turn with plain
// Pebble batches of the same event bytes, synced.
func appendRatios(b *testing.B, campaigns int) []float64 {
	dir := b.TempDir()
	p := openPipeline(b, dir)
	defer p.close(b)
	base, err := pebble.Open(filepath.Join(dir, "base"), pebbleOptions())
	if err != nil {
		b.Fatal(err)
	}
	defer base.Close()
	chains := make([]*chain, campaigns)
	for i := range chains {
		chains[i] = newChain(i)
	}
	var ratios []float64
	for round := range *benchRounds + 1 {
		steps := make([][]ledger.Step, campaigns)
		for i, c := range chains {
			steps[i] = c.steps(max(64, 512/campaigns), 4)
		}
		encoded := make([][][]stored, campaigns)
		for i := range steps {
			for _, s := range steps[i] {
				encoded[i] = append(encoded[i], storedOf(s))
			}
		}
		var ours, theirs time.Duration
		for half := range 2 { // who goes first alternates
			if (half+round)%2 == 0 {
				ours = timed(b, func() error {
					return errorOf(each(steps, p.append),
						p.outbox.Drain(context.Background()))
				})
			} else {
				theirs = timed(b, func() error { return each(encoded, func(s []stored) error { return put(base, s) }) })
			}
		}
		if round > 0 { // the first warms up
			ratios = append(ratios, float64(theirs)/float64(ours))
		}
	}
	return ratios
}

func errorOf(list ...error) error {
	for _, err := range list {
		if err != nil {
			return err
		}
	}
	return nil
}

// each appends the steps of every campaign, the campaigns at the same time.
func each[Step any](steps [][]Step, do func(Step) error) error {
	failed := make([]error, len(steps))
	var wg sync.WaitGroup
	for i := range steps {
		wg.Go(func() {
			for _, s := range steps[i] {
				if failed[i] = do(s); failed[i] != nil {
					return
				}
			}
		})
	}
	wg.Wait()
	return errorOf(failed...)
}

// stored is a key of the ledger's length and the bytes that the ledger stores.
type stored struct{ key, value []byte }

func storedOf(s ledger.Step) (list []stored) {
	for i := range s.Events {
		k := binary.BigEndian.AppendUint64(append([]byte{'r'}, s.Campaign[:]...), s.Expected+uint64(i))
		list = append(list, stored{k, s.Events[i].Bytes()})
	}
	return list
}

// put writes a step's events as one synced batch.
func put(db *pebble.DB, list []stored) error {
	batch := db.NewBatch()
	for _, x := range list {
		if err := batch.Set(x.key, x.value, nil); err != nil {
			return err
		}
	}
	return errorOf(batch.Commit(pebble.Sync), batch.Close())
}

func pebbleOptions() *pebble.Options {
	o := &pebble.Options{FormatMajorVersion: pebble.FormatNewest, CacheSize: 32 << 20, MemTableSize: 32 << 20,
		Logger: silent{}}
	for i := range o.Levels {
		o.Levels[i].BlockSize = 32 << 10
		o.Levels[i].Compression = func() *sstable.CompressionProfile { return sstable.SnappyCompression }
	}
	return o
}

type silent struct{}

func (silent) Infof(string, ...any)           {}
func (silent) Errorf(string, ...any)          {}
func (silent) Fatalf(format string, a ...any) { panic(fmt.Sprintf(format, a...)) }

// pipeline is a ledger and the stream that it is published on.
type pipeline struct {
	ledger *ledger.Ledger
	server *stream.Server
	outbox *stream.Outbox
	hangup func()
}

func openPipeline(b *testing.B, dir string) *pipeline {
	l, err := ledger.Open(filepath.Join(dir, "ledger"), ledger.Options{})
	if err != nil {
		b.Fatal(err)
	}
	s, err := stream.StartServer(stream.ServerOptions{StoreDir: filepath.Join(dir, "stream")})
	if err != nil {
		b.Fatal(err)
	}
	nc, err := s.Connect()
	if err != nil {
		b.Fatal(err)
	}
	o, _, err := stream.Open(context.Background(), nc, l, stream.Options{Heard: s.Heard})
	if err != nil {
		b.Fatal(err)
	}
	return &pipeline{ledger: l, server: s, outbox: o, hangup: nc.Close}
}

// append appends a step, whose events it encodes: that is part of what is measured.
func (p *pipeline) append(s ledger.Step) error {
	for i := range s.Events {
		s.Events[i] = events.Encode(*s.Events[i].Event())
	}
	_, err := p.ledger.Append(s)
	return err
}

func (p *pipeline) close(b *testing.B) {
	p.outbox.Close()
	p.hangup()
	p.server.Shutdown()
	if err := p.ledger.Close(); err != nil {
		b.Error(err)
	}
}

// rebuildRatios measures a rebuild of the pools view against a bare scan of the same keys,
// and reaching a turn against the rebuild.
func rebuildRatios(b *testing.B) (rebuild, reach []float64) {
	dir := b.TempDir()
	fill(b, dir)
	for range *benchRounds {
		scan := bareScan(b, filepath.Join(dir, "record"))
		full, turn := rebuildOnce(b, dir)
		rebuild = append(rebuild, float64(scan)/float64(full))
		reach = append(reach, float64(full)/float64(turn))
	}
	return rebuild, reach
}

const benchCampaigns = 8

// fill makes a record of so many events, in steps of 400, and packs it.
func fill(b *testing.B, dir string) {
	l, err := ledger.Open(dir, ledger.Options{})
	if err != nil {
		b.Fatal(err)
	}
	for n := range benchCampaigns {
		c := newChain(n)
		for _, s := range c.steps(max(1, *benchEvents/benchCampaigns/400), 400) {
			if _, err := l.Append(s); err != nil {
				b.Fatal(err)
			}
		}
	}
	if err := l.Close(); err != nil {
		b.Fatal(err)
	}
	db, err := pebble.Open(filepath.Join(dir, "record"), pebbleOptions())
	if err != nil {
		b.Fatal(err)
	}
	if err := errorOf(db.Flush(), db.Compact(context.Background(), []byte{0}, []byte{0xff}, true),
		db.Close()); err != nil {
		b.Fatal(err)
	}
}

// bareScan walks the keys of all records and their values, and does nothing with them.
func bareScan(b *testing.B, dir string) time.Duration {
	db, err := pebble.Open(dir, pebbleOptions())
	if err != nil {
		b.Fatal(err)
	}
	defer db.Close()
	n := 0
	spent := timed(b, func() error {
		it, err := db.NewIter(&pebble.IterOptions{LowerBound: []byte{'r'}, UpperBound: []byte{'r' + 1}})
		if err != nil {
			return err
		}
		for ok := it.First(); ok; ok = it.Next() {
			v, err := it.ValueAndErr()
			if err != nil {
				return err
			}
			n += min(1, len(v))
		}
		return it.Close()
	})
	if n < *benchEvents*9/10 {
		b.Fatalf("the scan saw %d records", n)
	}
	return spent
}

// source lets the runner read the ledger as a server does.
type source struct{ *ledger.Ledger }

func (s source) Read(campaign ulid.ULID, from, to uint64) iter.Seq2[events.Record, error] {
	return s.Walk(campaign, from, to)
}

func (s source) Each(f func(ulid.ULID, uint64)) {
	for _, c := range s.Campaigns() {
		f(c.ID, c.Events)
	}
}

func rebuildOnce(b *testing.B, dir string) (full, turn time.Duration) {
	l, err := ledger.Open(dir, ledger.Options{})
	if err != nil {
		b.Fatal(err)
	}
	defer l.Close()
	views := filepath.Join(dir, "views")
	defer os.RemoveAll(views)
	s, err := store.Open(views, store.Options{})
	if err != nil {
		b.Fatal(err)
	}
	defer s.Close()
	r, err := projections.Open(source{l}, s, nil, pools.Projection())
	if err != nil {
		b.Fatal(err)
	}
	full = timed(b, func() error { return r.Rebuild(context.Background(), nil) })
	return full, reachTurn(b, l, r)
}

// reachTurn goes to the end of turns all over the record, and gives the median.
func reachTurn(b *testing.B, l *ledger.Ledger, r *projections.Runner) time.Duration {
	var spent []time.Duration
	for i, c := range l.Campaigns() {
		turns, err := l.Turns(c.ID)
		if err != nil {
			b.Fatal(err)
		}
		for k := 1; k <= 5; k++ {
			at := turns[(len(turns)-1)*(k*7+i)%len(turns)]
			spent = append(spent, timed(b, func() error {
				_, err := r.At(b.Context(), pools.Projection().Name, c.ID, at.First)
				return err
			}))
		}
	}
	slices.Sort(spent)
	return spent[len(spent)/2]
}
