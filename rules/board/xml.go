package board

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"unicode"
)

// deepest is how many elements may lie in one another, and mostAttributes how many attributes
// one may have; TripleA's own files need far fewer.
const (
	deepest        = 100
	mostAttributes = 100
)

// wanted are the elements that a board is made of, behind their parent, and how many of each
// a file may have. The rest of a game file is passed over.
var wanted = map[string]int{
	"game/info":                           1,
	"map/territory":                       5_000,
	"map/connection":                      50_000,
	"playerList/player":                   200,
	"playerList/alliance":                 2_000,
	"sequence/step":                       10_000,
	"attachmentList/attachment":           50_000,
	"attachment/option":                   200_000,
	"ownerInitialize/territoryOwner":      10_000,
	"unitInitialize/unitPlacement":        100_000,
	"resourceInitialize/resourceGiven":    5_000,
	"relationshipInitialize/relationship": 50_000,
}

// priced are the elements that say what units cost, and how many of each are read. Nothing in them can be wrong with a
// board: it opens without prices.
var priced = map[string]int{
	"production/productionRule":        10_000,
	"productionRule/cost":              20_000,
	"productionRule/result":            20_000,
	"production/productionFrontier":    1_000,
	"productionFrontier/frontierRules": 100_000,
	"production/playerProduction":      1_000,
	"production/repairRule":            10_000,
	"repairRule/cost":                  20_000,
	"repairRule/result":                20_000,
	"production/repairFrontier":        1_000,
	"repairFrontier/repairRules":       100_000,
	"production/playerRepair":          1_000,
}

// element is one element of a game file.
type element struct {
	name   string
	line   int
	attrs  []xml.Attr
	parent *element // of an option: its attachment; of a cost: its production rule
}

// game is what a file holds, by the keys of wanted, in the order of the file.
type game map[string][]*element

// readGame takes a game file apart. What its elements say is settled later, when all are known.
func readGame(data []byte) (game, error) {
	d := xml.NewDecoder(bytes.NewReader(trimMark(data)))
	d.CharsetReader = refuseEncoding
	r := &gameReader{decoder: d, game: game{}}
	for {
		line, _ := d.InputPos()
		token, err := d.Token()
		if err == io.EOF {
			break
		}
		if err != nil {
			return nil, r.malformed(err)
		}
		if err := r.take(token, line); err != nil {
			return nil, err
		}
	}
	if !r.begun {
		return nil, fault(0, "this is not a TripleA game: it has no element <game>")
	}
	return r.game, nil
}

type gameReader struct {
	decoder *xml.Decoder
	game    game
	open    []*element // from <game> inwards
	begun   bool
}

// take takes one token, which begins on the given line.
func (r *gameReader) take(token xml.Token, line int) error {
	switch t := token.(type) {
	case xml.StartElement:
		return r.start(t, line)
	case xml.EndElement:
		r.open = r.open[:len(r.open)-1]
	case xml.Directive:
		// encoding/xml expands no entity that a file declares, but a file that declares one
		// counts on it, or is a bomb.
		if upper := bytes.ToUpper(t); bytes.Contains(upper, []byte("<!ENTITY")) ||
			bytes.HasPrefix(upper, []byte("ENTITY")) {
			return fault(line, "<!DOCTYPE> declares entities: a board must do without")
		}
	}
	return nil
}

