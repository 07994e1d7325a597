package stream

import "testing"

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
