package board_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/watu-ledger/watu/rules/board"
)

func TestNames(t *testing.T) {
	b := narrowSeas(t)
	for asked, want := range map[string]string{
		"10 Sea Zone": "10 Sea Zone", "SZ 10": "10 Sea Zone", "sz 10": "10 Sea Zone", "SZ10": "10 Sea Zone",
		"Lagoon": "The Lagoon", "  the   LAGOON ": "The Lagoon", "home": "Blue Harbour", "NORTH": "North Coast",
		"inland": "Inland",
	} {
		s, err := b.Space(asked)
		if err != nil || s.Name != want {
			t.Errorf("%q is %q, %v; want %q", asked, s.Name, err, want)
		}
	}
	for asked, want := range map[string]string{"Blue": "Blue Fleet", "RED": "Red Fleet", "blue fleet": "Blue Fleet",
		"Islanders": "Islanders"} {
		if p, err := b.Power(asked); err != nil || p != want {
			t.Errorf("%q is %q, %v; want %q", asked, p, err, want)
		}
	}
	if s, err := b.SeaZone("SZ 4"); err != nil || s.Name != "4 Sea Zone" || !s.Water {
		t.Errorf("SZ 4 is %v, %v", s, err)
	}
	if s, err := b.Territory("Home"); err != nil || s.Name != "Blue Harbour" || s.Water {
		t.Errorf("Home is %v, %v", s, err)
	}
}

func TestTableNames(t *testing.T) {
	b := narrowSeas(t)
	for name, want := range map[string]string{
		"10 Sea Zone": "SZ 10", "sz10": "SZ 10", "The Lagoon": "Lagoon", "Blue Harbour": "Home", "Inland": "Inland",
		"nowhere": "nowhere",
	} {
		if got := b.TableSpace(name); got != want {
			t.Errorf("the table calls %q %q, want %q", name, got, want)
		}
	}
	for name, want := range map[string]string{"Blue Fleet": "Blue", "Islanders": "Islanders", "nobody": "nobody"} {
		if got := b.TablePower(name); got != want {
			t.Errorf("the table calls %q %q, want %q", name, got, want)
		}
	}
}

func TestUnknownNames(t *testing.T) {
	b := narrowSeas(t)
	for _, c := range []struct{ kind, name, want string }{
		{"space", "SZ 11", `the board has no space "SZ 11"; nearest: "SZ 10", "SZ 1", "SZ 4"`},
		{"space", "Blue Harbor", `the board has no space "Blue Harbor"; nearest: "Blue Harbour"`},
		{"space", "Coast", `the board has no space "Coast"; nearest: "North Coast"`},
		{"space", "Narnia", `the board has no space "Narnia"; nearest: "North"`},
		{"space", "", `the board has no space ""`},
		{"space", "a\nb", `the board has no space "a\nb"; nearest: "SZ 1"`},
		{"territory", "Hmoe", `the board has no territory "Hmoe"; nearest: "Home"`},
		{"sea zone", "SZ 12", `the board has no sea zone "SZ 12"; nearest: "SZ 10", "SZ 2", "SZ 1"`},
		{"power", "Bleu", `the board has no power "Bleu"; nearest: "Blue"`},
	} {
		var err error
		switch c.kind {
		case "space":
			_, err = b.Space(c.name)
		case "territory":
			_, err = b.Territory(c.name)
		case "sea zone":
			_, err = b.SeaZone(c.name)
		case "power":
			_, err = b.Power(c.name)
		}
		var unknown *board.UnknownError
		if !errors.As(err, &unknown) || unknown.Kind != c.kind || unknown.Name != c.name {
			t.Errorf("%s %q: %#v", c.kind, c.name, err)
			continue
		}
		if err.Error() != c.want {
			t.Errorf("%s %q:\n got %s\nwant %s", c.kind, c.name, err, c.want)
		}
	}
}

func TestWrongKind(t *testing.T) {
	b := narrowSeas(t)
	_, err1 := b.SeaZone("Home")
	_, err2 := b.Territory("4 sea zone")
	var land, sea *board.WrongKindError
	if !errors.As(err1, &land) || !errors.As(err2, &sea) {
		t.Fatalf("%v, %v", err1, err2)
	}
	equal(t, "land", land.Error(), `"Home" is a territory, not a sea zone: it stands for "Blue Harbour"`)
	equal(t, "sea", sea.Error(), `"4 sea zone" is a sea zone, not a territory`)
	equal(t, "space", sea.Space.Name, "4 Sea Zone")
}

