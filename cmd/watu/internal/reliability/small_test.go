package reliability

import (
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"filippo.io/age"

	"github.com/watu-ledger/watu/cmd/watu/internal/maintenance"
	"github.com/watu-ledger/watu/cmd/watu/internal/service"
	"github.com/watu-ledger/watu/replay"
	"github.com/watu-ledger/watu/rules"
)

// The campaigns of the small ledger.
const (
	small = "s" // on a board, with a roll of dice and a refused command
	far   = "f" // imported for one side, with what that side alone knows
)

const (
	smallBoard = `<game><info name="S"/><map><territory name="UK"/><territory name="1 Sea Zone" water="true"/></map>` +
		`<playerList><player name="UK"/><player name="Germany"/>` +
		`<alliance player="UK" alliance="A"/><alliance player="Germany" alliance="B"/></playerList></game>`
	smallOne = `turn: Round 1
facts: {submarines: {Germany: {1 Sea Zone: 1}}}
entries:
  - {id: hunt, sub detection: {zone: 1 Sea Zone, attacker: UK, destroyers: {UK: 1}}}
`
	smallTwo = `turn: Round 2
entries:
  - {id: again, sub detection: {zone: 1 Sea Zone, attacker: UK, destroyers: {UK: 6}}}
`
	smallRefused = `{id: far, artillery fire: {power: UK, from: UK, at: UK, pieces: 1}}`
	farOne       = `turn: Spring 1940
entries:
  - {id: points, allocate: {side: Britain, project: Ultra, points: 4}}
`
)

// playSmall makes a ledger of as few bytes as one can have that has one of everything, and a copy of it that crashed.
func playSmall(t testing.TB, dir string) *bases {
	t.Helper()
	key, err := age.GenerateX25519Identity()
	if err != nil {
		t.Fatal(err)
	}
	l := ledger{t: t, dir: filepath.Join(dir, "small"), Identity: key.String()}
	c := l.open(maintenance.Options{Begin: true})
	c.post(replay.NewCampaign{Name: small, System: "aar",
		Board: []rules.BoardFile{{Name: "b.xml", Data: []byte(smallBoard)}}},
		&service.Opened{}, "campaigns")
	if err := c.Upload(t.Context(), exportedFar(t, filepath.Join(dir, "far")), &service.Imported{}, nil,
		"imports"); err != nil {
		t.Fatal(err)
	}
	c.close()
	c = l.open(maintenance.Options{}) // what was in the log before goes into a table
	c.submit(small, smallOne)
	c.refused(small, smallRefused)
	l.Tokens = append(l.Tokens, c.token(small, "UK", service.NewToken{}).Text)
	c.close()
	b := &bases{closed: l, crashed: filepath.Join(dir, long)}
	if err := copyAll(b.crashed, l.dir); err != nil {
		t.Fatal(err)
	}
	killed(t, b.crashed)
	return b
}

// exportedFar gives the file of a campaign that another host plays, for one side.
func exportedFar(t testing.TB, dir string) []byte {
	t.Helper()
	l := ledger{t: t, dir: dir}
	c := l.open(maintenance.Options{Begin: true})
	defer c.close()
	c.post(replay.NewCampaign{Name: far, System: "awaw"}, &service.Opened{}, "campaigns")
	c.submit(far, farOne)
	file, err := exported(c.Client, far, "Britain")
	if err != nil {
		t.Fatal(err)
	}
	return file
}

// smallSubmissions go on with the small ledger.
func (q *inquiry) smallSubmissions() {
	q.submit(small, smallOne, false) // it stands
	q.submit(small, smallTwo, false)
	q.dispute(small, "far")
	q.submit(far, "{draw: Ultra}", true)
	q.then("situation", small)
}

// smallParts are the parts of the small ledger, the important ones first. HOLDER and SOCKET are there after a crash
// alone.
var smallParts = []string{
	"LEDGER", "CHECKPOINT", "secrets", "keys", "tokens", "refusals", "imports", "boards", "HOLDER", "SOCKET", "record",
	"views", "stream",
	storeOptions,
}

