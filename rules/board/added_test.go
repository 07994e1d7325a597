package board_test

import (
	"errors"
	"testing"

	"github.com/watu-ledger/watu/rules/board"
)

// TestWith: more names count beside those that the board has, which stay, as do what the table prefers and the hash.
func TestWith(t *testing.T) {
	b := narrowSeas(t)
	more, err := b.With([]string{"# more", "", "title Narrow Seas", "space Port = Home", "power Navy = Blue Fleet",
		"zone Z # = # Sea Zone", "space North Shore=north coast", "power Fleet = Blue"})
	if err != nil {
		t.Fatal(err)
	}
	for asked, want := range map[string]string{"port": "Blue Harbour", "Z 10": "10 Sea Zone", "Home": "Blue Harbour",
		"north shore": "North Coast", "SZ 10": "10 Sea Zone"} {
		if s, err := more.Space(asked); err != nil || s.Name != want {
			t.Errorf("%q is %q, %v; want %q", asked, s.Name, err, want)
		}
	}
	for _, asked := range []string{"navy", "fleet"} {
		if p, err := more.Power(asked); err != nil || p != "Blue Fleet" {
			t.Errorf("%s is %q, %v", asked, p, err)
		}
	}
	equal(t, "the table", more.TableSpace("Z 10"), "SZ 10")
	equal(t, "the table", more.TableSpace("Inland"), "Inland")
	if more.Hash() != b.Hash() || len(more.Files()) != len(b.Files()) {
		t.Error("the board has other files")
	}
	if _, err := b.Space("Port"); err == nil {
		t.Error("the board before has the name too")
	}
	if more.Names() <= b.Names() {
		t.Errorf("%d names, %d before", more.Names(), b.Names())
	}
}

// TestWithWrong: a line that names nothing, or stands for something else, is said; the others count all the same.
func TestWithWrong(t *testing.T) {
	b := narrowSeas(t)
	for _, c := range []struct{ line, want string }{
		{"space Port = Narnia", `the map has no space "Narnia"; nearest: "North"`},
		{"zone Port = SZ 12", `the map has no space "SZ 12"; nearest: "SZ 10", "SZ 2", "SZ 1"`},
		{"zone Port = Home", `"Home" is a territory: write space, not zone`},
		{"zone Z# = Zone #", `the map has no sea zone of the form "Zone #"`},
		{"power Navy = Green", `the game has no power "Green"; nearest: "Red"`},
		{"space Home = Inland",
			`"Home" would be ambiguous: it stands for "Blue Harbour" already, by a name of the table, and now for ` +
				`"Inland"`},
		{"space Inland = Home",
			`"Inland" would be ambiguous: it stands for "Inland" in the game file, and now for "Blue Harbour"`},
		{"space Ok = Inland",
			`"Ok" would be ambiguous: it stands for "Blue Harbour" by a line before, and now for "Inland"`},
		{"title Wide Seas", `these are the names for "Wide Seas", and the game is "Narrow Seas"`},
		{"place Port = Home", `a line begins with title, power, space, zone or #, not with "place"`},
		{"space Port", "write space ALIAS = NAME IN THE GAME FILE"},
	} {
		more, err := b.With([]string{"space Ok = Home", c.line, "space Fine = Inland"})
		var wrong *board.Error
		if !errors.As(err, &wrong) || wrong.Line != 2 || wrong.Message != c.want {
			t.Errorf("%s:\n got %v\nwant %s", c.line, err, c.want)
		}
		for _, name := range []string{"ok", "fine"} {
			if _, err := more.Space(name); err != nil {
				t.Errorf("%s: %v", c.line, err)
			}
		}
	}
}
