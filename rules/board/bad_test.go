package board_test

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/watu-ledger/watu/rules/board"
)

// one is a game of three spaces; the marks take what a bad game has in addition.
const one = `<?xml version="1.0"?>
<!DOCTYPE game SYSTEM "game.dtd">
<game>
<info name="One" version="1"/>
<map>
<territory name="Isle"/>
<territory name="Rock"/>
<territory name="8 Sea Zone" water="true"/>
%map%
</map>
<playerList>
<player name="British"/>
%players%
</playerList>
<gamePlay><sequence>
%steps%
</sequence></gamePlay>
<attachmentList>
<attachment name="unitAttachment" attachTo="yard" type="unitType"><option name="isFactory" value="true"/></attachment>
%attachments%
</attachmentList>
<initialize>
<ownerInitialize>
%owners%
</ownerInitialize>
<unitInitialize>
%units%
</unitInitialize>
<resourceInitialize>
%resources%
</resourceInitialize>
</initialize>
</game>
`

var marks = []string{"map", "players", "steps", "attachments", "owners", "units", "resources"}

// with puts text at a mark and leaves the others empty.
func with(mark, text string) string {
	s := one
	for _, m := range marks {
		in := ""
		if m == mark {
			in = text
		}
		s = strings.ReplaceAll(s, "%"+m+"%", in)
	}
	return s
}

func attached(to, options string) string {
	return fmt.Sprintf(`<attachment name="territoryAttachment" attachTo="%s" type="territory">%s</attachment>`, to,
		options)
}

