package maintenance

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/watu-ledger/watu/cmd/watu/internal/archive"
	"github.com/watu-ledger/watu/cmd/watu/internal/problem"
	"github.com/watu-ledger/watu/cmd/watu/internal/tokens"
	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/events/ledger"
	"github.com/watu-ledger/watu/events/words"
)

// CheckedFile is a file or directory of a ledger, and what is wrong with it.
type CheckedFile struct {
	Name     string           `json:"name"`               // in the ledger's directory: "secrets/01J…"
	Campaign string           `json:"campaign,omitempty"` // whose it is, by name
	Is       string           `json:"is,omitempty"`       // what it was found to be, if nothing is wrong
	Problem  *problem.Problem `json:"problem,omitempty"`
}

// Directory is everything in the directory that was looked at. With `watu verify --dir
// --json` it comes before the campaigns.
type Directory struct {
	Version   int           `json:"version"`
	Directory string        `json:"directory"`
	Verified  bool          `json:"verified"` // nothing is wrong
	Things    []CheckedFile `json:"things"`
}

func checked(name, campaign, is string, err error) CheckedFile {
	t := CheckedFile{Name: name, Campaign: campaign, Problem: problem.Of(err)}
	if err == nil {
		t.Is = is
	}
	return t
}

// besideRecord looks at all that lies beside the record and is not made from it: a campaign's secret must have
// grown the anchors that the record states, a board must have the SHA-256 that it names.
func (h *Host) besideRecord() []CheckedFile {
	var list []CheckedFile
	for _, c := range h.ledger.Campaigns() {
		list = append(list, h.besideCampaign(c)...)
	}
	if key, err := h.readKey(); key != nil || err != nil {
		list = append(list, checked(nameKey, "", "signs checkpoints", err))
	}
	path := filepath.Join(h.dir, nameTokens)
	damage := tokens.Check(path, h.ledger.Companion(nameTokens))
	if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) && damage == nil {
		return list // none was given out yet
	}
	return append(list, checked("tokens", "", "reads", damage))
}

func (h *Host) besideCampaign(c ledger.Campaign) []CheckedFile {
	if m := h.ledger.ReadOnly(); m != nil && m.Because == ledger.Follows {
		return nil // a copy has neither
	}
	o, imported, err := h.Imported(c.ID)
	if imported {
		err = h.whole(c.ID, o)
	}
	if imported || err != nil {
		return append(h.boardFiles(c, o.Board), checked("imports/"+c.ID.String(), c.Name,
			"of a campaign that was imported", err))
	}
	list := []CheckedFile{checked("secrets/"+c.ID.String(), c.Name, "the record's chains grow from it",
		h.umpire.CheckSecret(c.ID))}
	if _, err := refusalsOf(h.dir).List(c.ID); err != nil {
		list = append(list, checked("refusals/"+c.ID.String(), c.Name, "", err))
	}
	return append(list, h.boardFiles(c, true)...)
}

// boardFiles looks at the files of a campaign's board; all says that none may be missing.
func (h *Host) boardFiles(c ledger.Campaign, all bool) []CheckedFile {
	first, err := h.Event(c.ID, 0)
	if err != nil {
		return []CheckedFile{checked("record", c.Name, "", err)}
	}
	var p events.CampaignOpened
	first.Read(&p)
	var list []CheckedFile
	for _, file := range p.Board.Files {
		name := "boards/" + file.Hash.String()
		_, err := boardsOf(h.dir).Get(events.Board{Files: []events.BoardFile{file}})
		if _, missing := os.Stat(filepath.Join(h.dir, name)); !all && errors.Is(missing, fs.ErrNotExist) {
			continue
		}
		list = append(list, checked(name, c.Name, file.Name, err))
	}
	return list
}

// strays names the files that nothing in the record asks for: a copy that somebody left there, what a crash left,
// what a campaign had that the record has lost. They are reported, and left alone. Known is what the record does ask
// for.
func (h *Host) strays(known []CheckedFile) (names []string) {
	for _, folder := range []string{"secrets", "imports", "boards", "keys"} {
		files, _ := os.ReadDir(filepath.Join(h.dir, folder)) // one that does not read is damage of what lies there
		for _, x := range files {
			name := folder + "/" + x.Name()
			if !slices.ContainsFunc(known, func(t CheckedFile) bool { return t.Name == name }) {
				names = append(names, name)
			}
		}
	}
	return names
}

// wrong gives those with which something is wrong.
func wrong(list []CheckedFile) []CheckedFile {
	return slices.DeleteFunc(slices.Clone(list), func(t CheckedFile) bool { return t.Problem == nil })
}

// Wrong gives the things of a directory with which something is wrong.
func (d Directory) Wrong() []CheckedFile { return wrong(d.Things) }

// How long it counts what was found beside the record.
const (
	soundFor   = time.Hour
	damagedFor = 10 * time.Second // until somebody has mended it
)

// lookedAt is what was found beside the record at some time.
type lookedAt struct {
	when   time.Time
	damage []CheckedFile
	strays []string
}

// stale reports whether it is time to look again.
func (l *lookedAt) stale() bool {
	last := soundFor
	if len(l.damage) > 0 {
		last = damagedFor
	}
	return time.Since(l.when) > last
}

