package maintenance

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/oklog/ulid/v2"

	"github.com/watu-ledger/watu/cmd/watu/internal/problem"
	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/events/ledger"
	"github.com/watu-ledger/watu/events/words"
	"github.com/watu-ledger/watu/replay/bundle"
	"github.com/watu-ledger/watu/replay/kept"
	"github.com/watu-ledger/watu/rules"
	"github.com/watu-ledger/watu/rules/chance"
)

// Origin is what D/imports/<ULID> holds, sealed (package replay/kept) under [titleImport] and the ULID, or alone
// as version 1: the file that a campaign was imported from. Such a campaign has no secret, so it is read, and
// not played on.
type Origin struct {
	Version int           `json:"version,omitempty"` // in version 1
	For     string        `json:"for"`
	Events  uint64        `json:"events"`
	Head    events.Hash   `json:"head"`
	Links   []bundle.Link `json:"links,omitempty"`
	Board   bool          `json:"board,omitempty"` // the campaign's board came with it; not known in version 1

	Openings int `json:"openings,omitempty"` // how many came with it; not known in version 1

	Signed *bundle.Signed `json:"signed,omitempty"` // what its host stated; earlier versions did not keep it
}

const titleImport = "watu import 2 "

// mostOrigin is how long that file may be: its links are of the draws of one campaign.
const mostOrigin = 64 << 20

func originOf(dir string, campaign ulid.ULID) string {
	return filepath.Join(dir, filepath.FromSlash(nameImport(campaign)))
}

// Imported gives the origin of a campaign that was imported; false for any other.
func (h *Host) Imported(campaign ulid.ULID) (o Origin, ok bool, err error) {
	path := originOf(h.dir, campaign)
	text, err := kept.ReadWitnessed(h.ledger.Companion(nameImport(campaign)), path, mostOrigin)
	if text == nil && err == nil {
		return o, false, nil
	}
	if err == nil {
		text, _, err = kept.Unseal(titleImport+campaign.String(), text)
	}
	if err == nil {
		d := json.NewDecoder(bytes.NewReader(text))
		d.DisallowUnknownFields()
		if d.Decode(&o) != nil {
			err = fmt.Errorf("%w: it does not read", kept.ErrDamaged)
		}
	}
	if err != nil {
		return o, false, fmt.Errorf("%s: %w", path, err)
	}
	return o, true, nil
}

// whole says that the record lacks something that came with a campaign's file: openings are in no event, so neither
// CHECKPOINT nor the stream knows of them. An import under way says what is to come before all of it is there, and
// is no damage.
func (h *Host) whole(id ulid.ULID, o Origin) error {
	if !h.importing.TryRLock() {
		return nil
	}
	defer h.importing.RUnlock()
	c, _ := h.ledger.Campaign(id) // as it is now: an import may have ended since o was read
	list, err := h.ledger.Openings(c.ID, 0, c.Events)
	if err == nil && (c.Events < o.Events || len(list) < o.Openings) {
		err = problem.New(problem.Unverified, "the record has %s and %d openings of a campaign that came with %d and "+
			"%d: its import was cut short, or the record has lost its end; import the file again",
			words.Count(c.Events, "event"), len(list),
			o.Events, o.Openings)
	}
	return err
}

// LinksFor gives the links that a file made of the campaign may hold. Those of a shorter part are not known.
func (o Origin) LinksFor(out *bundle.File) []bundle.Link {
	var list []bundle.Link
	for _, l := range o.Links {
		side := strings.TrimPrefix(l.Chain, chance.Draws(""))
		if out.Header.Events == o.Events && (out.Header.For == bundle.Umpire || out.Header.For == side) {
			list = append(list, l)
		}
	}
	return list
}

// CheckReader says why a reader's secrets are not here: those of an imported campaign are those of the reader whom
// the file was for.
func (h *Host) CheckReader(c ledger.Campaign, reader string) error {
	if reader == bundle.Public {
		return nil
	}
	if m := h.ledger.ReadOnly(); m != nil && m.Because == ledger.Follows {
		return problem.New(problem.Refused, "%v; what a side holds is not in the stream, so this copy shows what the "+
			"public sees", m)
	}
	o, ok, err := h.Imported(c.ID)
	if err != nil || !ok || o.For == bundle.Umpire || o.For == reader {
		return err
	}
	return problem.New(problem.Refused, "campaign %s was imported from a file for %s: what %s holds is not here",
		c.Name, readerName(o.For), readerName(reader))
}

func readerName(reader string) string {
	if reader == bundle.Public || reader == bundle.Umpire {
		return "the " + reader
	}
	return reader
}

// CheckPlayable says why a campaign is not played on here. A campaign that is not here is no error.
func (h *Host) CheckPlayable(name string) error {
	c, found := h.ledger.Find(name)
	if !found {
		return nil
	}
	if _, ok, err := h.Imported(c.ID); !ok || err != nil {
		return err
	}
	return problem.New(problem.Refused, "campaign %s was imported, and is read-only: its host alone knows its dice "+
		"and draws to come; play, correct and undo it there", c.Name)
}

// CheckChangeable says why a campaign is not played on, corrected or undone here: because it was imported, or because
// the ledger is a copy that follows another.
func (h *Host) CheckChangeable(c ledger.Campaign) error {
	if m := h.ledger.ReadOnly(); m != nil && m.Because == ledger.Follows {
		return m
	}
	return h.CheckPlayable(c.Name)
}

