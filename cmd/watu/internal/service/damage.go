package service

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

	"github.com/watu-ledger/watu/cmd/watu/internal/problem"
	"github.com/watu-ledger/watu/cmd/watu/internal/tokens"
	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/events/ledger"
	"github.com/watu-ledger/watu/events/words"
)

// Thing is a file or directory of a ledger, and what is wrong with it.
type Thing struct {
	Name     string           `json:"name"`               // in the ledger's directory: "secrets/01J…"
	Campaign string           `json:"campaign,omitempty"` // whose it is, by name
	Is       string           `json:"is,omitempty"`       // what it was found to be, if nothing is wrong
	Problem  *problem.Problem `json:"problem,omitempty"`
}

// Directory is everything in the directory that was looked at. With `watu verify --dir
// --json` it comes before the campaigns.
type Directory struct {
	Version   int     `json:"version"`
	Directory string  `json:"directory"`
	Verified  bool    `json:"verified"` // nothing is wrong
	Things    []Thing `json:"things"`
}

func thing(name, campaign, is string, err error) Thing {
	t := Thing{Name: name, Campaign: campaign, Problem: problem.Of(err)}
	if err == nil {
		t.Is = is
	}
	return t
}

// besideRecord looks at all that lies beside the record and is not made from it: a campaign's secret must have
// grown the anchors that the record states, a board must have the SHA-256 that it names.
func (f *Service) besideRecord() []Thing {
	var list []Thing
	for _, c := range f.ledger.Campaigns() {
		list = append(list, f.besideCampaign(c)...)
	}
	path := filepath.Join(f.dir, nameTokens)
	damage := tokens.Check(path, f.ledger.Beside(nameTokens))
	if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) && damage == nil {
		return list // none was given out yet
	}
	return append(list, thing("tokens", "", "reads", damage))
}

func (f *Service) besideCampaign(c ledger.Campaign) []Thing {
	if m := f.ledger.ReadOnly(); m != nil && m.Because == ledger.Follows {
		return nil // a copy has neither
	}
	o, imported, err := f.imported(c.ID)
	if imported {
		err = f.whole(c.ID, o)
	}
	if imported || err != nil {
		return append(f.boardsOf(c, o.Board), thing("imports/"+c.ID.String(), c.Name, "of a campaign that was imported",
			err))
	}
	list := []Thing{thing("secrets/"+c.ID.String(), c.Name, "the record's chains grow from it",
		f.umpire.CheckSecret(c.ID))}
	if _, err := refusalsOf(f.dir).List(c.ID); err != nil {
		list = append(list, thing("refusals/"+c.ID.String(), c.Name, "", err))
	}
	return append(list, f.boardsOf(c, true)...)
}

// boardsOf looks at the files of a campaign's board; all says that none may be missing.
func (f *Service) boardsOf(c ledger.Campaign, all bool) []Thing {
	first, err := f.event(c.ID, 0)
	if err != nil {
		return []Thing{thing("record", c.Name, "", err)}
	}
	var p events.CampaignOpened
	first.Read(&p)
	var list []Thing
	for _, file := range p.Board.Files {
		name := "boards/" + file.Hash.String()
		_, err := boardsOf(f.dir).Get(events.Board{Files: []events.BoardFile{file}})
		if _, missing := os.Stat(filepath.Join(f.dir, name)); !all && errors.Is(missing, fs.ErrNotExist) {
			continue
		}
		list = append(list, thing(name, c.Name, file.Name, err))
	}
	return list
}

// strays names the files that nothing in the record asks for: a copy that somebody left there, what a crash left,
// what a campaign had that the record has lost. They are said, and left alone. Known is what the record does ask for.
func (f *Service) strays(known []Thing) (names []string) {
	for _, folder := range []string{"secrets", "imports", "boards"} {
		files, _ := os.ReadDir(filepath.Join(f.dir, folder)) // one that does not read is damage of what lies there
		for _, x := range files {
			name := folder + "/" + x.Name()
			if !slices.ContainsFunc(known, func(t Thing) bool { return t.Name == name }) {
				names = append(names, name)
			}
		}
	}
	return names
}

// wrong gives those with which something is wrong.
func wrong(list []Thing) []Thing {
	return slices.DeleteFunc(slices.Clone(list), func(t Thing) bool { return t.Problem == nil })
}

// Wrong gives the things of a directory with which something is wrong.
func (d Directory) Wrong() []Thing { return wrong(d.Things) }

// How long it counts what was found beside the record.
const (
	soundFor   = time.Hour
	damagedFor = 10 * time.Second // until somebody has mended it
)