// damaged gives what was found wrong beside the record when somebody looked last. After a while that is found anew,
// which is not waited for: a disk may hang, and then whoever watches the server is to hear of it.
func (h *Host) damaged() []CheckedFile {
	last := h.lastLook.Load()
	if last == nil {
		return h.CheckFiles()
	}
	if last.stale() && h.looking.TryLock() {
		go func() {
			defer h.looking.Unlock()
			h.checkFilesLocked()
		}()
	}
	return last.damage
}

// CheckFiles looks at what lies beside the record now.
func (h *Host) CheckFiles() []CheckedFile {
	h.looking.Lock()
	defer h.looking.Unlock()
	return h.checkFilesLocked()
}

// checkFilesLocked is [Host.CheckFiles] for a caller that holds the lock.
func (h *Host) checkFilesLocked() []CheckedFile {
	all := h.besideRecord()
	list := wrong(all)
	h.lastLook.Store(&lookedAt{time.Now(), list, h.strays(all)})
	return list
}

// DamageProblem is the problem that things are wrong; nil if there are none.
func DamageProblem(list []CheckedFile, format string, args ...any) error {
	list = wrong(list)
	if len(list) == 0 {
		return nil
	}
	var lines []string
	for _, t := range list {
		line := t.Problem.Message
		if t.Campaign != "" {
			line = "campaign " + t.Campaign + ": " + line
		}
		lines = append(lines, line)
	}
	return problem.WithReport(list[0].Problem.Kind, lines, format, args...)
}

// DamageText says in a line that things are wrong, and with which campaigns.
func DamageText(list []CheckedFile) string {
	var names []string
	for _, t := range list {
		name := strings.SplitN(t.Name, "/", 2)[0]
		if name == "." {
			name = "what others can write"
		}
		if t.Campaign != "" {
			name += " of campaign " + t.Campaign
		}
		if !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return fmt.Sprintf("damaged or missing beside the record: %s", strings.Join(names, ", "))
}

// Directory looks at everything in the directory that is not made from the record.
func (h *Host) Directory() Directory {
	out := Directory{Version: Version, Directory: h.dir}
	out.Things = append(out.Things,
		checked("LEDGER", "", "ledger "+h.ledger.ID().String(), nil),
		checked("record", "", fmt.Sprintf("%s of %d campaigns", words.Count(h.ledger.Durable(), "event"),
			len(h.ledger.Campaigns())), nil),
		checked("CHECKPOINT", "", "agrees with the record", h.checkpointed()))
	if m := h.ledger.ReadOnly(); m != nil && m.Because != ledger.Viewed {
		out.Things = append(out.Things, checked("READONLY", "", m.Error(), nil))
	}
	if err := guarded(h.dir, func(string) {}); err != nil {
		out.Things = append(out.Things, checked(".", "", "", err))
	}
	beside := h.besideRecord()
	out.Things = append(out.Things, beside...)
	for _, name := range h.strays(beside) {
		out.Things = append(out.Things, checked(name, "", "belongs to nothing in the record", nil))
	}
	out.Verified = len(wrong(out.Things)) == 0
	return out
}

// checkpointed says what is wrong with CHECKPOINT.
func (h *Host) checkpointed() error {
	if err := h.ledger.Behind(); err != nil {
		return err
	}
	_, err := os.Stat(filepath.Join(h.dir, "CHECKPOINT"))
	if errors.Is(err, fs.ErrNotExist) && h.ledger.Durable() > 0 && h.outbox == nil && h.ledger.CheckpointAge() == 0 {
		return problem.New(problem.Unverified, "CHECKPOINT is missing: nothing shows whether the record has lost its "+
			"tail; compare it with the stream or a backup")
	}
	return nil
}

// refuseDamaged refuses to hand on, in a backup, what is damaged or missing.
func (h *Host) refuseDamaged(k Keys) error {
	if k.Damaged {
		return nil
	}
	list := slices.DeleteFunc(wrong(h.besideRecord()), func(t CheckedFile) bool { // what is in no backup
		return t.Name == nameTokens || strings.HasPrefix(t.Name, "refusals/")
	})
	return DamageProblem(list, "%s; nothing was written: older backups may still hold it, so keep them; "+
		"--damaged writes one all the same, to save the record", DamageText(list))
}

// inspecting gives a host that reads what is in a directory, and nothing else.
func inspecting(dir string, l *ledger.Ledger, say func(string)) *Host {
	f := &Host{dir: dir, say: say, asked: context.Background(), ledger: l, umpire: umpireOf(dir, l),
		archive: archive.In(filepath.Join(dir, "archived"))}
	f.tokens = f.openTokens()
	return f
}

// Inspect opens the ledger in dir to look at it: nothing in the directory is written, and nothing published.
func Inspect(ctx context.Context, dir string, o Options) (*Host, error) {
	if !NotEmpty(dir) {
		return nil, noLedger(dir)
	}
	l, err := ledger.OpenToRead(dir, ledger.Options{Logf: o.logf, Repairing: true}, nil)
	if errors.Is(err, ledger.ErrHeld) {
		return nil, err
	}
	if err != nil {
		return nil, unopened(ctx, dir, o, err)
	}
	f := inspecting(dir, l, func(line string) { o.logf("%s", line) })
	f.reads = true
	f.closesLedger()
	return f, nil
}
