package bundle

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"
	"iter"
	"maps"
	"slices"
	"strings"

	"github.com/oklog/ulid/v2"

	"github.com/watu-ledger/watu/events"
)

// Magic is the first line of a file.
const Magic = "watu record 1\n"

// For whom a file is, beside the sides.
const (
	Public = "public"
	Umpire = "umpire"
)

// File is a campaign that travels.
type File struct {
	Header   Header
	Editions []string // texts of printed sheets; the SHA-256 of each is the hash of an edition
	Events   [][]byte // as stored, from event 0 on
	Openings []events.Opening
	Links    []Link
	Boards   [][]byte  // contents of the board's files
	Lacks    []Lack    // what it should hold for its reader, and its host does not have
	Signed   Signed    // what the ledger states of the events; zero in files of earlier versions
	Further  []Section // of later versions, which need not be understood

	stored *stored // the events, in place of Events, where they stay in the file: see [Open]
}

// Header says what a file is about. What it says of the events is checked against them.
type Header struct {
	Campaign ulid.ULID     `json:"campaign"`
	Name     string        `json:"name"`
	System   string        `json:"system"`
	Edition  string        `json:"edition"`  // the name of that on which the campaign opened
	Editions []events.Hash `json:"editions"` // in the order in which they judged
	Events   uint64        `json:"events"`   // how many, from event 0 on
	Head     events.Hash   `json:"head"`     // hash of the last one
	For      string        `json:"for"`      // "public", "umpire" or a side: who may see what is in the file
	Part     *Part         `json:"part,omitempty"`
}

// Gather makes the file of a campaign's first events for a reader, without the sheets, the files of the board and what
// the reader may open.
func Gather(reader string, records iter.Seq2[events.Record, error]) (*File, events.CampaignOpened, error) {
	out := &File{Header: Header{For: reader}}
	h := &out.Header
	var opened events.CampaignOpened
	for r, err := range records {
		if err != nil {
			return nil, opened, err
		}
		e, err := events.Decode(r.Bytes)
		if err != nil {
			return nil, opened, err
		}
		var moved events.EditionMoved
		e.Read(&opened)
		e.Read(&moved)
		for _, edition := range []events.Hash{e.Edition, moved.Hash} {
			if !edition.IsZero() && !slices.Contains(h.Editions, edition) {
				h.Editions = append(h.Editions, edition)
			}
		}
		h.Campaign, h.Head, h.Events = e.Campaign, r.Hash(), h.Events+1
		out.Events = append(out.Events, r.Bytes)
	}
	h.Name, h.System, h.Edition = opened.Name, opened.System, opened.Edition
	return out, opened, nil
}

// Part says which events are in question, both ends included; nil for all. Dispute is the index of
// the event that opened a dispute, 0 for none.
type Part struct {
	From    uint64 `json:"from"`
	To      uint64 `json:"to"`
	Dispute uint64 `json:"dispute,omitempty"`
}

// Link is the newest used link of a chain of draws in an epoch. Hashing it gives the earlier ones
// of the chain, and none of those to come.
type Link struct {
	Epoch uint64
	events.Link
}

// Lack is something that a file should hold for its reader, and does not.
type Lack struct {
	What     string `json:"what"`               // one of the Lacks constants
	At       uint64 `json:"at"`                 // of an opening its event, of a link its epoch
	Name     string `json:"name"`               // the slot, the chain, or the SHA-256 in 64 digits
	Position uint64 `json:"position,omitempty"` // of a link
}

// What a file may lack.
const (
	LacksOpening = "opening" // of a commitment
	LacksLink    = "link"    // the newest used one of a chain of draws
	LacksSheet   = "sheet"   // the printed sheets of an edition
	LacksBoard   = "board"   // a file of the board
)

// Signed is a checkpoint of the file's events, and the key of the ledger that signed it (package events/tree).
type Signed struct {
	Key  string `json:"key"` // text of a [tree.Verifier]
	Note string `json:"note"`
}

// Section is a part of a file.
type Section struct {
	Kind string // 4 letters
	Body []byte
}

// The kinds of sections.
const (
	kindHeader   = "HEAD"
	kindEdition  = "EDIT"
	kindEvents   = "EVNT"
	kindOpenings = "OPEN"
	kindLinks    = "LINK"
	kindBoard    = "BORD"
	kindDice     = "DICE"
	kindLacks    = "lack"
	kindSigned   = "note"
	kindSeal     = "SEAL"
)

// kinds are the kinds that have to be understood, in their order.
var kinds = []string{kindHeader, kindEdition, kindEvents, kindOpenings, kindLinks, kindBoard, kindDice}