// lookedAt is what was found beside the record at some time.
type lookedAt struct {
	when   time.Time
	damage []Thing
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
func (f *Service) damaged() []Thing {
	last := f.lastLook.Load()
	if last == nil {
		return f.look()
	}
	if last.stale() && f.looking.TryLock() {
		go func() {
			defer f.looking.Unlock()
			f.lookNow()
		}()
	}
	return last.damage
}

// look looks at what lies beside the record now.
func (f *Service) look() []Thing {
	f.looking.Lock()
	defer f.looking.Unlock()
	return f.lookNow()
}

// lookNow is look for who holds looking.
func (f *Service) lookNow() []Thing {
	all := f.besideRecord()
	list := wrong(all)
	f.lastLook.Store(&lookedAt{time.Now(), list, f.strays(all)})
	return list
}

// Damage is the problem that things are wrong; nil if there are none.
func Damage(list []Thing, format string, args ...any) error {
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
func DamageText(list []Thing) string {
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
func (f *Service) Directory() Directory {
	out := Directory{Version: Version, Directory: f.dir}
	out.Things = append(out.Things,
		thing("LEDGER", "", "ledger "+f.ledger.ID().String(), nil),
		thing("record", "", fmt.Sprintf("%s of %d campaigns", words.Count(f.ledger.Durable(), "event"),
			len(f.ledger.Campaigns())), nil),
		thing("CHECKPOINT", "", "agrees with the record", f.checkpointed()))
	if m := f.ledger.ReadOnly(); m != nil && m.Because != ledger.Viewed {
		out.Things = append(out.Things, thing("READONLY", "", m.Error(), nil))
	}
	if err := guarded(f.dir, func(string) {}); err != nil {
		out.Things = append(out.Things, thing(".", "", "", err))
	}
	beside := f.besideRecord()
	out.Things = append(out.Things, beside...)
	for _, name := range f.strays(beside) {
		out.Things = append(out.Things, thing(name, "", "belongs to nothing in the record", nil))
	}
	out.Verified = len(wrong(out.Things)) == 0
	return out
}

// checkpointed says what is wrong with CHECKPOINT.
func (f *Service) checkpointed() error {
	if err := f.ledger.Behind(); err != nil {
		return err
	}
	_, err := os.Stat(filepath.Join(f.dir, "CHECKPOINT"))
	if errors.Is(err, fs.ErrNotExist) && f.ledger.Durable() > 0 && f.outbox == nil && f.ledger.CheckpointAge() == 0 {
		return problem.New(problem.Unverified, "CHECKPOINT is missing: nothing shows whether the record has "+
			"lost its tail; "+
			"compare it with the stream or a backup")
	}
	return nil
}

// Status is [Service.Standing] for who asks about what lies beside the record and what is pending too: the whole of
// each chain and board is hashed.
func (f *Service) Status(ctx context.Context) Ledger {
	f.look()
	out := f.Standing()
	out.Pending = f.allPending(ctx)
	return out
}

// unspoilt refuses to hand on, in a backup, what is damaged or missing.
func (f *Service) unspoilt(k Keys) error {
	if k.Damaged {
		return nil
	}
	list := slices.DeleteFunc(wrong(f.besideRecord()), func(t Thing) bool { // what is in no backup
		return t.Name == nameTokens || strings.HasPrefix(t.Name, "refusals/")
	})
	return Damage(list, "%s; nothing was written: older backups may still hold it, so keep them; "+
		"--damaged writes one all the same, to save the record", DamageText(list))
}

// looksAt gives a service that reads what is in a directory, and nothing else.
func looksAt(dir string, l *ledger.Ledger, say func(string)) *Service {
	f := &Service{dir: dir, say: say, systems: systems(), asked: context.Background(), ledger: l,
		umpire: umpireOf(dir, l)}
	f.tokens = f.openTokens()
	return f
}

// Inspect opens the ledger in dir to look at it: nothing in the directory is written, and nothing published.
func Inspect(ctx context.Context, dir string, o Options) (*Service, error) {
	if !holds(dir) {
		return nil, noLedger(dir)
	}
	l, err := ledger.OpenToRead(dir, ledger.Options{Logf: o.logf, Repairing: true}, nil)
	if errors.Is(err, ledger.ErrHeld) {
		return nil, err
	}
	if err != nil {
		return nil, unopened(ctx, dir, o, err)
	}
	f := looksAt(dir, l, func(line string) { o.logf("%s", line) })
	f.reads = true
	f.closesLedger()
	return f, nil
}
