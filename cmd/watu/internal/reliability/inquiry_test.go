package reliability

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"maps"
	"net/url"
	"os"
	"regexp"
	"slices"
	"strings"
	"sync"

	"filippo.io/age"

	"github.com/watu-ledger/watu/cmd/watu/internal/api"
	"github.com/watu-ledger/watu/cmd/watu/internal/maintenance"
	"github.com/watu-ledger/watu/cmd/watu/internal/problem"
	"github.com/watu-ledger/watu/cmd/watu/internal/service"
	"github.com/watu-ledger/watu/cmd/watu/internal/timeline"
)

// answers are what a ledger answers, by question, and what it reported meanwhile.
type answers struct {
	Said     map[string]string
	When     map[string]string // what was being done when it was asked
	Reported []reported
	Skipped  bool // nothing was restored, since something had been reported already
	Brief    bool // not everything was asked, since something was reported at once
}

// reported is a report, and what was being done when it came.
type reported struct{ When, Text string }

// inquiry asks a ledger everything.
type inquiry struct {
	dir      string
	tokens   []string
	identity *age.X25519Identity
	usual    []reported // what an undamaged ledger reports; nil while that is found out
	small    bool       // it is the small one; where something is reported at once, not everything is asked of it

	mu  sync.Mutex
	now string // what is being done
	answers
	service *service.Service
	client  *api.Client
}

// When something is answered or reported.
const (
	opening    = "opening"
	status     = "status"
	reading    = "reading"
	looking    = "looking"
	backingUp  = "backup"
	restoring  = "restore"
	submitting = "submission"
	closing    = "closing"
)

var order = []string{opening, status, reading, looking, backingUp, restoring, submitting, closing}

// report notes what a person sees.
func (q *inquiry) report(text string) {
	text = strings.ReplaceAll(strings.ReplaceAll(text, q.dir, "DIR"), "\n", "; ")
	q.mu.Lock()
	defer q.mu.Unlock()
	q.Reported = append(q.Reported, reported{q.now, text})
}

func (q *inquiry) begin(what string) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.now = what
}

// say keeps an answer.
func (q *inquiry) say(question string, answer any) {
	text, ok := answer.(string)
	if !ok {
		b, err := json.Marshal(answer)
		if err != nil {
			panic(err)
		}
		text = string(b)
	}
	q.Said[question], q.When[question] = strings.ReplaceAll(text, q.dir, "DIR"), q.now
}

// hear keeps an answer, or the error in its place. An error is a report, but for what is no trouble of the
// ledger: a rule that refuses, or something that there is not.
func (q *inquiry) hear(question string, answer any, err error) {
	if err == nil {
		q.say(question, answer)
		return
	}
	p := problem.Of(err)
	q.say(question, fmt.Sprintf("error: %s: %s", p.Kind, p.Error()))
	if p.Kind != problem.Input && p.Kind != problem.Refused {
		q.report(fmt.Sprintf("%s: %s: %s", question, p.Kind, p.Error()))
	}
}

// get keeps what is answered to a request that reads.
func (q *inquiry) get(query url.Values, path ...string) json.RawMessage {
	var answer json.RawMessage
	err := q.client.Query(context.Background(), &answer, query, path...)
	q.hear(strings.Join(path, "/")+"?"+query.Encode(), answer, err)
	return answer
}

// lines keeps an answer of many lines, by its hash if it is long. A line may be a problem.
func (q *inquiry) lines(method string, path ...string) {
	var all bytes.Buffer
	err := q.client.Lines(context.Background(), method, nil, nil, func(line json.RawMessage) error {
		var x struct {
			Done    uint64
			Result  json.RawMessage
			Problem *problem.Problem
		}
		if err := json.Unmarshal(line, &x); err == nil && x.Problem != nil {
			return x.Problem
		}
		if x.Done == 0 || x.Result != nil { // else it is how far it has come
			all.Write(append(line, '\n'))
		}
		return nil
	}, path...)
	q.hear(strings.Join(path, "/"), all.String(), err)
}

