package live

import (
	"flag"
	"fmt"
	"slices"
	"sync"
	"testing"
	"time"
)

var benchRounds = flag.Int("rounds", 1, "interleaved rounds of each measurement")

// BenchmarkAppendWithReaders has the umpire hear entries with a thousand readers, a hundred of whom do not
// read, and in turn without any: the ratio is that of entries a second. Readers and their sockets are in
// this process, on the same processors.
func BenchmarkAppendWithReaders(b *testing.B) {
	for b.Loop() {
		at := sit(b)
		k := bundled(b, straits)
		at.open(k)
		if err := at.play(k, k.Files); err != nil {
			b.Fatal(err)
		}
		f := New(at.service, Options{})
		address := listen(b, f)
		var ratios []float64
		for round := range *benchRounds + 1 {
			var alone, watched time.Duration
			for half := range 2 { // who goes first alternates
				if (half+round)%2 == 0 {
					alone = at.heard(round, half)
				} else {
					leave := attend(b, address, 1000, 100)
					watched = at.heard(round, half)
					leave()
				}
			}
			if round > 0 { // the first warms up
				ratios = append(ratios, float64(alone)/float64(watched))
			}
		}
		slices.Sort(ratios)
		fmt.Printf("%-58s %8.2f %8.2f %8.2f\n", "1,000 readers, 100 of them stalled / none",
			ratios[0], ratios[len(ratios)/2], ratios[len(ratios)-1])
	}
}

// heard has the umpire hear entries, one after the other, and gives how long they took.
func (t *table) heard(round, half int) time.Duration {
	t.Helper()
	t.submit(straits, fmt.Sprintf("{id: b%d.%d, dispute: {event: 5, by: Anna, claim: a benchmark}}", round, half))
	opened := t.events(straits) - 1
	began := time.Now()
	for i := range 100 {
		t.submit(straits, fmt.Sprintf("{id: b%d.%d.%d, statement: {dispute: %d, by: Anna, text: a benchmark}}", round,
			half, i, opened))
	}
	return time.Since(began)
}

// attend lets readers in, some of whom do not read, until the function that it gives is called.
func attend(b *testing.B, address string, n, stalled int) (leave func()) {
	b.Helper()
	var clients []*client
	var reading sync.WaitGroup
	for i := range n {
		c, err := dial(address, "/live", "")
		if err != nil {
			b.Fatal(err)
		}
		if _, err := c.await("head"); err != nil {
			b.Fatal(err)
		}
		if clients = append(clients, c); i >= stalled {
			reading.Go(func() {
				for {
					if _, err := c.next(); err != nil {
						return
					}
				}
			})
		}
	}
	return func() {
		for _, c := range clients {
			c.conn.Close()
		}
		reading.Wait()
	}
}
