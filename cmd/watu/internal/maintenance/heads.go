package maintenance

import (
	"context"
	"encoding/json"
	"errors"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/oklog/ulid/v2"

	"github.com/watu-ledger/watu/cmd/watu/internal/problem"
	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/events/ledger"
	"github.com/watu-ledger/watu/events/tree"
	"github.com/watu-ledger/watu/replay/kept"
)

// SeatCosignature is that a player's seat cosigned a checkpoint.
type SeatCosignature struct {
	Seat        string `json:"seat"`
	Fingerprint string `json:"fingerprint"` // of the key
	Time        int64  `json:"time"`        // by the player's clock, in Unix seconds
}

// seatsHead is the largest checkpoint of a campaign that seats cosigned, in a file of its own, D/notes/CAMPAIGN.seats.
type seatsHead struct {
	Events uint64      `json:"events"`
	Root   events.Hash `json:"root"`
	By     []seatsLine `json:"by"`
}

type seatsLine struct {
	SeatCosignature
	Line string `json:"line"` // of the note
}

const (
	titleHead  = "watu head 1"
	titleDraws = "watu draws 1"
	mostHead   = 1 << 20
)

func (h *Host) seatsFile(id ulid.ULID) string {
	return filepath.Join(h.dir, "notes", id.String()+".seats")
}

// seatsHead reads what seats cosigned. It is none where the file does not read: they cosign the next checkpoint.
func (h *Host) seatsHead(id ulid.ULID) (x seatsHead) {
	text, err := kept.Read(h.seatsFile(id), mostHead)
	body, sealed, wrong := kept.Unseal(titleHead, text)
	if err != nil || wrong != nil || !sealed || json.Unmarshal(body, &x) != nil {
		return seatsHead{}
	}
	return x
}

// cosignedBySeats adds to a checkpoint who cosigned it, and how large the largest is that seats cosigned.
func (h *Host) cosignedBySeats(c ledger.Campaign, out *Checkpoint) {
	x := h.seatsHead(c.ID)
	if x.Events > c.Events { // of a record that was put back
		return
	}
	out.Cosigned = x.Events
	if x.Events != out.Events || x.Root != out.Root {
		return
	}
	for _, by := range x.By {
		out.Note += by.Line
		out.Seats = append(out.Seats, by.SeatCosignature)
	}
}

// TakeCosigned keeps the cosignatures of seats in a note, and gives the checkpoint with all that it has now. A note of
// fewer events than seats cosigned already is as good, and is not kept. It is [problem.Refused] where no seat cosigned
// the note, and [problem.Diverged] where that is of other events.
func (h *Host) TakeCosigned(ctx context.Context, c ledger.Campaign, note string) (Checkpoint, error) {
	at, err := h.Umpire().AtHead(c.ID)
	if err != nil {
		return Checkpoint{}, err
	}
	c, _ = h.ledger.Campaign(c.ID) // as it is at the head
	var seats []tree.Witness
	for _, k := range at.Keys {
		seats = append(seats, tree.Witness{Name: k.Seat, Verifier: k.Key})
	}
	x, err := tree.ParseCosigned(note, tree.Verifier{}, tree.AnyOf(seats...))
	switch {
	case err != nil:
		return Checkpoint{}, problem.New(problem.Input, "%v", err)
	case x.Campaign != c.ID || x.Events > c.Events:
		return Checkpoint{}, problem.New(problem.Refused, "the checkpoint is not of this campaign's %d events",
			c.Events)
	case len(x.Cosignatures) == 0:
		return Checkpoint{}, problem.New(problem.Refused, "no cosignature is by a seat of this campaign that has a key")
	}
	own, err := h.Checkpoint(ctx, c, x.Events)
	switch {
	case err != nil:
		return own, err
	case own.Root != x.Root:
		return own, problem.New(problem.Diverged, "the checkpoint is of other events than this campaign's")
	case own.Unsigned != "":
		return own, problem.New(problem.Unreachable, "%s", own.Unsigned)
	}
	h.sawDraws(c, note)
	return h.keepSeats(ctx, c, x, seats)
}