// all opens the directory as a command does, asks everything, and closes it.
func (q *inquiry) all(ctx context.Context) answers {
	q.Said, q.When = map[string]string{}, map[string]string{}
	q.begin(opening)
	f, err := service.New(maintenance.OpenWhenFree(ctx, q.dir, maintenance.Options{Say: q.report}))
	if err != nil {
		p := problem.Of(err)
		q.report(fmt.Sprintf("%s: %s", p.Kind, p.Error()))
		return q.answers
	}
	q.service, q.client = f, api.InProcess(f)
	q.begin(status)
	q.standing()
	q.Brief = q.small && q.usual != nil && len(q.unusual()) > 0
	q.begin(reading)
	list := q.read()
	if !q.Brief {
		q.begin(looking)
		q.look(list)
		q.begin(backingUp)
		q.backup()
	}
	q.begin(submitting)
	if q.small {
		q.smallSubmissions()
	} else {
		q.submissions()
	}
	q.begin(closing)
	if err := q.client.Close(); err != nil {
		q.report(err.Error())
	}
	return q.answers
}

// standing asks what watu status shows. What it says of the stream and of trouble is a report, and so is whatever
// it says that is not known here.
func (q *inquiry) standing() {
	var s map[string]any
	if err := q.client.Get(context.Background(), &s, "status"); err != nil {
		q.report(err.Error())
		return
	}
	delete(s, "pid")
	delete(s, "directory")
	answer := map[string]any{}
	for _, name := range []string{"version", "ledger", "nats", "external", "durable", "published", "read_only",
		"following", "open_disputes"} {
		answer[name] = s[name]
		delete(s, name)
	}
	delete(answer, "published") // that it comes to what is durable is asked when it is closed
	for _, name := range slices.Sorted(maps.Keys(s)) {
		if text, ok := s[name].(string); ok && strings.HasPrefix(text, "in step") {
			continue
		}
		// that there are fewer is no report
		q.report(figures.ReplaceAllString(fmt.Sprintf("%s: %v", name, s[name]), "n"))
	}
	q.say("status", answer)
}

// read asks what does not change anything: what happened, whether it holds, and what tokens open.
func (q *inquiry) read() []timeline.Campaign {
	var list timeline.Campaigns
	raw := q.get(nil, "campaigns")
	_ = json.Unmarshal(raw, &list) // what does not read has been heard
	for _, c := range list.Campaigns {
		q.lines("GET", "campaigns", c.Name, "log")
		q.lines("GET", "campaigns", c.Name, "audit")
		q.get(nil, "campaigns", c.Name, "checkpoint")
	}
	q.get(nil, "tokens")
	for i, text := range q.tokens {
		g, err := q.service.Grant(text)
		q.hear(fmt.Sprintf("token %d", i), g, err)
	}
	return list.Campaigns
}

// look asks what is made of it: views, files and the rest.
func (q *inquiry) look(list []timeline.Campaign) {
	for _, c := range list {
		for _, what := range []string{"rulings", "disputes", "slips"} {
			q.get(nil, "campaigns", c.Name, what)
		}
		viewers := append(slices.Clone(c.Sides), timeline.Public, timeline.Umpire, "commentator:1")
		for _, view := range c.Views {
			for _, as := range viewers {
				q.get(url.Values{"as": {as}}, "campaigns", c.Name, "views", view)
			}
		}
		for _, reader := range []string{timeline.Public, timeline.Umpire, c.Sides[1]} {
			file, err := exported(q.client, c.Name, reader)
			q.hear("export of "+c.Name+" for "+reader, hashed(file), err)
		}
	}
	q.lines("POST", "rebuild")
}

func hashed(b []byte) string {
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:])
}

// backup writes a backup. If nothing was reported so far, what is restored from it is asked for its files.
func (q *inquiry) backup() {
	file, done, err := backedUp(q.client, q.identity.Recipient().String())
	q.hear("backup", done, err)
	if q.Skipped = err != nil || q.usual != nil && len(q.unusual()) > 0; q.Skipped {
		return
	}
	q.begin(restoring)
	dir := q.dir + "-restored"
	defer os.RemoveAll(dir)
	restored, err := maintenance.Restore(context.Background(), dir, bytes.NewReader(file), []age.Identity{q.identity},
		maintenance.Options{})
	restored.Directory = ""
	q.hear("restore", restored, err)
	if err != nil {
		return
	}
	f, err := service.New(maintenance.Open(context.Background(), dir, maintenance.Options{}))
	if err != nil {
		q.report(err.Error())
		return
	}
	c := api.InProcess(f)
	for _, campaign := range restored.Campaigns {
		file, err := exported(c, campaign.Name, timeline.Umpire)
		q.hear("restore, export of "+campaign.Name, hashed(file), err)
	}
	q.hear("restore, closing", "", c.Close())
}