// Holder names the reader whose secrets of a campaign are here: the umpire where it is played, where it was imported
// the reader whom its file was for, and the public in a copy that follows another ledger.
func (h *Host) Holder(c ledger.Campaign) (string, error) {
	if m := h.ledger.ReadOnly(); m != nil && m.Because == ledger.Follows {
		return bundle.Public, nil
	}
	o, ok, err := h.Imported(c.ID)
	if !ok || err != nil {
		return bundle.Umpire, err
	}
	return o.For, nil
}

// Adopt makes a campaign of a verified file, or adds to it what the file has more of, and gives the number of events
// that came. The campaign is read-only.
func (h *Host) Adopt(file *bundle.File) (uint64, error) {
	h.importing.Lock()
	defer h.importing.Unlock()
	header := file.Header
	here, found := h.ledger.Campaign(header.Campaign)
	if other, taken := h.ledger.Find(header.Name); taken && other.ID != header.Campaign {
		return 0, problem.New(problem.Input, "there is another campaign %s here (%s): import the file into a ledger "+
			"of its own, with --dir", header.Name, other.ID)
	}
	if found {
		imported, err := h.continues(here, file)
		if err != nil || here.Events == header.Events && !imported {
			return 0, err
		}
	}
	var board []rules.BoardFile
	for _, data := range file.Boards {
		board = append(board, rules.BoardFile{Name: "a file of the board", Data: data})
	}
	if err := boardsOf(h.dir).Put(board); err != nil {
		return 0, err
	}
	from := Origin{
		For: header.For, Events: header.Events, Head: header.Head, Links: file.Links, Board: len(file.Boards) > 0,
		Openings: len(file.Openings),
	}
	if file.Signed != (bundle.Signed{}) {
		from.Signed = &file.Signed
	}
	if err := h.keepOrigin(header.Campaign, from); err != nil {
		return 0, err
	}
	if err := h.adoptEvents(header.Campaign, here.Events, file.Events); err != nil {
		return 0, err
	}
	return header.Events - here.Events, h.adoptOpenings(header.Campaign, file.Openings)
}

// continues says why a file does not add to a campaign that is here: it goes on here, or is another. It reports
// whether that was imported: then an import that was cut short is taken up again.
func (h *Host) continues(here ledger.Campaign, file *bundle.File) (imported bool, err error) {
	header := file.Header
	o, imported, err := h.Imported(here.ID)
	if err != nil {
		return imported, err
	}
	for r, err := range h.ledger.Read(here.ID, min(here.Events, header.Events)-1, min(here.Events, header.Events)) {
		if err != nil {
			return imported, err
		}
		if r.Hash() != events.LeafHash(file.Events[r.Index]) {
			return imported, problem.New(problem.Diverged, "campaign %s is here, and differs from the file by #%d at "+
				"the latest: one of the two is not the record that was played", here.Name, r.Index)
		}
	}
	switch {
	case imported && o.For != header.For:
		return imported, problem.New(problem.Refused, "campaign %s was imported from a file for %s, and this one is "+
			"for %s: import it into a ledger of its own, with --dir",
			here.Name, readerName(o.For), readerName(header.For))
	case here.Events == header.Events:
		return imported, nil // here already, with the same head
	case here.Events > header.Events:
		return imported, problem.New(problem.Refused, "campaign %s is here already, and goes on after the file's "+
			"last event, #%d", here.Name, header.Events-1)
	case !imported:
		return imported, problem.New(problem.Refused, "campaign %s is played here, and the file has %d events more: "+
			"another host goes on with it; look at both before you mend this with watu repair",
			here.Name, header.Events-here.Events)
	}
	return imported, nil
}

// adoptMost is how many bytes of events are adopted at once.
const adoptMost = 8 << 20

// adoptEvents appends events from an index on. Other campaigns may take steps meanwhile, and with them the
// sequences: then it tries again with the next ones.
func (h *Host) adoptEvents(campaign ulid.ULID, from uint64, list [][]byte) error {
	failed := 0
	for from < uint64(len(list)) {
		sequence := h.ledger.Checkpoint().Sequence
		var records []events.Record
		for i, size := from, 0; i < uint64(len(list)) && size < adoptMost; i++ {
			sequence++
			size += len(list[i])
			records = append(records, events.Record{Sequence: sequence, Campaign: campaign, Index: i, Bytes: list[i]})
		}
		err := h.ledger.Adopt(records, nil)
		switch {
		case err == nil:
			from, failed = from+uint64(len(records)), 0
		case failed < 1000 && (errors.Is(err, ledger.ErrFork) || errors.Is(err, ledger.ErrStep)):
			failed++
		default:
			return err
		}
	}
	return nil
}

// adoptOpenings keeps what the file's reader may see.
func (h *Host) adoptOpenings(campaign ulid.ULID, list []events.Opening) error {
	if len(list) == 0 {
		return nil
	}
	return h.ledger.Adopt(nil, []ledger.Adopted{{Campaign: campaign, Openings: list}})
}

// keepOrigin writes what is known of a campaign's file: whole and durably, before its events.
func (h *Host) keepOrigin(campaign ulid.ULID, o Origin) error {
	path := originOf(h.dir, campaign)
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	text, err := json.Marshal(o)
	if err != nil {
		return err
	}
	sealed := kept.Seal(titleImport+campaign.String(), text)
	if err := kept.ReplaceWitnessed(h.ledger.Companion(nameImport(campaign)), path, sealed, mostOrigin); err != nil {
		return err
	}
	return kept.Sync(h.dir)
}
