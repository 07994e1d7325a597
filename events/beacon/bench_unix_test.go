//go:build unix

package beacon_test

import (
	"syscall"
	"testing"

	"github.com/watu-ledger/watu/events/beacon"
)

// The processor time of the process is reported too: the clock counts what else runs on the machine.
func BenchmarkVerify(b *testing.B) {
	quicknet, signature := beacon.Quicknet(), unhex(b, published[2].signature)
	began := processor(b)
	for b.Loop() {
		if err := quicknet.Verify(published[2].round, signature); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(processor(b)-began)/float64(b.N), "cpu-ns/op")
}

func processor(b *testing.B) int64 {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		b.Fatal(err)
	}
	return u.Utime.Nano() + u.Stime.Nano()
}
