package stream

import (
	"fmt"
	"os"
	"strings"
	"testing"
	"time"
)

// BenchmarkDrain measures publishing until everything is acknowledged, an operation being one
// event; nobody listens to the feed, or its JSON is made for every event.
func BenchmarkDrain(b *testing.B) {
	for _, heard := range []bool{false, true} {
		name := "feed unheard"
		if heard {
			name = "feed heard"
		}
		b.Run(name, func(b *testing.B) {
			s := start(b, ServerOptions{})
			nc := connect(b, s)
			l := newLog("ledger").write(b.N, "atlantic").sync()
			size := int64(0)
			for _, r := range l.records {
				size += int64(len(r.Bytes))
			}
			b.SetBytes(size / int64(b.N))
			b.ReportAllocs()
			b.ResetTimer()
			o := Options{Heard: s.Heard}
			if heard {
				o.Heard = nil
			}
			box, _ := open(b, nc, l, o)
			drain(b, box)
		})
	}
}

// BenchmarkConfirm measures what a step waits for on a server elsewhere: that the stream has it, and that the lease
// says so besides.
func BenchmarkConfirm(b *testing.B) {
	s := elsewhere(b, "", true)
	nc := dialled(b, urlOf(s, ""))
	l := newLog("ledger")
	box, _ := open(b, nc, l, Options{Lease: taken(b, nc, l, LeaseOptions{})})
	var published, confirmed time.Duration
	for b.Loop() {
		l.write(1, "atlantic").sync()
		begun := time.Now()
		drain(b, box)
		published += time.Since(begun)
		if err := box.Confirm(soon(b), l.Durable()); err != nil {
			b.Fatal(err)
		}
		confirmed += time.Since(begun)
	}
	b.ReportMetric(float64(confirmed)/float64(published), "confirmed/published")
}

// BenchmarkDrainAmongGuests measures publishing while forty guests ask for a million messages,
// over and over, and take none; and with nobody there.
func BenchmarkDrainAmongGuests(b *testing.B) {
	for _, guests := range []int{0, 40} {
		b.Run(fmt.Sprint(guests, " guests"), func(b *testing.B) {
			s := start(b, ServerOptions{Listen: "127.0.0.1:0"})
			nc := connect(b, s)
			l := newLog("ledger").write(100_000, "atlantic").sync()
			box, _ := open(b, nc, l, Options{Heard: s.Heard})
			drain(b, box)
			peak, end := most(b, s), make(chan struct{})
			for range guests {
				g := intrude(b, s)
				g.say("SUB _INBOX.%d.> 1\r\nSUB %s 2\r\n", g.id, answerSubject(g.id, ">"))
				go func() {
					for range 10_000 {
						select {
						case <-end:
							return
						default:
							g.ask(l, fmt.Sprintf("_INBOX.%d.x", g.id), `{"seq":1,"batch":1000000}`)
						}
					}
				}()
			}
			b.ResetTimer()
			for range b.N / 100 {
				l.write(100, "atlantic").sync()
				drain(b, box)
			}
			b.StopTimer()
			close(end)
			b.ReportMetric(float64(peak())/1e6, "MB_waiting")
			b.ReportMetric(resident(b), "MB_resident_peak")
		})
	}
}

// resident is the most memory that the process had so far, in megabytes.
func resident(b *testing.B) float64 {
	text, err := os.ReadFile("/proc/self/status")
	if err != nil {
		b.Skip(err)
	}
	_, rest, _ := strings.Cut(string(text), "VmHWM:")
	kilobytes := 0
	if _, err := fmt.Sscan(rest, &kilobytes); err != nil {
		b.Fatal(err)
	}
	return float64(kilobytes) / 1e3
}