func (r *gameReader) start(t xml.StartElement, line int) error {
	e := &element{name: short(spelling(t.Name.Local), 60), line: line}
	if len(r.open) == 0 {
		if r.begun {
			return e.fault("the file goes on after </game>")
		}
		if e.name != "game" {
			return e.fault("this is not a TripleA game: its first element must be <game>")
		}
		r.begun, r.open = true, []*element{e}
		return nil
	}
	e.parent = r.open[len(r.open)-1]
	r.open = append(r.open, e)
	if len(r.open) > deepest {
		return e.fault("elements lie in one another more than %d deep", deepest)
	}
	key := e.parent.name + "/" + e.name
	if len(r.game[key]) < priced[key] {
		e.attrs = t.Attr
		r.game[key] = append(r.game[key], e)
	}
	limit, ok := wanted[key]
	if !ok {
		return nil
	}
	if len(r.game[key]) == limit {
		return e.fault("a board has at most %d of these", limit)
	}
	if len(t.Attr) > mostAttributes {
		return e.fault("it has %d attributes: the limit is %d", len(t.Attr), mostAttributes)
	}
	for _, a := range t.Attr {
		a.Name.Local = spelling(a.Name.Local)
		if _, twice := e.find(a.Name.Local); twice {
			return e.fault("the attribute %s stands twice", a.Name.Local)
		}
		e.attrs = append(e.attrs, a)
	}
	r.game[key] = append(r.game[key], e)
	return nil
}

// malformed is the error for what the XML decoder refuses: the line, and the element in which
// it stands.
func (r *gameReader) malformed(err error) error {
	var encoding encodingError
	if errors.As(err, &encoding) {
		return fault(1, "%s", string(encoding))
	}
	line, _ := r.decoder.InputPos()
	message := err.Error()
	var syntax *xml.SyntaxError
	if errors.As(err, &syntax) {
		line, message = syntax.Line, syntax.Msg
	}
	e := &Error{Line: line, Message: "malformed XML: " + short(strings.Join(strings.Fields(message), " "), 200)}
	if n := len(r.open); n > 0 {
		e.Element = r.open[n-1].name
		e.Message += fmt.Sprintf(" (the element begins on line %d)", r.open[n-1].line)
	}
	return e
}

type encodingError string

func (e encodingError) Error() string { return string(e) }

// refuseEncoding is asked about any declared encoding but UTF-8. ASCII is a part of that.
func refuseEncoding(name string, input io.Reader) (io.Reader, error) {
	if strings.EqualFold(name, "us-ascii") || strings.EqualFold(name, "ascii") {
		return input, nil
	}
	return nil, encodingError(fmt.Sprintf("the file declares the encoding %s: save it as UTF-8", shown(name)))
}

// spelling mends a name: older files write attatchment and attatchTo.
func spelling(name string) string { return strings.Replace(name, "ttatch", "ttach", 1) }

func (e *element) fault(format string, args ...any) error {
	return &Error{Line: e.line, Element: e.name, Message: fmt.Sprintf(format, args...)}
}

func (e *element) find(attr string) (string, bool) {
	for _, a := range e.attrs {
		if a.Name.Local == attr {
			return a.Value, true
		}
	}
	return "", false
}

// get is the value of an attribute, empty if there is none.
func (e *element) get(attr string) string {
	value, _ := e.find(attr)
	return value
}

// need is the value of an attribute that must be there, and be fit to be printed.
func (e *element) need(attr string) (string, error) {
	const longest = 200
	value := e.get(attr)
	if strings.TrimSpace(value) == "" {
		return "", e.fault("it needs the attribute %s", attr)
	}
	if len(value) > longest || strings.ContainsFunc(value, unicode.IsControl) {
		return "", e.fault("%s must be at most %d bytes without control characters, not %s", attr, longest,
			shown(value))
	}
	return value, nil
}

// number is the value of an attribute that must be a whole number from 0 to a million; what
// names the number in the error.
func (e *element) number(attr, what string) (int, error) {
	const largest = 1_000_000
	value, err := e.need(attr)
	if err != nil {
		return 0, err
	}
	n, err := strconv.Atoi(value)
	if err != nil || n < 0 || n > largest {
		return 0, e.fault("%s must be a whole number from 0 to %d, not %s", what, largest, shown(value))
	}
	return n, nil
}

// isTrue reads a flag as TripleA does.
func isTrue(value string) bool { return strings.EqualFold(value, "true") }