// sawDraws keeps a checkpoint that seats cosigned, for the draws of players whose declarations it holds, from before
// their rounds. A draw without one is marked so.
func (h *Host) sawDraws(c ledger.Campaign, note string) {
	at, err := h.Umpire().AtHead(c.ID)
	if err != nil || len(at.Draws()) == 0 {
		return
	}
	h.heads.Lock()
	defer h.heads.Unlock()
	before, now := h.drawsSeen(c.ID), map[uint64]string{}
	for _, d := range at.Draws() {
		by, due := d.Cosigners, at.Beacon.Time(d.Round)
		x, err := tree.ParseCosigned(note, tree.Verifier{}, by)
		if was, seen := before[d.Event]; seen {
			now[d.Event] = was
		} else if err == nil && x.Events > d.Event && time.Now().Unix() < due && by.MetBefore(x.Cosignatures, due) {
			now[d.Event] = x.Note
		}
	}
	if maps.Equal(before, now) {
		return
	}
	body, err := json.Marshal(now)
	if err == nil {
		err = errors.Join(os.MkdirAll(filepath.Join(h.dir, "notes"), 0o700),
			kept.Replace(h.drawsFile(c.ID), kept.Seal(titleDraws, body)))
	}
	if err != nil { // the checkpoint counts all the same
		h.Notify("who saw the draws of campaign " + c.Name + " could not be kept: " + err.Error())
	}
}

func (h *Host) drawsFile(id ulid.ULID) string {
	return filepath.Join(h.dir, "notes", id.String()+".draws")
}

// drawsSeen reads the checkpoints that are kept for open draws, by the events that declare them. There is none where
// the file does not read. One of a record that was put back is refused by the umpire.
func (h *Host) drawsSeen(id ulid.ULID) (notes map[uint64]string) {
	text, err := kept.Read(h.drawsFile(id), mostHead)
	body, sealed, wrong := kept.Unseal(titleDraws, text)
	if err != nil || wrong != nil || !sealed || json.Unmarshal(body, &notes) != nil {
		return nil
	}
	return notes
}

// SawDraw gives a checkpoint with the declaration of a draw that a seat of another side cosigned before its round;
// empty for none.
func (h *Host) SawDraw(id ulid.ULID, declared uint64) string {
	h.heads.Lock()
	defer h.heads.Unlock()
	return h.drawsSeen(id)[declared]
}

// keepSeats adds cosignatures to those that are kept, of the largest checkpoint alone.
func (h *Host) keepSeats(ctx context.Context, c ledger.Campaign, x tree.Cosigned, seats []tree.Witness) (
	Checkpoint, error,
) {
	h.heads.Lock()
	defer h.heads.Unlock()
	old := h.seatsHead(c.ID)
	next := seatsHead{Events: x.Events, Root: x.Root}
	switch {
	case old.Events == x.Events && old.Root == x.Root:
		next.By = slices.Clone(old.By)
	case old.Events > x.Events && old.Events <= c.Events:
		return h.Checkpoint(ctx, c, x.Events)
	}
	_, lines, _ := strings.Cut(x.Note, "\n\n") // the cosignatures', in the order of x.Cosignatures
	for i, line := range slices.Collect(strings.Lines(lines)) {
		by := x.Cosignatures[i]
		at := slices.IndexFunc(seats, func(w tree.Witness) bool { return w.Name == by.Witness })
		s := SeatCosignature{by.Witness, seats[at].Verifier.Fingerprint(), by.Time}
		has := func(l seatsLine) bool { return l.Seat == s.Seat && l.Fingerprint == s.Fingerprint }
		if !slices.ContainsFunc(next.By, has) {
			next.By = append(next.By, seatsLine{s, line})
		}
	}
	if old.Events != next.Events || len(old.By) != len(next.By) {
		body, err := json.Marshal(next)
		if err == nil {
			err = errors.Join(os.MkdirAll(filepath.Join(h.dir, "notes"), 0o700),
				kept.Replace(h.seatsFile(c.ID), kept.Seal(titleHead, body)))
		}
		if err != nil {
			return Checkpoint{}, err
		}
	}
	return h.Checkpoint(ctx, c, x.Events)
}