// storeOptions are the files in which the stores of record and views say how they were configured: long, and without
// anything that happened.
const storeOptions = "OPTIONS"

// smallPart is the part of the small ledger to which a file belongs.
func smallPart(file string) string {
	if strings.HasPrefix(path.Base(file), storeOptions) {
		return storeOptions
	}
	return part(file)
}

// TestSmallLedger damages a ledger that is small enough to try every bit and every length of every file.
func TestSmallLedger(t *testing.T) {
	kept := *keeping
	if kept == "" {
		kept = t.TempDir()
	}
	s := newTrials(t, keptSmall(t, kept))
	s.small = true
	for _, kind := range []string{flip, cut} {
		t.Run(map[string]string{flip: "flips", cut: "cuts"}[kind], func(t *testing.T) {
			for _, name := range smallParts {
				base := s.closed.dir
				if name == "HOLDER" || name == "SOCKET" {
					base = s.crashed
				}
				t.Run(name, func(t *testing.T) { s.whole(t, kept, base, placesOf(t, base, name, kind)) })
			}
		})
	}
}

// placesOf lists what may be done to the files of a part: every bit, or every length.
func placesOf(t *testing.T, dir, name, kind string) (list [][]damage) {
	t.Helper()
	files, err := filesIn(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range slices.DeleteFunc(files, func(f string) bool { return smallPart(f) != name }) {
		info, err := os.Stat(filepath.Join(dir, file))
		if err != nil {
			t.Fatal(err)
		}
		for at := range int(info.Size()) {
			for bit := range 8 {
				if kind == flip || bit == 0 {
					list = append(list, []damage{{Kind: kind, Path: file, At: at, Bit: bit}})
				}
			}
		}
	}
	return list
}

// progress is how far a row has come.
type progress struct {
	Next int // trial
	counts
}

// keptEach is after how many trials it is written down.
const keptEach = 200

// whole makes all trials of a row that no earlier run has made, and writes down how far it comes; without
// -reliability.every one of them.
func (s *trials) whole(t *testing.T, kept, base string, list [][]damage) {
	s.learn(t, base)
	var w row
	switch *every {
	case 0:
		s.atOnce(t, &w, base, [][]damage{list[chosen(t.Name()).IntN(len(list))]})
	case 1:
		file := filepath.Join(kept, strings.ReplaceAll(t.Name(), "/", "-")+".json")
		p := progressIn(t, file)
		for w.counts = p.counts; p.Next < len(list); {
			next := min(p.Next+keptEach, len(list))
			s.atOnce(t, &w, base, list[p.Next:next])
			p = progress{next, w.counts}
			write(t, file, p)
		}
		if w.Tried != len(list) {
			t.Errorf("%d of %d were tried", w.Tried, len(list))
		}
	default:
		t.Fatal("a small ledger is tried whole: -reliability.every 1")
	}
	w.tell(t)
}

func progressIn(t *testing.T, file string) (p progress) {
	t.Helper()
	text, err := os.ReadFile(file)
	if errors.Is(err, fs.ErrNotExist) {
		return p
	}
	if err == nil {
		err = json.Unmarshal(text, &p)
	}
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// write puts a new file in the place of an old one, which stays if that is cut short.
func write(t *testing.T, file string, what any) {
	t.Helper()
	text, err := json.Marshal(what)
	if err == nil {
		err = os.WriteFile(file+".new", text, 0o600)
	}
	if err == nil {
		err = os.Rename(file+".new", file)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// keptSmall gives the small ledger of an earlier run, or makes it. The keys are written last, when all of it is there.
func keptSmall(t *testing.T, dir string) *bases {
	t.Helper()
	file := filepath.Join(dir, "keys.json")
	text, err := os.ReadFile(file)
	if errors.Is(err, fs.ErrNotExist) {
		b := playSmall(t, dir)
		write(t, file, b.closed)
		return b
	}
	b := &bases{closed: ledger{dir: filepath.Join(dir, "small")}, crashed: filepath.Join(dir, long)}
	if err == nil {
		err = json.Unmarshal(text, &b.closed)
	}
	if err != nil {
		t.Fatal(err)
	}
	return b
}
