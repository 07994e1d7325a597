package web_test

import (
	"bytes"
	"context"
	"image"
	"image/color"
	"image/png"
	"os"
	"path/filepath"
	"testing"

	"github.com/chromedp/chromedp"
)

// styles are the pictures of the page of every part in every state.
var styles = []struct {
	name   string
	width  int64
	scheme string
}{{"style", 1280, "light"}, {"style-dark", 1280, "dark"}, {"style-390", 390, "light"}}

// The parts look as they are kept in docs/screenshots, but for what another browser draws otherwise: squares of eight
// points are compared by their mean, and two in a hundred may differ. A change that means to move them writes new ones:
//
//	go test ./cmd/watu/internal/web -run TestStyle -screenshots docs/screenshots
func TestStyle(t *testing.T) {
	beside(t)
	g := played(t)
	b := browse(t, g.url)
	for _, s := range styles {
		b.media(s.scheme, "still")
		b.do(chromedp.EmulateViewport(s.width, 900))
		b.visit("/style")
		ask[bool](b, `document.fonts.ready.then(() => true)`)
		ctx, cancel := context.WithTimeout(b.ctx, patience)
		data, err := chromedp.Run(ctx, chromedp.FullScreenshot(100))
		cancel()
		if err != nil {
			t.Fatal(err)
		}
		file := filepath.Join("..", "..", "..", "..", "docs", "screenshots", s.name+".png")
		if data = slim(t, halved(t, data)); *screenshots != "" {
			if err := os.WriteFile(file, data, 0o644); err != nil {
				t.Fatal(err)
			}
		}
		kept, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if len(kept) > 300_000 {
			t.Errorf("%s has %d bytes", s.name, len(kept))
		}
		if off := unlike(t, kept, data); off > 2 {
			out := filepath.Join(os.TempDir(), "watu-"+s.name+".png")
			_ = os.WriteFile(out, data, 0o644) // for whoever looks
			t.Errorf("%s: %.1f %% of the page look otherwise than they are kept; as it is now: %s", s.name, off, out)
		}
	}
}

// halved is a picture of half the size each way.
func halved(t *testing.T, data []byte) []byte {
	t.Helper()
	from, err := png.Decode(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	box := from.Bounds()
	half := image.NewRGBA(image.Rect(0, 0, box.Dx()/2, box.Dy()/2))
	for y := range half.Rect.Dy() {
		for x := range half.Rect.Dx() {
			var sum [3]uint32
			for _, at := range []image.Point{{0, 0}, {1, 0}, {0, 1}, {1, 1}} {
				r, g, b, _ := from.At(box.Min.X+2*x+at.X, box.Min.Y+2*y+at.Y).RGBA()
				sum[0], sum[1], sum[2] = sum[0]+r>>8, sum[1]+g>>8, sum[2]+b>>8
			}
			half.SetRGBA(x, y, color.RGBA{uint8(sum[0] / 4), uint8(sum[1] / 4), uint8(sum[2] / 4), 255})
		}
	}
	var b bytes.Buffer
	if err := png.Encode(&b, half); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// unlike is how many squares in a hundred of two pictures differ by more than a sixteenth of the way from black to
// white. What one has below the other's end differs.
func unlike(t *testing.T, a, b []byte) float64 {
	t.Helper()
	const square, most = 8, 16
	of := func(data []byte) image.Image {
		p, err := png.Decode(bytes.NewReader(data))
		if err != nil {
			t.Fatal(err)
		}
		return p
	}
	x, y := of(a), of(b)
	wide, high := max(x.Bounds().Dx(), y.Bounds().Dx()), max(x.Bounds().Dy(), y.Bounds().Dy())
	all, off := 0, 0
	for top := 0; top < high; top += square {
		for left := 0; left < wide; left += square {
			at := image.Rect(left, top, left+square, top+square)
			all++
			p, q := mean(x, at), mean(y, at)
			for i := range p {
				if d := p[i] - q[i]; d > most || d < -most {
					off++
					break
				}
			}
		}
	}
	return 100 * float64(off) / float64(all)
}

// mean is the colour of a square, from 0 to 255; what lies outside the picture is black.
func mean(p image.Image, at image.Rectangle) (sum [3]int) {
	for y := at.Min.Y; y < at.Max.Y; y++ {
		for x := at.Min.X; x < at.Max.X; x++ {
			if (image.Point{X: x, Y: y}).In(p.Bounds()) {
				r, g, b, _ := p.At(x, y).RGBA()
				sum[0], sum[1], sum[2] = sum[0]+int(r>>8), sum[1]+int(g>>8), sum[2]+int(b>>8)
			}
		}
	}
	for i := range sum {
		sum[i] /= at.Dx() * at.Dy()
	}
	return sum
}