// Each of these is refused with one error that names the line and the element.
var badGames = []struct{ text, want string }{
	{"", `: this is not a TripleA game: it has no element <game>`},
	{"just text", `: this is not a TripleA game: it has no element <game>`},
	{"<html><body/></html>", `:1: <html>: this is not a TripleA game: its first element must be <game>`},
	{"<game></game>", `: this is not a TripleA game: it has no element <info> with the game's name`},
	{`<game><info/></game>`, `:1: <info>: it needs the attribute name`},
	{`<game><info name="X" version="&#10;"/><info name="Y"/></game>`, `:1: <info>: a board has at most 1 of these`},
	{`<game><info name="X"/></game>`, `: this is not a TripleA game: its <map> has no <territory>`},
	{`<game><info name="X"/><map><territory name="A"/></map></game>`,
		`: this is not a TripleA game: its <playerList> has no <player>`},
	{"<game>\n<map>\n<territory name=\"A\">\n</map>\n</game>",
		`:4: <territory>: malformed XML: element <territory> closed by </map> (the element begins on line 3)`},
	{"<game>\n<map>\n<territory name=A/>\n</map></game>",
		`:3: <map>: malformed XML: unquoted or missing attribute value in element (the element begins on line 2)`},
	{"<game>\n<map>\n<territory name=\"A\"", `:3: <map>: malformed XML: unexpected EOF (the element begins on line 2)`},
	{"<game>\n<map>", `:2: <map>: malformed XML: unexpected EOF (the element begins on line 2)`},
	{"<game>\n&nosuch;</game>",
		`:2: <game>: malformed XML: invalid character entity &nosuch; (the element begins on line 1)`},
	{"<game>\n</game>\n<game/>", `:3: <game>: the file goes on after </game>`},
	{"</game>", `:1: malformed XML: unexpected end element </game>`},
	{"<?xml version=\"1.1\"?><game/>",
		`:1: malformed XML: xml: unsupported version "1.1"; only version 1.0 is supported`},
	{"<?xml version=\"1.0\" encoding=\"ISO-8859-1\"?><game/>",
		`:1: the file declares the encoding "ISO-8859-1": save it as UTF-8`},
	{"\xff\xfe<\x00", `:1: the file is UTF-16: save it as UTF-8`},
	{"<game>\n\x00</game>", `:2: a NUL byte: this is not UTF-8 text`},
	{"<game>\n\n<!-- \xe9 --></game>", `:3: the byte 0xe9 is not UTF-8: save the file as UTF-8`},
	{"<!DOCTYPE game [\n<!ENTITY a \"aaaa\">\n<!ENTITY b \"&a;&a;\">\n]>\n<game/>",
		`:1: <!DOCTYPE> declares entities: a board must do without`},
	{"\n<!DOCTYPE game [<!entity % p SYSTEM 'file:///etc/passwd'> %p;]><game/>",
		`:2: <!DOCTYPE> declares entities: a board must do without`},
	{strings.Repeat("<a>", 5), `:1: <a>: this is not a TripleA game: its first element must be <game>`},
	{"<game>" + strings.Repeat("\n<deep>", 200), `:101: <deep>: elements lie in one another more than 100 deep`},
	{"<game>\n<map><territory" + manyAttributes(101) + "/></map></game>",
		`:2: <territory>: it has 101 attributes: the limit is 100`},

	{with("map", `<territory name="Isle"/>`), `:9: <territory>: the territory "Isle" stands twice, first on line 6`},
	{with("map", `<territory name=" isle"/>`),
		`:9: <territory>: the territory " isle" differs from the one on line 6 in case or blanks only`},
	{with("map", `<territory/>`), `:9: <territory>: it needs the attribute name`},
	{with("map", `<territory name=" "/>`), `:9: <territory>: it needs the attribute name`},
	{with("map", `<territory name="a&#10;b"/>`),
		`:9: <territory>: name must be at most 200 bytes without control characters, not "a\nb"`},
	{with("map", `<territory name="A" name="B"/>`), `:9: <territory>: the attribute name stands twice`},
	{with("map", `<territory name="A" water="wet"/>`), `:9: <territory>: water must be true or false, not "wet"`},
	{with("map", "\n<connection t1=\"Isle\" t2=\"Rok\"/>"),
		`:10: <connection>: t2 names "Rok", which is no territory of this map; nearest: "Rock"`},
	{with("map", `<connection t1="9 Sea Zone" t2="Rock"/>`),
		`:9: <connection>: t1 names "9 Sea Zone", which is no territory of this map; nearest: "8 Sea Zone"`},
	{with("map", `<connection t1="Rock"/>`), `:9: <connection>: it needs the attribute t2`},
	{with("map", `<connection t1="Rock" t2="Rock"/>`), `:9: <connection>: "Rock" is connected with itself`},
	{with("players", `<player name="British"/>`), `:13: <player>: the player "British" stands twice, first on line 12`},
	{with("players", `<alliance player="Germans" alliance="Axis"/>`),
		`:13: <alliance>: player names "Germans", which is no player of this game; nearest: "British"`},
	{with("players", `<alliance player="British"/>`), `:13: <alliance>: it needs the attribute alliance`},
	{with("steps", `<step name="x" player="Britsh"/>`),
		`:16: <step>: player names "Britsh", which is no player of this game; nearest: "British"`},
	{with("attachments", attached("Atlantis", "")),
		`:20: <attachment>: attachTo names "Atlantis", which is no territory of this map; nearest: "Isle"`},
	{with("attachments", `<attachment name="canalAttachment" attachTo="Atlantis" type="territory"/>`),
		`:20: <attachment>: attachTo names "Atlantis", which is no territory of this map; nearest: "Isle"`},
	{with("attachments", `<attachment name="territoryAttachment" foreach="$All$" attachTo="@All@" type="territory"/>`),
		`:20: <attachment>: an attachment with foreach cannot be read: write one for each territory`},
	{with("attachments", attached("Isle", "\n"+`<option name="production" value="many"/>`)),
		`:21: <option>: the production of "Isle" must be a whole number from 0 to 1000000, not "many"`},
	{with("attachments", attached("Isle", `<option name="production" value="-1"/>`)),
		`:20: <option>: the production of "Isle" must be a whole number from 0 to 1000000, not "-1"`},
	{with("attachments", attached("Isle", `<option name="production" value="99999999999999999999"/>`)),
		`:20: <option>: the production of "Isle" must be a whole number from 0 to 1000000, not "99999999999999999999"`},
	{with("attachments", attached("Isle", `<option name="production"/>`)),
		`:20: <option>: it needs the attribute value`},
	{with("attachments",
		attached("Isle", `<option name="production" value="1"/>`+"\n"+`<option name="production" value="2"/>`)),
		`:21: <option>: the production of "Isle" is given twice and differs, first on line 20`},
	{with("attachments", attached("Isle", `<option name="capital" value="Nobody"/>`)),
		`:20: <option>: value names "Nobody", which is no player of this game; nearest: "British"`},
	{with("attachments",
		`<attachment name="canalAttachmentX" attachTo="Isle" type="territory"><option name="canalName" `+
			`value=""/></attachment>`), `:20: <option>: it needs the attribute value`},
	{with("owners", `<territoryOwner territory="Isl" owner="British"/>`),
		`:24: <territoryOwner>: territory names "Isl", which is no territory of this map; nearest: "Isle"`},
	{with("owners", `<territoryOwner territory="Isle" owner="Dutch"/>`),
		`:24: <territoryOwner>: owner names "Dutch", which is no player of this game; nearest: "British"`},
	{with("units", `<unitPlacement unitType="boat" territory="Nowhere" quantity="1"/>`),
		`:27: <unitPlacement>: territory names "Nowhere", which is no territory of this map; nearest: "Isle"`},
	{with("units", `<unitPlacement unitType="boat" territory="Isle" quantity="1" owner="Dutch"/>`),
		`:27: <unitPlacement>: owner names "Dutch", which is no player of this game; nearest: "British"`},
	{with("units", `<unitPlacement unitType="boat" territory="Isle" quantity="a few"/>`),
		`:27: <unitPlacement>: the quantity must be a whole number from 0 to 1000000, not "a few"`},
	{with("units", `<unitPlacement unitType="yard" territory="Isle" quantity="2"/>`),
		`:27: <unitPlacement>: "Isle" begins with 2 industrial complexes: a territory has one at most`},
	{with("units", `<unitPlacement unitType="yard" territory="Isle" quantity="1"/>`+"\n"+
		`<unitPlacement unitType="yard" territory="Isle" quantity="1"/>`),
		`:28: <unitPlacement>: "Isle" begins with two industrial complexes, the first on line 27: a territory has ` +
			`one at most`},
	{with("units", `<unitPlacement unitType="yard" territory="8 Sea Zone" quantity="1"/>`),
		`:27: <unitPlacement>: the sea zone "8 Sea Zone" cannot have an industrial complex`},
	{with("resources", `<resourceGiven player="British" resource="PUs" quantity="1.5"/>`),
		`:30: <resourceGiven>: the quantity must be a whole number from 0 to 1000000, not "1.5"`},
	{with("resources", `<resourceGiven player="British" resource="PUs" quantity="1"/>`+"\n"+
		`<resourceGiven player="British" resource="PUs" quantity="2"/>`),
		`:31: <resourceGiven>: what "British" has in PUs is given twice and differs, first on line 30`},
	{with("resources", `<resourceGiven player="Swiss" resource="PUs" quantity="1"/>`),
		`:30: <resourceGiven>: player names "Swiss", which is no player of this game; nearest: "British"`},
}

