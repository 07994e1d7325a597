package reliability

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"filippo.io/age"

	"github.com/watu-ledger/watu/cmd/watu/internal/api"
	"github.com/watu-ledger/watu/cmd/watu/internal/maintenance"
	"github.com/watu-ledger/watu/cmd/watu/internal/problem"
	"github.com/watu-ledger/watu/cmd/watu/internal/service"
	"github.com/watu-ledger/watu/cmd/watu/internal/timeline"
	"github.com/watu-ledger/watu/fixtures"
	"github.com/watu-ledger/watu/replay"
	"github.com/watu-ledger/watu/replay/campaign"
	"github.com/watu-ledger/watu/rules"
)

// The campaigns of every ledger here.
const (
	convoys  = "convoys"  // on a board, in its second epoch, with a correction, disputes and a refused command
	atlantic = "atlantic" // with hidden cards, in its second epoch, with a question open and a refused command
	idle     = "idle"     // with hidden cards, not played since it was restored: its next secret waits
	abroad   = "abroad"   // imported from a file for one side
)

const (
	convoysOne = `turn: Round 1
facts:
  submarines: {Germany: {SZ 9: 1}}
  artillery: {UK: {NW Europe: 3, Eastern Canada: 1}}
  control: {NW Europe: UK}
entries:
  - {id: own, artillery fire: {power: UK, from: NW Europe, at: Germany, pieces: 2}}
`
	convoysTwo = `turn: Round 2
entries:
  - {id: uk, collect income: UK}
`
	convoysFar    = `{id: far, artillery fire: {power: UK, from: Eastern Canada, at: France, pieces: 1}}`
	convoysOther  = `{id: other, artillery fire: {power: UK, from: Eastern Canada, at: Germany, pieces: 1}}`
	convoysMisred = `reason: one piece alone fired
code: misread
replace:
  artillery fire: {pieces: 1}
`
	atlanticOne = `turn: Spring 1940
entries:
  - {id: points, allocate: {side: Britain, project: Ultra, points: 4}}
  - {id: produce, produce: {side: Britain, project: Ultra, card: asw}}
  - {id: draw, draw: Ultra}
`
	atlanticTwo = `turn: Summer 1940
entries:
  - {id: draw, draw: Ultra}
  - {id: box, submarine warfare: {box: Atlantic, submarines: 5, asw: 5}}
`
	atlanticDear = `{id: dear, produce: {side: Britain, project: Ultra, card: tactical}}`
)

// ledger is a directory that was played in, and what its keeper has beside it.
type ledger struct {
	t   testing.TB
	dir string

	Tokens   []string // as their holders have them
	Identity string   // opens its backups
}

// client is an open ledger directory.
type client struct {
	t testing.TB
	*api.Client
}

func (l *ledger) open(o maintenance.Options) client {
	l.t.Helper()
	f, err := service.New(maintenance.Open(context.Background(), l.dir, o))
	if err != nil {
		l.t.Fatal(err)
	}
	return client{l.t, api.InProcess(f)}
}

func (c client) post(body, into any, path ...string) {
	c.t.Helper()
	if err := c.Post(context.Background(), body, into, path...); err != nil {
		c.t.Fatal(err)
	}
}

func (c client) close() {
	c.t.Helper()
	if err := c.Close(); err != nil {
		c.t.Fatal(err)
	}
}

// submit hands in a file of which every entry stands, or asks.
func (c client) submit(campaign, text string) {
	c.t.Helper()
	var done service.Submitted
	c.post(service.Submission{Name: "turn.yaml", Text: text}, &done, "campaigns", campaign, "submissions")
	if done.Problem != nil {
		c.t.Fatal(done.Problem)
	}
}

// refused hands in an entry that breaks a rule.
func (c client) refused(campaign, entry string) {
	c.t.Helper()
	var done service.Submitted
	c.post(service.Submission{Name: "entry", Text: entry, Entry: true}, &done, "campaigns", campaign, "submissions")
	if done.Problem == nil || done.Problem.Kind != problem.Refused {
		c.t.Fatalf("%s is not refused: %v", entry, done.Problem)
	}
}

func (c client) dispute(campaign, body string) {
	c.t.Helper()
	p := service.DisputeEntry{Verb: "dispute"}
	if err := json.Unmarshal([]byte(body), &p.Body); err != nil {
		c.t.Fatal(err)
	}
	c.post(p, &service.Submitted{}, "campaigns", campaign, "disputes")
}

func (c client) token(campaign, as string, n service.NewToken) service.IssuedToken {
	c.t.Helper()
	var issued service.IssuedToken
	n.Campaign, n.As = campaign, as
	c.post(n, &issued, "tokens")
	return issued
}