// submissions go on with each campaign: dice, a question's answer, draws, and disputes over what was refused.
func (q *inquiry) submissions() {
	q.submit(convoys, convoysOne, false) // it stands
	q.submit(convoys, "turn: Round 3\nentries:\n  - {id: hunt, sub detection: {zone: SZ 9, attacker: UK}}\n", false)
	q.submit(atlantic, atlanticOne, false) // it stands
	q.dispute(convoys, "other")
	q.dispute(atlantic, "dear")
	q.submit(atlantic, "{answer: {European Axis: pass}}", true)
	q.submit(atlantic, "{answer: {Britain: pass}}", true)
	q.submit(idle, "turn: Summer 1940\nentries:\n  - {id: draw, draw: Ultra}\n", false)
	q.submit(abroad, "{draw: Ultra}", true)
	q.then("situation", convoys)
	q.then("pools", atlantic)
	q.then("pools", idle)
}

// then asks for a view after the submissions.
func (q *inquiry) then(view, campaign string) {
	var v struct{ Report json.RawMessage }
	err := q.client.Query(context.Background(), &v, url.Values{"as": {timeline.Umpire}}, "campaigns", campaign, "views",
		view)
	q.hear(view+" of "+campaign+" then", v.Report, err)
}

func (q *inquiry) submit(campaign, text string, entry bool) {
	var s service.Submitted
	err := q.client.Post(context.Background(), service.Submission{Name: "turn.yaml", Text: text, Entry: entry}, &s,
		"campaigns", campaign, "submissions")
	q.submitted("submission to "+campaign+": "+text, s, err)
}

// dispute contests a command that was refused. That it is not known is said plainly, and so it is reported.
func (q *inquiry) dispute(campaign, refused string) {
	var s service.Submitted
	body := map[string]any{"refused": refused, "claim": "it was in order"}
	err := q.client.Post(context.Background(), service.DisputeEntry{Verb: "dispute", Body: body}, &s, "campaigns",
		campaign, "disputes")
	if p := problem.Of(cmpErr(err, s.Problem)); p != nil && p.Kind == problem.Input {
		q.report(p.Error())
	}
	q.submitted("dispute in "+campaign, s, err)
	if err != nil || s.Problem != nil || len(s.Entries) == 0 || len(s.Entries[0].Happened) == 0 {
		return
	}
	var shown json.RawMessage
	err = q.client.Get(context.Background(), &shown, "campaigns", campaign, "disputes",
		fmt.Sprint(s.Entries[0].Happened[0].Index))
	q.hear("dispute in "+campaign+" as shown", changing.ReplaceAllString(string(shown), "…"), err)
}

func cmpErr(err error, p *problem.Problem) error {
	if err == nil && p != nil {
		return p
	}
	return err
}

var figures = regexp.MustCompile(`\b\d+\b`)

// changing is what is new in every event: hashes, times.
var changing = regexp.MustCompile(`[0-9a-f]{64}|20\d\d-\d\d-\d\dT[0-9:.]+Z`)

// submitted keeps what happened, and not when.
func (q *inquiry) submitted(question string, s service.Submitted, err error) {
	var text strings.Builder
	for _, e := range s.Entries {
		fmt.Fprintf(&text, "%s %s %s %v\n", e.ID, e.Verb, e.State, e.Violations)
		for _, l := range e.Happened {
			fmt.Fprintf(&text, "#%d %s %s\n", l.Index, l.Type, l.Text)
		}
	}
	if s.Waiting != nil {
		fmt.Fprintf(&text, "waits for %s: %s %v\n", s.Waiting.Of, s.Waiting.Question, s.Waiting.Options)
	}
	if err = cmpErr(err, s.Problem); err != nil {
		q.hear(question, nil, err)
		question += ", as far as it stands"
	}
	q.say(question, text.String())
}

// unusual gives what an undamaged ledger does not report.
func (q *inquiry) unusual() []reported {
	q.mu.Lock()
	defer q.mu.Unlock()
	return slices.DeleteFunc(slices.Clone(q.Reported), func(x reported) bool { return slices.Contains(q.usual, x) })
}
