package web_test

import (
	"bytes"
	"cmp"
	"flag"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/chromedp/chromedp"

	"github.com/watu-ledger/watu/fixtures/longrun"
)

var screenshots = flag.String("screenshots", "", "write pictures of the pages to this `directory`, from the root of "+
	"the repository")

// shot is a picture of a page.
type shot struct {
	name, path    string
	width, height int64
	scheme        string
	ready         string // what is clicked before, by a selector
}

// pictures are those that the documentation shows, and those by which the design is looked at.
func pictures(t *testing.T, g *ground) []shot {
	result := g.event(t, "atlantic-and-pacific", "result_adjudicated")
	why := fmt.Sprintf("/campaigns/atlantic-and-pacific/events/%d", result)
	dispute := fmt.Sprintf("/campaigns/straits-1942/disputes/%d", g.event(t, "straits-1942", "dispute_opened"))
	return []shot{
		{"front", "/", 1280, 900, "light", ""},
		{"front-dark", "/", 1280, 900, "dark", ""},
		{"band", "/campaigns/atlantic-and-pacific/overlay?show=band", 1280, 200, "light", ""},
		{"band-390", "/campaigns/straits-1942/overlay?show=band&size=small", 390, 300, "light", ""},
		{"front-390", "/", 390, 844, "light", ""},
		{"campaign", "/campaigns/straits-1942", 1280, 900, "light", ""},
		{"campaign-dark", "/campaigns/straits-1942", 1280, 900, "dark", ""},
		{"campaign-390", "/campaigns/straits-1942", 390, 844, "light", ""},
		{"sea", "/campaigns/atlantic-and-pacific", 1280, 900, "light", ""},
		{"sea-390", "/campaigns/atlantic-and-pacific", 390, 1600, "light", ""},
		{"patrol", "/campaigns/pacific-patrol-1942?at=95", 1280, 900, "light", ""},
		{"cards", "/campaigns/atlantic-and-pacific?at=250", 1280, 900, "light", ""},
		{"why", why, 1000, 1640, "light", ""},
		{"verified", why + "#check", 1000, 900, "light", "#verify"},
		{"why-dark", why, 1280, 900, "dark", ""},
		{"why-390", why, 390, 844, "dark", ""},
		{"dispute", dispute, 1280, 900, "light", ""},
		{"replay", "/campaigns/straits-1942?at=40", 1280, 900, "dark", ""},
		{"overlay", "/campaigns/straits-1942/overlay", 1280, 480, "light", ""},
		{"embed", "/embed/straits-1942", 640, 660, "light", ""},
	}
}

// The documentation's pictures are made anew by
//
//	go test ./cmd/watu/internal/web -run TestScreenshots -screenshots docs/screenshots
//
// Without the flag they go to a directory of the test's own: that they can be made is what is tested.
func TestScreenshots(t *testing.T) {
	beside(t)
	dir := t.TempDir()
	if *screenshots == "" {
		longrun.Only(t)
	} else {
		dir = filepath.Join("..", "..", "..", "..", filepath.FromSlash(*screenshots))
		if filepath.IsAbs(*screenshots) {
			dir = *screenshots
		}
	}
	g := played(t)
	b := browse(t, g.url)
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	all := 0
	for _, s := range pictures(t, g) {
		b.media(s.scheme, "still")
		b.do(chromedp.EmulateViewport(s.width, s.height))
		b.visit(s.path)
		if s.ready != "" {
			b.click(s.ready)
			b.until("the verdict", `document.querySelector("#verified[data-verdict]")`)
			ask[bool](b, `document.getElementById("check").scrollIntoView(), true`)
		}
		b.until("the stream",
			`!document.body.dataset.stream || !document.getElementById("pulse") || `+
				`document.getElementById("pulse").innerText === "live"`)
		data := slim(t, shoot(b))
		if all += len(data); len(data) < 5000 || len(data) > 200_000 {
			t.Errorf("%s is %d bytes long", s.name, len(data))
		}
		if err := os.WriteFile(filepath.Join(dir, s.name+".png"), data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if all > 1_300_000 {
		t.Errorf("all pictures together have %d bytes", all)
	}
}

// slim keeps the 256 colours that a picture has most of, and gives every other point the nearest.
func slim(t *testing.T, data []byte) []byte {
	t.Helper()
	picture, err := png.Decode(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	box, count := picture.Bounds(), map[color.Color]int{}
	for y := box.Min.Y; y < box.Max.Y; y++ {
		for x := box.Min.X; x < box.Max.X; x++ {
			count[picture.At(x, y)]++
		}
	}
	most := slices.SortedFunc(maps.Keys(count), func(a, b color.Color) int {
		return cmp.Or(cmp.Compare(count[b], count[a]), cmp.Compare(fmt.Sprint(a), fmt.Sprint(b)))
	})
	few := image.NewPaletted(box, most[:min(256, len(most))])
	nearest := map[color.Color]uint8{}
	for _, c := range most {
		nearest[c] = uint8(few.Palette.Index(c))
	}
	for y := box.Min.Y; y < box.Max.Y; y++ {
		for x := box.Min.X; x < box.Max.X; x++ {
			few.SetColorIndex(x, y, nearest[picture.At(x, y)])
		}
	}
	var b bytes.Buffer
	encoder := png.Encoder{CompressionLevel: png.BestCompression}
	if err := encoder.Encode(&b, few); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}
