package events

import "testing"

func BenchmarkDecode(b *testing.B) {
	e := sample()
	stored := e.Encode()
	b.ReportAllocs()
	for b.Loop() {
		if _, err := Decode(stored); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkRead(b *testing.B) {
	e := sample()
	b.ReportAllocs()
	for b.Loop() {
		var p CardPlayed
		if !e.Read(&p) {
			b.Fatal("not read")
		}
	}
}

func BenchmarkEncode(b *testing.B) {
	e := sample()
	b.ReportAllocs()
	for b.Loop() {
		e.Encode()
	}
}
