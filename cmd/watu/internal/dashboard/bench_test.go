package dashboard

import (
	"testing"

	"github.com/watu-ledger/watu/cmd/watu/internal/office"
)

func BenchmarkPanels(b *testing.B) {
	f, c := deskOf(b)
	playWar(b, c, "war", 24, 50)
	d := New(f, everyone("public"))
	told, _ := f.Campaign("war")
	looks := office.Viewer{As: "public"}
	b.Run("moment", func(b *testing.B) {
		for b.Loop() {
			if _, err := f.Moment("war", looks, office.Going{Back: true}); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("views", func(b *testing.B) {
		for b.Loop() {
			if _, err := f.ViewsAt("war", looks, told.Events); err != nil {
				b.Fatal(err)
			}
		}
	})
	m, _ := f.Moment("war", looks, office.Going{Back: true})
	v, _ := f.ViewsAt("war", looks, told.Events)
	b.Run("panels", func(b *testing.B) {
		for b.Loop() {
			if _, err := d.panels(told, looks, m, v); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("page", func(b *testing.B) {
		for b.Loop() {
			b.SetBytes(int64(len(pageOf(b, d, "/campaigns/war"))))
		}
	})
}
