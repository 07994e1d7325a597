package picture

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/watu-ledger/watu/rules/board"
)

const sheet = `/* a sheet */ :root {
  --ink: light-dark(#111111, #eeeeee); --water: light-dark(#222222, #dddddd);
  --faint: #333333; --brass: #444444; --red: #555555; --paper: light-dark(#666666, #777777);
}
.f-uk { --fill: #cfae6b; --on: #1c2024; }
.f-nobody { --fill: light-dark(#aaaaaa, #bbbbbb); --on: var(--ink); }`

func TestPaints(t *testing.T) {
	p := PaintsOf(sheet)
	for name, want := range map[string][2]string{
		"--ink": {"#111111", "#eeeeee"}, "--red": {"#555555", "#555555"}, "f-uk": {"#cfae6b", "#cfae6b"},
		"f-nobody": {"#aaaaaa", "#bbbbbb"}, "on-nobody": {"#111111", "#eeeeee"},
	} {
		if p.Light[name] != want[0] || p.Dark[name] != want[1] {
			t.Errorf("%s is %q and %q, want %v", name, p.Light[name], p.Dark[name], want)
		}
	}
}

// An emblem keeps its silhouettes within its box and apart, has one for each factor as long as they fit, and all sides
// on one scale.
func TestEmblem(t *testing.T) {
	if EmblemOf(nil) != nil || EmblemOf([]Force{{N: 0}, {N: 0}}) != nil {
		t.Error("nothing has an emblem")
	}
	for counts, want := range map[[4]int]int{
		{2, 7}: 9, {18, 44, 4, 6}: 72, {1, 0, 0, 1}: 2, {60, 200}: 52, {5000, 1}: 0,
	} {
		var forces []Force
		for i, n := range counts {
			if n > 0 || i < 2 {
				forces = append(forces, Force{Called: fmt.Sprint(n), Of: "base", N: n, Tint: "uk"})
			}
		}
		e := EmblemOf(forces)
		if len(e.Shapes) != want && want != 0 {
			t.Errorf("%v: %d silhouettes, want %d", counts, len(e.Shapes), want)
		}
		for i, s := range e.Shapes {
			if s.X < 0 || s.Y < 0 || s.X+e.Wide > emblemWide || s.Y+e.High > emblemHigh || s.Kind != "base" {
				t.Fatalf("%v: %+v is outside", counts, s)
			}
			for _, o := range e.Shapes[:i] {
				if s.X < o.X+e.Wide && o.X < s.X+e.Wide && s.Y < o.Y+e.High && o.Y < s.Y+e.High {
					t.Fatalf("%v: %+v lies on %+v", counts, s, o)
				}
			}
		}
	}
}

// A large picture says what lands are worth where it shows them, and draws raids; one over the edge it leaves out. Of a
// high map it shows the part that is worth most.
func TestMap(t *testing.T) {
	square := func(y int) Land {
		return Land{Path: fmt.Sprintf("M100 %dh100v100h-100z", y), Fill: "uk", At: board.Point{X: 150, Y: y + 50},
			Box: [2]board.Point{{X: 100, Y: y}, {X: 200, Y: y + 100}}, Worth: 7}
	}
	m := Map{Across: 400, Down: 1000, Seas: []string{"M0 0h400v1000h-400z"}, Lands: []Land{square(0), square(640)},
		Raids: []Raid{{From: board.Point{X: 20, Y: 690}, To: board.Point{X: 150, Y: 690}, Fill: "uk", Damage: 3},
			{From: board.Point{X: 390, Y: 690}, To: board.Point{X: 10, Y: 690}, Fill: "uk", Damage: 3}}}
	m.Lands[1].Worth, m.Lands[1].Changed = 12, true
	p := PaintsOf(sheet)
	large := string(m.Draw(Files["large-light.svg"], p))
	for text, want := range map[string]bool{">12</text>": true, ">7</text>": false, "#444444": true,
		`d="M20 690Q`: true, "M390 690Q": false} {
		if strings.Contains(large, text) != want {
			t.Errorf("%q: %v, want %v: %s", text, !want, want, large)
		}
	}
	if top := regexp.MustCompile(`viewBox="0 (\d+) 400 200"`).FindStringSubmatch(large); top == nil || m.top() != 590 {
		t.Errorf("it begins at %d: %s", m.top(), large)
	}
	if small := string(m.Draw(Files["light.svg"], p)); strings.Contains(small, "<text") {
		t.Errorf("a small one has letters: %s", small)
	}
	hash := m.Hash(p)
	m.Lands[0].Fill = "nobody"
	if other := m.Hash(p); other == hash {
		t.Error("another holder gives the same address")
	}
}