// begin opens the campaigns that are played on.
func (c client) begin() {
	c.t.Helper()
	files, ok := fixtures.Board("straits")
	if !ok {
		c.t.Fatal("there is no board straits")
	}
	var board []rules.BoardFile
	for _, f := range files {
		board = append(board, rules.BoardFile{Name: f.Name, Data: f.Data})
	}
	c.post(replay.NewCampaign{Name: convoys, System: "aar", Board: board, Seats: []campaign.Seat{
		{Name: "Anna", Sides: []string{"Germany", "Japan"}}, {Name: "Ben", Sides: []string{"UK", "US", "Russia"}},
	}}, &service.Opened{}, "campaigns")
	c.submit(convoys, convoysOne)
	for _, name := range []string{atlantic, idle} {
		c.post(replay.NewCampaign{Name: name, System: "awaw"}, &service.Opened{}, "campaigns")
		c.submit(name, atlanticOne)
	}
}

// yesterday is what is done after the restoring, before the older copy of the directory is taken.
func (l *ledger) yesterday() {
	c := l.open(maintenance.Options{})
	defer c.close()
	for _, x := range []struct{ campaign, as string }{
		{atlantic, "Britain"}, {atlantic, "commentator:1"}, {atlantic, timeline.Umpire}, {atlantic, timeline.Umpire},
		{convoys, "Germany"},
	} {
		l.Tokens = append(l.Tokens, c.token(x.campaign, x.as, service.NewToken{Note: "for " + x.as}).Text)
	}
	l.Tokens = append(l.Tokens, c.token(atlantic, timeline.Umpire, service.NewToken{For: 1}).Text) // it expires at once
	c.submit(convoys, convoysTwo)
	c.refused(convoys, convoysFar)
}

// today is what happened since.
func (l *ledger) today(file []byte) {
	c := l.open(maintenance.Options{})
	defer c.close()
	var list service.Tokens
	if err := c.Get(context.Background(), &list, "tokens"); err != nil {
		l.t.Fatal(err)
	}
	if err := c.Delete(context.Background(), &service.Token{}, "tokens", list.Tokens[3].ID); err != nil {
		l.t.Fatal(err)
	}
	var done service.Corrected
	c.post(service.CorrectionRequest{Event: ownFire(c), Name: "correction.yaml", Text: convoysMisred}, &done,
		"campaigns", convoys, "corrections")
	c.dispute(convoys, `{"event": 6, "claim": "no boat lay there"}`)
	c.dispute(convoys, `{"refused": "far", "claim": "the map has them next door"}`)
	c.refused(convoys, convoysOther)
	c.refused(atlantic, atlanticDear)
	c.submit(atlantic, atlanticTwo)
	if err := c.Upload(context.Background(), file, &service.Imported{}, nil, "imports"); err != nil {
		l.t.Fatal(err)
	}
}

// ownFire finds the event that is corrected.
func ownFire(c client) uint64 {
	c.t.Helper()
	var done service.Submitted
	c.post(service.Submission{Name: "turn.yaml", Text: convoysOne}, &done, "campaigns", convoys, "submissions")
	for _, e := range done.Entries {
		if e.Verb == "artillery fire" && e.State == service.Stands {
			return e.Happened[len(e.Happened)-1].Index
		}
	}
	c.t.Fatalf("no artillery fired: %v", done)
	return 0
}

// backedUp gives a backup of an open ledger.
func backedUp(c *api.Client, recipient string) ([]byte, *maintenance.BackedUp, error) {
	var file bytes.Buffer // whose Write does not fail
	piece := func(l api.ProgressLine[maintenance.BackedUp]) error { file.Write(l.Piece); return nil }
	keys := maintenance.Keys{Recipients: []string{recipient}}
	done, err := api.WithProgress(context.Background(), c, http.MethodPost, nil, keys, piece, "backup")
	return file.Bytes(), done, err
}

// exported is the file of a campaign for a reader.
func exported(c *api.Client, campaign, reader string) ([]byte, error) {
	return c.Fetch(context.Background(), &service.Exported{}, url.Values{"for": {reader}}, "campaigns", campaign,
		"export")
}

// elsewhere gives the file of a campaign that another host plays.
func elsewhere(t testing.TB) []byte {
	t.Helper()
	l := &ledger{t: t, dir: filepath.Join(t.TempDir(), "elsewhere")}
	c := l.open(maintenance.Options{Begin: true})
	defer c.close()
	c.post(replay.NewCampaign{Name: abroad, System: "awaw"}, &service.Opened{}, "campaigns")
	c.submit(abroad, atlanticOne)
	file, err := exported(c.Client, abroad, "Britain")
	if err != nil {
		t.Fatal(err)
	}
	return file
}