func manyAttributes(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, " a%d='1'", i)
	}
	return b.String()
}

func TestBadGames(t *testing.T) {
	if _, err := board.Read(game(with("", ""))); err != nil {
		t.Fatalf("the game without a fault is refused: %v", err)
	}
	for _, c := range badGames {
		_, err := board.Read(game(c.text))
		if err == nil || err.Error() != "game.xml"+c.want {
			text := c.text
			if len(text) > 200 {
				text = text[:200] + "…"
			}
			t.Errorf("%s\n got %v\nwant game.xml%s", text, err, c.want)
		}
	}
}

// The parts of an error are there for whoever shows it in another way.
func TestErrorParts(t *testing.T) {
	_, err := board.Read(game(with("owners", `<territoryOwner territory="Isl" owner="British"/>`)))
	var fault *board.Error
	if !errors.As(err, &fault) {
		t.Fatal(err)
	}
	equal(t, "error", *fault, board.Error{File: "game.xml", Line: 24, Element: "territoryOwner",
		Message: `territory names "Isl", which is no territory of this map; nearest: "Isle"`})
}

func TestBadFiles(t *testing.T) {
	good := game(with("", ""))
	for _, c := range []struct {
		want string
		list []board.File
	}{
		{"board: the game is missing: give TripleA's *.xml", nil},
		{"board: the game is missing: give TripleA's *.xml", []board.File{{Name: "centers.txt"}}},
		{"place.txt: a board has no file of this name: it takes *.xml, polygons.txt, centers.txt and *aliases*.txt, " +
			"named without their folder",
			[]board.File{good, {Name: "place.txt"}}},
		{"maps/game.xml: a board has no file of this name: it takes *.xml, polygons.txt, centers.txt and " +
			"*aliases*.txt, named without their folder",
			[]board.File{{Name: "maps/game.xml", Data: good.Data}}},
		{`a\nb.xml: a board has no file of this name: it takes *.xml, polygons.txt, centers.txt and *aliases*.txt, ` +
			`named without their folder`,
			[]board.File{{Name: "a\nb.xml", Data: good.Data}}},
		{"b.xml: a board takes one file of this kind, and game.xml is one too", []board.File{good, {Name: "b.xml"}}},
		{"my-aliases.txt: a board takes one file of this kind, and aliases.txt is one too",
			[]board.File{{Name: "aliases.txt"}, good, {Name: "my-aliases.txt"}}},
		{`polygons.txt:2: a line is a name and points (x,y); here are no points`,
			shapes(good, "polygons.txt", "\nIsle\n")},
		{`polygons.txt:1: "Isle": an outline stands between < and >, not at "(1,2)"`,
			shapes(good, "polygons.txt", "Isle (1,2)")},
		{`polygons.txt:1: "Isle": an outline stands between < and >, not at "< (1,2)"`,
			shapes(good, "polygons.txt", "Isle < (1,2)")},
		{`polygons.txt:1: "Isle": an outline has at least 3 points, not 2`,
			shapes(good, "polygons.txt", "Isle < (1,2) (2,3) >")},
		{`polygons.txt:1: "Isle": a point is written (x,y), not "1,2)"`, shapes(good, "polygons.txt", "Isle < 1,2) >")},
		{`polygons.txt:1: "Isle": a point has two whole numbers up to 1000000, not "1,b"`,
			shapes(good, "polygons.txt", "Isle < (1,b) >")},
		{`polygons.txt:2: "Isle" stands twice, first on line 1`,
			shapes(good, "polygons.txt", "Isle < (0,0) (1,1) (0,1) >\nIsle < (0,0) (1,1) (0,1) >")},
		{`centers.txt:1: "Isle": a space has one center, not 2`, shapes(good, "centers.txt", "Isle (1,2) (3,4)")},
		{`centers.txt:1: "Isle": a point has two whole numbers up to 1000000, not "1,2000000"`,
			shapes(good, "centers.txt", "Isle (1,2000000)")},
		{`centers.txt:1: "Isle": a point is written (x,y), not "<"`, shapes(good, "centers.txt", "Isle <")},
		{`centers.txt:1: a NUL byte: this is not UTF-8 text`, shapes(good, "centers.txt", "\x00")},
	} {
		_, err := board.Read(c.list...)
		if err == nil || err.Error() != c.want {
			t.Errorf("\n got %v\nwant %s", err, c.want)
		}
	}
}

