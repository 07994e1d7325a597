//go:build unix

package docs

import (
	"fmt"
	"path/filepath"
	"slices"
	"syscall"
	"testing"
	"time"

	"github.com/watu-ledger/watu/events/ledger"
	"github.com/watu-ledger/watu/replay"
	"github.com/watu-ledger/watu/replay/keys"
	"github.com/watu-ledger/watu/rules/awaw"
)

// spentSoFar is the processor time that this process has taken. What is measured by it can be compared with an earlier
// build of the program, to whose tree this file is copied: it uses nothing that is new.
func spentSoFar(b *testing.B) time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		b.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// BenchmarkCostAppend prints the processor time of a command: it plays a campaign of 4,800 events on a disk, each
// command synced.
func BenchmarkCostAppend(b *testing.B) {
	dir := b.TempDir()
	record, err := ledger.Open(filepath.Join(dir, "ledger"), ledger.Options{Logf: func(string, ...any) {}})
	if err != nil {
		b.Fatal(err)
	}
	l := &long{b: b,
		umpire: replay.NewUmpire(record, keys.NewKeys(filepath.Join(dir, "secrets")), replay.NewBoards(dir),
			awaw.System())}
	l.campaign, _, err = l.umpire.Open(replay.NewCampaign{Name: "long", System: "awaw", Seed: "benchmark"})
	if err != nil {
		b.Fatal(err)
	}
	l.play(0, 1, 200)
	began, heard := spentSoFar(b), l.entries
	l.play(1, turns, 200)
	fmt.Println("append", (spentSoFar(b)-began)/time.Duration(l.entries-heard))
	if err := record.Close(); err != nil {
		b.Fatal(err)
	}
}

// BenchmarkCostRebuild prints the processor time of a rebuild: it drops the pools views and builds them, seven times.
func BenchmarkCostRebuild(b *testing.B) {
	dir := b.TempDir()
	fill(b, dir)
	var all []time.Duration
	for range 7 {
		began := spentSoFar(b)
		rebuildOnce(b, dir)
		all = append(all, spentSoFar(b)-began)
	}
	slices.Sort(all)
	fmt.Println("rebuild", all[len(all)/2])
}
