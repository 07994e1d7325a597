package replay

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"github.com/oklog/ulid/v2"

	"github.com/watu-ledger/watu/replay/campaign"
	"github.com/watu-ledger/watu/replay/kept"
	"github.com/watu-ledger/watu/rules"
)

// Refusals keeps the commands that were refused last, so that a refusal can be disputed: a file for
// each campaign, beside the record and never in it, readable by its owner alone, for a command may
// hold secrets. A line is one refusal: the first 16 digits of the SHA-256 of its JSON, a space, and the
// JSON. (Earlier versions wrote the JSON alone.) The record does not depend on the files: they may be
// deleted, and a damaged line is passed over.
type Refusals struct {
	dir string

	mu    sync.Mutex
	lines map[ulid.ULID]int // in the files that were written to
}

// NewRefusals keeps refused commands in dir, which need not exist yet.
func NewRefusals(dir string) *Refusals { return &Refusals{dir: dir, lines: map[ulid.ULID]int{}} }

// Refusal is a command that was refused.
type Refusal struct {
	Command    string            `json:"command"`
	Seat       string            `json:"seat"`
	Verb       string            `json:"verb"`
	Events     uint64            `json:"events"` // how many the campaign had
	Entry      json.RawMessage   `json:"entry"`
	Violations []rules.Violation `json:"violations"`
}

const (
	mostRefusals = 200      // of a campaign
	mostRefusal  = 64 << 10 // bytes of one: what is longer was no entry of a game

	mostRefused = (2*mostRefusals + 1) * mostRefusal // bytes of a file
)

// List gives the refusals kept of a campaign, the last one last.
func (r *Refusals) List(campaign ulid.ULID) ([]Refusal, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.read(campaign)
}

func (r *Refusals) read(campaign ulid.ULID) ([]Refusal, error) {
	text, err := kept.Read(r.path(campaign), mostRefused)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", r.path(campaign), err)
	}
	var list []Refusal
	for line := range bytes.Lines(text) {
		// a line cut short by a crash is lost, and nothing else
		if x, ok := readRefusal(bytes.TrimSuffix(line, []byte("\n"))); ok {
			list = append(list, x)
		}
	}
	return list[max(0, len(list)-mostRefusals):], nil
}

// readRefusal reads a line that is whole.
func readRefusal(line []byte) (x Refusal, ok bool) {
	if !bytes.HasPrefix(line, []byte("{")) { // else by an earlier version
		sum, text, _ := bytes.Cut(line, []byte(" "))
		if string(sum) != sumOfRefusal(text) {
			return x, false
		}
		line = text
	}
	err := json.Unmarshal(line, &x)
	return x, err == nil
}

// line is a refusal as it stands in the file.
func (x Refusal) line() ([]byte, error) {
	text, err := json.Marshal(x)
	return fmt.Appendf(nil, "%s %s\n", sumOfRefusal(text), text), err
}

func sumOfRefusal(text []byte) string {
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:8])
}

// keep adds a refusal. Now and then the file is written anew with the last of them.
func (r *Refusals) keep(campaign ulid.ULID, x Refusal) error {
	line, err := x.line()
	if err != nil || len(line) > mostRefusal {
		return err
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if n, begun := r.lines[campaign]; !begun || n >= 2*mostRefusals {
		if err := r.shorten(campaign); err != nil {
			return err
		}
	}
	r.lines[campaign]++
	return kept.Append(r.path(campaign), line, mostRefused)
}

// shorten writes a campaign's file anew, with the last refusals alone and each in a line.
func (r *Refusals) shorten(campaign ulid.ULID) error {
	list, err := r.read(campaign)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(r.dir, 0o700); err != nil {
		return err
	}
	var text []byte
	for _, x := range list {
		line, err := x.line()
		if err != nil {
			return err
		}
		text = append(text, line...)
	}
	r.lines[campaign] = len(list)
	return kept.Replace(r.path(campaign), text)
}

func (r *Refusals) path(campaign ulid.ULID) string { return filepath.Join(r.dir, campaign.String()) }

// KeepRefusals has the umpire keep the commands that he refuses. Without, no refusal can be
// disputed. It is to be called before the first command.
func (u *Umpire) KeepRefusals(r *Refusals) { u.refusals = r }

// noteRefusal keeps a command that was refused. That it cannot be kept is no reason to withhold the
// answer: a dispute would say that nothing is known of it.
func (u *Umpire) noteRefusal(t *liveCampaign, c rules.Command, a Answer) {
	s, seated := t.campaign.SeatNamed(c.Seat)
	if u.refusals == nil || a.Verdict != rules.Refused || !seated {
		return
	}
	_ = u.refusals.keep(t.campaign.ID, Refusal{
		Command: c.ID, Seat: s.Name, Verb: c.Verb, Events: t.campaign.Next, Entry: c.Body, Violations: a.Violations,
	})
}

// refused finds a refusal by the command's id, with or without its turn. A player knows his own.
func (u *Umpire) refused(id ulid.ULID, command, seat string) (found Refusal, ok bool, err error) {
	if u.refusals == nil {
		return found, false, nil
	}
	list, err := u.refusals.List(id)
	exact := false
	for _, x := range list {
		if seat != campaign.UmpireSeat && seat != x.Seat {
			continue
		}
		if same := x.Command == command; same || !exact && strings.HasSuffix(x.Command, "/"+command) {
			found, ok, exact = x, true, same
		}
	}
	return found, ok, err
}