func shapes(good board.File, name, text string) []board.File {
	return []board.File{good, {Name: name, Data: []byte(text)}}
}

// What is too large is refused before it is read: the 50 MB here are no XML at all.
func TestTooLarge(t *testing.T) {
	for name, c := range map[string]struct {
		bytes int
		want  string
	}{
		"game.xml":     {50_000_000, "game.xml: 50000000 bytes are too many: the limit is 32 MiB"},
		"polygons.txt": {32<<20 + 1, "polygons.txt: 33554433 bytes are too many: the limit is 32 MiB"},
		"centers.txt":  {4<<20 + 1, "centers.txt: 4194305 bytes are too many: the limit is 4 MiB"},
		"aliases.txt":  {1<<20 + 1, "aliases.txt: 1048577 bytes are too many: the limit is 1 MiB"},
	} {
		_, err := board.Read(board.File{Name: name, Data: bytes.Repeat([]byte{0xff}, c.bytes)})
		if err == nil || err.Error() != c.want {
			t.Errorf("\n got %v\nwant %s", err, c.want)
		}
	}
}

// Limits are told in the error, on the line of the first element too many.
func TestTooMany(t *testing.T) {
	var spaces, aliases strings.Builder
	for i := range 5000 {
		fmt.Fprintf(&spaces, "<territory name=\"%d Sea Zone\" water=\"true\"/>\n", i+100)
	}
	_, err := board.Read(game(with("map", spaces.String())))
	if want := "game.xml:5006: <territory>: a board has at most 5000 of these"; err == nil || err.Error() != want {
		t.Errorf("\n got %v\nwant %s", err, want)
	}
	_, err = board.Read(game(with("players", strings.Repeat("<alliance/>", 2001))))
	if want := "game.xml:13: <alliance>: a board has at most 2000 of these"; err == nil || err.Error() != want {
		t.Errorf("\n got %v\nwant %s", err, want)
	}
	for i := range 50_001 {
		fmt.Fprintf(&aliases, "space %d = Isle\n", i)
	}
	_, err = board.Read(game(with("", "")), board.File{Name: "aliases.txt", Data: []byte(aliases.String())})
	if want := "aliases.txt:50001: there are more than 50000 aliases"; err == nil || err.Error() != want {
		t.Errorf("\n got %v\nwant %s", err, want)
	}
}

// Comments, CDATA and elements of other names are passed over, wherever they stand.
func TestPassedOver(t *testing.T) {
	text := strings.ReplaceAll(with("map",
		`<!-- <territory name="No"/> --><![CDATA[<territory name="No"/>]]><extra><territory name="No"/></extra>`),
		"<initialize>", `<other a="1" a="2"/><initialize>`)
	if n := len(read(t, game(text)).Spaces()); n != 3 {
		t.Errorf("%d spaces, want 3", n)
	}
}