// bases are the undamaged directories of the trials.
type bases struct {
	closed     ledger // closed in good order
	crashed    string // a copy of it whose holder was killed
	handedOver string // another, that takes no more steps
	yesterday  string // as it was before its last steps
	other      ledger // another ledger in which the same was done
}

// play makes a ledger as people do: it is played in, restored from its backup, and played in again.
func play(t testing.TB, dir string) (l ledger, old string) {
	t.Helper()
	key, err := age.GenerateX25519Identity()
	if err != nil {
		t.Fatal(err)
	}
	first := ledger{t: t, dir: filepath.Join(dir, "first")}
	c := first.open(maintenance.Options{Begin: true})
	c.begin()
	file, _, err := backedUp(c.Client, key.Recipient().String())
	if err != nil {
		t.Fatal(err)
	}
	c.close()
	l = ledger{t: t, dir: filepath.Join(dir, "ledger"), Identity: key.String()}
	if _, err := maintenance.Restore(context.Background(), l.dir, bytes.NewReader(file), []age.Identity{key},
		maintenance.Options{}); err != nil {
		t.Fatal(err)
	}
	l.yesterday()
	old = filepath.Join(dir, "yesterday")
	if err := copyAll(old, l.dir); err != nil {
		t.Fatal(err)
	}
	l.today(elsewhere(t))
	if err := os.RemoveAll(first.dir); err != nil {
		t.Fatal(err)
	}
	return l, old
}

// long is a name that is too long for a socket in the directory, so that the file SOCKET says where that is.
var long = "crashed" + strings.Repeat(" and killed", 8)

func makeBases(t testing.TB) *bases {
	t.Helper()
	dir := t.TempDir()
	b := &bases{crashed: filepath.Join(dir, long), handedOver: filepath.Join(dir, "handed over")}
	b.closed, b.yesterday = play(t, filepath.Join(dir, "one"))
	b.other, _ = play(t, filepath.Join(dir, "two"))
	for _, to := range []string{b.crashed, b.handedOver} {
		if err := copyAll(to, b.closed.dir); err != nil {
			t.Fatal(err)
		}
	}
	killed(t, b.crashed)
	key, err := age.ParseX25519Identity(b.closed.Identity)
	if err != nil {
		t.Fatal(err)
	}
	keys := maintenance.Keys{Recipients: []string{key.Recipient().String()}}
	into := func(write func(io.Writer) error) (string, error) { return "to.watu", write(io.Discard) }
	if _, err := maintenance.Handover(context.Background(), b.handedOver, keys, into,
		maintenance.Options{}); err != nil {
		t.Fatal(err)
	}
	return b
}

// killed opens a directory in a process of its own, plays on, and kills that.
func killed(t testing.TB, dir string) {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	c := exec.Command(self)
	c.Env = append(os.Environ(), holderIs+"="+dir)
	c.Stderr = os.Stderr
	out, err := c.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	text, err := bufio.NewReader(out).ReadString('\n')
	if err != nil || text != "played\n" {
		t.Error(text, err)
	}
	_ = c.Process.Kill()
	_ = c.Wait()
	if _, err := os.Stat(filepath.Join(dir, "HOLDER")); err != nil {
		t.Fatal(err)
	}
	socket, err := os.ReadFile(filepath.Join(dir, "SOCKET"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(filepath.Dir(strings.TrimSpace(string(socket)))) })
}

// holdFor plays in a directory, and holds it until the process is killed.
func holdFor(dir string) {
	f, err := service.New(maintenance.Open(context.Background(), dir, maintenance.Options{Holder: "a test"}))
	if err != nil {
		panic(err)
	}
	served := make(chan string)
	go func() { panic(f.Serve(context.Background(), api.Owner(f), func(socket string) { served <- socket })) }()
	<-served
	var done service.Submitted
	entry := service.Submission{Name: "entry", Entry: true, Text: "{id: further, dispute: {event: 7, claim: " +
		"there was none}}"}
	list, err := f.Campaigns()
	if err == nil {
		campaign := list.Campaigns[0].Name
		err = api.InProcess(f).Post(context.Background(), entry, &done, "campaigns", campaign, "submissions")
	}
	if err != nil || done.Problem != nil {
		panic(fmt.Sprint(err, done.Problem))
	}
	for f.Health().Published < f.Health().Durable {
		time.Sleep(time.Millisecond)
	}
	fmt.Println("played")
	select {}
}