// A power and a space may go by one name; a name of the file may be what the table prefers.
func TestAliases(t *testing.T) {
	list := []board.File{
		game(`<game><info name="G"/>
<map><territory name="Island"/><territory name="8 Sea Zone" water="true"/>
<territory name="Zone 08b" water="true"/></map>
<playerList><player name="British"/></playerList></game>`),
		{Name: "my-aliases-2.txt",
			Data: []byte("# names\r\n\r\ntitle G\npower UK = British\nspace Island = Island\nspace UK = Island\nzone " +
				"SZ # = # Sea Zone\nzone Z# = Zone #b\nzone 8 = 8 Sea Zone\nspace water=8 Sea Zone\n")},
	}
	b := read(t, list...)
	for asked, want := range map[string]string{"uk": "Island", "sz 8": "8 Sea Zone", "z08": "Zone 08b",
		"8": "8 Sea Zone", "Water": "8 Sea Zone"} {
		if s, err := b.Space(asked); err != nil || s.Name != want {
			t.Errorf("%q is %q, %v; want %q", asked, s.Name, err, want)
		}
	}
	equal(t, "table's names", []string{b.TableSpace("Island"), b.TablePower("British"), b.TableSpace("8 Sea Zone")},
		[]string{"Island", "UK", "SZ 8"})
	equal(t, "files", b.Files()[1].Name, "my-aliases-2.txt")
}

func TestBadAliases(t *testing.T) {
	xml := game(`<game><info name="G"/>
<map><territory name="Isle"/><territory name="Rock"/><territory name="8 Sea Zone" water="true"/></map>
<playerList><player name="British"/><player name="Germans"/></playerList></game>`)
	for text, want := range map[string]string{
		"title H": `1: these are the names for "H", and the game is "G"`,
		"# x\n\nsea SZ 8 = 8 Sea Zone": `3: a line begins with title, power, space, zone or #, not ` +
			`with "sea"`,
		"power UK British":         `1: write power ALIAS = NAME IN THE GAME FILE`,
		"power = British":          `1: write power ALIAS = NAME IN THE GAME FILE`,
		"space UK =":               `1: write space ALIAS = NAME IN THE GAME FILE`,
		"power":                    `1: write power ALIAS = NAME IN THE GAME FILE`,
		"power UK = Britsh":        `1: the game has no power "Britsh"; nearest: "British"`,
		"power UK = british":       `1: the game has no power "british"; nearest: "British"`,
		"space France = Isel":      `1: the map has no space "Isel"; nearest: "Isle"`,
		"space France = isle":      `1: the map has no space "isle"; nearest: "Isle"`,
		"zone Z = Isle":            `1: "Isle" is a territory: write space, not zone`,
		"zone SZ # = 8 Sea Zone":   `1: a pattern has one # on each side, for the number of the zone`,
		"zone SZ # # = # Sea Zone": `1: a pattern has one # on each side, for the number of the zone`,
		"zone SZ # = Zone #":       `1: the map has no sea zone of the form "Zone #"`,
		"space X = Isle\nspace x = Rock": `2: "x" would be ambiguous: it stands for "Isle" by line 1, and ` +
			`now for "Rock"`,
		"space Rock = Isle": `1: "Rock" would be ambiguous: it stands for "Rock" in the game ` +
			`file, and now for "Isle"`,
		"space SZ 8 = Isle\nzone SZ # = # Sea Zone": `2: "SZ 8" would be ambiguous: it stands for "Isle" by line 1, ` +
			`and now for "8 Sea Zone"`,
		"power X = British\npower  X  = Germans": `2: "X" would be ambiguous: it stands for "British" by line 1, ` +
			`and now for "Germans"`,
		"power " + strings.Repeat("x", 201) + " = British": `1: the alias "` + strings.Repeat("x", 60) +
			`…" is too long: at most 200 bytes`,
		"power \xff = British":   `1: the byte 0xff is not UTF-8: save the file as UTF-8`,
		"\npower \x00 = British": `2: a NUL byte: this is not UTF-8 text`,
	} {
		_, err := board.Read(xml, board.File{Name: "aliases.txt", Data: []byte(text)})
		if err == nil || err.Error() != "aliases.txt:"+want {
			t.Errorf("%q:\n got %v\nwant aliases.txt:%s", text, err, want)
		}
	}
}

