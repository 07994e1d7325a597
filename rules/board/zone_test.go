package board_test

import (
	"testing"

	"github.com/watu-ledger/watu/rules/board"
)

// TestZoneNumbers: a sea zone is found by its number, however that is written, on a board whose alias file has no such
// name; and a number that there is not is answered with the zones that there are, by the names that the table has.
func TestZoneNumbers(t *testing.T) {
	b := read(t, game(`<game><info name="G"/><map>
<territory name="SZ 7" water="true"/><territory name="9 Sea Zone" water="true"/>
<territory name="SZ 48 South Atlantic" water="true"/><territory name="SZ 5 East" water="true"/>
<territory name="SZ 5 West" water="true"/><territory name="Sea Lion" water="true"/><territory name="SZ 12"/></map>
<playerList><player name="British"/></playerList></game>`),
		board.File{Name: "aliases.txt", Data: []byte("zone Z9 = 9 Sea Zone\n")})
	for asked, want := range map[string]string{
		"7 Sea Zone": "SZ 7", "sz7": "SZ 7", "Sea Zone 7": "SZ 7", "SZ 07": "SZ 7", "SZ 9": "9 Sea Zone",
		"48 Sea Zone": "SZ 48 South Atlantic", "sz 48": "SZ 48 South Atlantic", "SZ 5 East": "SZ 5 East",
		"SZ 12": "SZ 12",
	} {
		if s, err := b.Space(asked); err != nil || s.Name != want {
			t.Errorf("%q is %q, %v; want %q", asked, s.Name, err, want)
		}
	}
	for asked, want := range map[string]string{
		"SZ 5":            `the board has no sea zone "SZ 5"; nearest: "SZ 5 East", "SZ 5 West", "SZ 7"`,
		"8 Sea Zone":      `the board has no sea zone "8 Sea Zone"; nearest: "SZ 7", "Z9", "SZ 5 East"`,
		"SZ 99999999999":  `the board has no sea zone "SZ 99999999999"; nearest: "Z9", "SZ 48 South Atlantic", "SZ 7"`,
		"12 Sea Zone":     `the board has no sea zone "12 Sea Zone"; nearest: "Z9", "SZ 7", "SZ 5 East"`,
		"SZ":              `the board has no sea zone "SZ"; nearest: "SZ 7", "Z9"`,
		"0 Sea Zone":      `the board has no sea zone "0 Sea Zone"; nearest: "9 Sea Zone"`,
		"SZ 48 South Pac": `the board has no sea zone "SZ 48 South Pac"; nearest: "SZ 48 South Atlantic"`,
	} {
		if _, err := b.SeaZone(asked); err == nil || err.Error() != want {
			t.Errorf("%q:\n got %v\nwant %s", asked, err, want)
		}
	}
}