// Encode gives the file's only form. It leaves f as it is, whatever the order of its lists.
func (f *File) Encode() []byte {
	b := []byte(Magic)
	b = appendSection(b, kindHeader, headerText(f.Header))
	for _, text := range bySum(texts(f.Editions)) {
		b = appendSection(b, kindEdition, text)
	}
	var list []byte
	for _, e := range f.Events {
		list = appendPart(list, e)
	}
	b = appendSection(b, kindEvents, list)
	if list := openingForm.body(f.Openings); len(list) > 0 {
		b = appendSection(b, kindOpenings, list)
	}
	if list := linkForm.body(f.Links); len(list) > 0 {
		b = appendSection(b, kindLinks, list)
	}
	for _, data := range bySum(f.Boards) {
		b = appendSection(b, kindBoard, data)
	}
	if list := diceOf(f.Events); list != "" {
		b = appendSection(b, kindDice, []byte(list))
	}
	further := slices.Clone(f.Further)
	if list := lackForm.body(f.Lacks); len(list) > 0 {
		further = append(further, Section{kindLacks, list})
	}
	if f.Signed != (Signed{}) {
		further = append(further, Section{kindSigned, []byte(f.Signed.Key + "\n" + f.Signed.Note)})
	}
	slices.SortFunc(further, func(x, y Section) int { return strings.Compare(x.Kind, y.Kind) })
	for _, s := range further {
		b = appendSection(b, s.Kind, s.Body)
	}
	seal := sha256.Sum256(b)
	return appendSection(b, kindSeal, seal[:])
}

// Ways in which dice fall that programs before them do not know.
const (
	diceByPosition = "seeds position\n"
	diceByBeacon   = "dice beacon\n"
	diceOfSeats    = "dice beacon of seats\n"
	diceUnseen     = "dice beacon or chain\n"
	diceContested  = "dice contested\n"
	handsOfPlayers = "hands players\n"
)

// knownDice are those that this program knows.
var knownDice = []string{diceByPosition, diceByBeacon, diceOfSeats, diceUnseen, diceContested, handsOfPlayers}

// diceOf lists, a line each, the ways in which dice fall in a campaign that not every version knows.
func diceOf(list [][]byte) string {
	w := ways{}
	for _, b := range list {
		if e, err := events.Decode(b); err == nil {
			w.take(&e)
		}
	}
	return w.String()
}

// ways are those ways, of the events so far.
type ways map[string]bool

func (w ways) take(e *events.Event) {
	if e.Type != "campaign_opened" && e.Type != "epoch_begun" {
		return
	}
	switch p, _ := events.PayloadOf(e); p := p.(type) {
	case *events.CampaignOpened:
		if p.Dice != "" && p.Dice != "chain" && p.Dice != attested {
			w["dice "+p.Dice+"\n"] = true
		}
		if p.Dice == byBeacon && p.Witnesses == "" {
			w[diceOfSeats] = true
		}
		if p.Hands != "" {
			w["hands "+p.Hands+"\n"] = true
		}
		if p.Unwitnessed != "" {
			w["dice beacon or "+p.Unwitnessed+"\n"] = true
		}
	case *events.EpochBegun:
		if p.Seeds != "" {
			w["seeds "+p.Seeds+"\n"] = true
		}
	}
}

func (w ways) String() string { return strings.Join(slices.Sorted(maps.Keys(w)), "") }

func headerText(h Header) []byte {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(h); err != nil {
		panic(err) // texts, numbers and hashes
	}
	return b.Bytes()
}

// appendSection appends a section with its hash.
func appendSection(b []byte, kind string, body []byte) []byte {
	from := len(b)
	b = append(b, kind...)
	b = binary.BigEndian.AppendUint64(b, uint64(len(body)))
	b = append(b, body...)
	sum := sha256.Sum256(b[from:])
	return append(b, sum[:]...)
}

func appendPart[T string | []byte](b []byte, part T) []byte {
	b = binary.BigEndian.AppendUint32(b, uint32(len(part)))
	return append(b, part...)
}

func compareOpenings(x, y events.Opening) int {
	return cmp.Or(cmp.Compare(x.Index, y.Index), strings.Compare(x.Slot, y.Slot), bytes.Compare(x.Salt[:], y.Salt[:]),
		strings.Compare(x.Fact, y.Fact))
}

func compareLinks(x, y Link) int {
	return cmp.Or(cmp.Compare(x.Epoch, y.Epoch), strings.Compare(x.Chain, y.Chain), cmp.Compare(x.Position, y.Position),
		bytes.Compare(x.Link.Link[:], y.Link.Link[:]))
}

func compareLacks(x, y Lack) int {
	return cmp.Or(strings.Compare(x.What, y.What), cmp.Compare(x.At, y.At), strings.Compare(x.Name, y.Name),
		cmp.Compare(x.Position, y.Position))
}

// bySum gives the texts in the order of their SHA-256, each once.
func bySum(list [][]byte) [][]byte {
	type summed struct {
		sum  events.Hash
		data []byte
	}
	all := make([]summed, len(list))
	for i, data := range list {
		all[i] = summed{sha256.Sum256(data), data}
	}
	slices.SortFunc(all, func(x, y summed) int { return bytes.Compare(x.sum[:], y.sum[:]) })
	all = slices.CompactFunc(all, func(x, y summed) bool { return x.sum == y.sum })
	sorted := make([][]byte, len(all))
	for i := range all {
		sorted[i] = all[i].data
	}
	return sorted
}

func texts(list []string) [][]byte {
	out := make([][]byte, len(list))
	for i, text := range list {
		out[i] = []byte(text)
	}
	return out
}