// A built-in alias file that does not fit a variant of its game says how to get past it.
func TestBuiltInDoesNotFit(t *testing.T) {
	_, err := board.Read(
		game(`<game><info name="Narrow Seas"/><map><territory name="A"/></map><playerList><player name="Blue ` +
			`Fleet"/></playerList></game>`))
	const want = `narrow-seas.aliases.txt:5: the game has no power "Red Fleet"; nearest: "Blue Fleet" (this alias ` +
		`file is built in for games of that title; give one of your own to take its place)`
	if err == nil || err.Error() != want {
		t.Errorf("\n got %v\nwant %s", err, want)
	}
}

// A board that no alias file is given for goes by the usual names, as far as they fit, and keeps them as a file.
func TestUsualNames(t *testing.T) {
	xml := game(`<game><info name="House Game"/>
<map><territory name="Britain"/><territory name="8 Sea Zone" water="true"/>
<territory name="SZ 48 South Atlantic" water="true"/><territory name="SZ 9" water="true"/></map>
<playerList><player name="British"/><player name="Americans"/><player name="USA"/><player name="UK_Pacific"/>
</playerList></game>`)
	b := read(t, xml)
	var table []string
	for _, p := range b.Powers() {
		table = append(table, b.TablePower(p.Name))
	}
	equal(t, "powers", table, []string{"UK", "US", "USA", "UK Pacific"})
	for asked, want := range map[string]string{"sz 8": "8 Sea Zone", "8": "8 Sea Zone", "SZ 48": "SZ 48 South Atlantic",
		"sz 9": "SZ 9", "britain": "Britain"} {
		if s, err := b.Space(asked); err != nil || s.Name != want {
			t.Errorf("%q is %q, %v; want %q", asked, s.Name, err, want)
		}
	}
	if p, err := b.Power("usa"); err != nil || p != "USA" {
		t.Errorf("usa is %q, %v: a name of the game file goes before a usual one", p, err)
	}
	again := read(t, b.Files()...)
	equal(t, "names", []string{again.TablePower("British"), again.TableSpace("8 Sea Zone")}, []string{"UK", "SZ 8"})
	equal(t, "hash", again.Hash(), b.Hash())

	own := read(t, game(`<game><info name="None"/><map><territory name="A"/></map><playerList><player name="P"/>
</playerList></game>`))
	if !slices.Contains(own.Lacks(), "the alias file is empty: powers and spaces go by the names of the game file") {
		t.Errorf("none of the usual names fits, and nobody says so: %q", own.Lacks())
	}
}

// A game that is one with built-in names by another title has these.
func TestNamesOfAnotherTitle(t *testing.T) {
	data, err := os.ReadFile(filepath.Join("testdata", "narrow-seas.xml"))
	if err != nil {
		t.Fatal(err)
	}
	b := read(t, game(strings.Replace(string(data), `name="Narrow Seas"`, `name="Narrower Seas"`, 1)))
	if b.Title() != "Narrower Seas" || b.TablePower("Blue Fleet") != "Blue" || b.TableSpace("Blue Harbour") != "Home" {
		t.Errorf("%s has %s and %s", b.Title(), b.TablePower("Blue Fleet"), b.TableSpace("Blue Harbour"))
	}
}

// TripleA takes the last owner of a territory that is given two; so does the board, and says so.
func TestTwoOwners(t *testing.T) {
	owner := `<territoryOwner territory="Isle" owner="%s"/>`
	b := read(t, game(with("owners", fmt.Sprintf(owner+"\n"+owner, "British", "Neutral"))))
	if s, err := b.Space("Isle"); err != nil || s.Owner != "" {
		t.Errorf("it is %q's, %v", s.Owner, err)
	}
	want := "the file gives these territories two owners, of which the later counts: Isle (lines 24 and 25)"
	if !slices.Contains(b.Lacks(), want) {
		t.Errorf("nobody says so: %q", b.Lacks())
	}
}
