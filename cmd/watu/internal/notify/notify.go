// Package notify tells a chat when a campaign waits for somebody: it posts a [Notice] as JSON to a webhook when a
// question newly waits, and when nobody has to answer any more. "text" and "content" say the same, for Slack and
// Mattermost read the one and Discord the other; the other fields are for programs:
//
//	{"text": "West: European Axis must answer: which card …? https://host.example/campaigns/west", "content": "…",
//	 "state": "waits", "campaign": "west", "side": "European Axis", "question": "which card …?", "rule": "48.61",
//	 "title": "…", "event": 13, "link": "https://host.example/campaigns/west"}
//
// A notice says what the public reads on the campaign's page, and no more: never the options of a question or an
// answer.
//
// One goroutine follows the record, as a reader does: whoever appends waits for nothing here. It compares what waits
// now with what it said last, so a webhook that is away for a while hears how things stand, and not what passed
// meanwhile. What waited before it began it says to nobody.
package notify

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/watu-ledger/watu/cmd/watu/internal/service"
	"github.com/watu-ledger/watu/cmd/watu/internal/timeline"
	"github.com/watu-ledger/watu/events/words"
	"github.com/watu-ledger/watu/rules"
)

// What a notice says.
const (
	Waits   = "waits"   // a side, or the umpire, must answer
	Settled = "settled" // nobody has to answer any more
)

// Notice is what is posted.
type Notice struct {
	Text     string `json:"text"`
	Content  string `json:"content"` // the same
	State    string `json:"state"`
	Campaign string `json:"campaign"`
	Side     string `json:"side"` // who must answer, or had to
	Question string `json:"question"`
	Rule     string `json:"rule"`
	Title    string `json:"title,omitempty"` // of the rule
	Event    uint64 `json:"event"`           // of the question
	Link     string `json:"link,omitempty"`
}

// Options of [Begin].
type Options struct {
	URL   string        // of the webhook
	Site  string        // the address of the pages, without a path; empty where there are none
	Tries int           // of one notice; 0 is 5
	Pause time.Duration // before the second try, and twice as long before each further one; 0 is 1 s
	Log   *slog.Logger  // hears of what was not taken; nil drops it
}

// patience is how long a webhook may take to answer.
const patience = 10 * time.Second

// Notifier posts notices, until Close.
type Notifier struct {
	service *service.Service
	options Options
	client  *http.Client
	seen    map[string]standing // by the ULIDs of campaigns
	stop    context.CancelFunc
	ended   chan struct{}
}

// standing is how a campaign stood when it was looked at last.
type standing struct {
	events uint64
	looked bool   // whether it waits is known
	waits  Notice // for whom; the zero notice for nobody
}

// ParseURL reads the URL of a webhook.
func ParseURL(text string) (string, error) {
	u, err := url.Parse(text)
	if err != nil || u.Host == "" || u.Scheme != "https" && u.Scheme != "http" {
		return "", errors.New("takes the URL of a webhook, such as https://chat.example/hooks/x")
	}
	return u.String(), nil
}

// Begin follows the record of a service.
func Begin(f *service.Service, o Options) *Notifier {
	if o.Tries == 0 {
		o.Tries = 5
	}
	if o.Pause == 0 {
		o.Pause = time.Second
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	ctx, stop := context.WithCancel(context.Background())
	n := &Notifier{service: f, options: o, seen: map[string]standing{}, stop: stop, ended: make(chan struct{}),
		client: &http.Client{Timeout: patience, CheckRedirect: func(*http.Request, []*http.Request) error {
			return http.ErrUseLastResponse // what is posted goes where it was meant to
		}}}
	at := f.Durable()
	if all, err := f.Campaigns(); err == nil {
		for _, c := range all.Campaigns {
			n.seen[c.ID] = standing{events: c.Events}
		}
	}
	go n.follow(ctx, at)
	return n
}

// Close ends the notices: one that is on its way is given up.
func (n *Notifier) Close() {
	if n != nil {
		n.stop()
		<-n.ended
	}
}

// burst is how long it waits for what else happens at the same time.
const burst = 200 * time.Millisecond

func (n *Notifier) follow(ctx context.Context, at uint64) {
	defer close(n.ended)
	for {
		now, err := n.service.Wait(ctx, at)
		if err != nil {
			return
		}
		select {
		case <-time.After(burst):
		case <-ctx.Done():
			return
		}
		at = now
		all, err := n.service.Campaigns()
		if err != nil {
			continue
		}
		for _, c := range all.Campaigns {
			if x, is := n.news(c); is {
				n.post(ctx, n.worded(x))
			}
			if ctx.Err() != nil {
				return
			}
		}
	}
}

// news says what is new in a campaign: that a question waits that did not when it was looked at last, or that none does
// any more. A question from before this began is no news, and its answer is.
func (n *Notifier) news(c timeline.Campaign) (x Notice, is bool) {
	was := n.seen[c.ID]
	if was.events == c.Events || c.Imported != "" {
		return x, false
	}
	now := standing{events: c.Events}
	found, err := n.service.Find(c.ID)
	if err != nil {
		return x, false
	}
	w, err := n.service.Waiting(found)
	if err != nil {
		return x, false // the campaign's page says what is wrong
	}
	now.looked = true
	if w != nil && w.Roll == nil {
		now.waits = Notice{State: Waits, Campaign: c.Name, Side: w.Of, Question: w.Question, Rule: w.Rule,
			Title: rules.TitleOf(w.Rule), Event: w.Index}
	}
	n.seen[c.ID] = now
	switch {
	case now.waits == was.waits:
		return x, false
	case now.waits.State == "":
		was.waits.State = Settled
		return was.waits, true
	}
	return now.waits, was.looked || w.Index >= was.events
}

// worded puts a notice into a sentence, with the way to the campaign.
func (n *Notifier) worded(x Notice) Notice {
	x.Text = fmt.Sprintf("%s: %s must answer: %s", words.Titled(x.Campaign), x.Side, x.Question)
	if x.State == Settled {
		x.Text = fmt.Sprintf("%s: %s has nothing to answer any more.", words.Titled(x.Campaign), x.Side)
	}
	if n.options.Site != "" {
		x.Link = strings.TrimSuffix(n.options.Site, "/") + "/campaigns/" + url.PathEscape(x.Campaign)
		x.Text += " " + x.Link
	}
	x.Content = x.Text
	return x
}

// post posts a notice, a few times at most.
func (n *Notifier) post(ctx context.Context, x Notice) {
	text, err := json.Marshal(x)
	pause := n.options.Pause
	for try := 1; err == nil; try++ {
		again := false
		if again, err = n.try(ctx, text); err == nil {
			return
		}
		if !again || try == n.options.Tries || ctx.Err() != nil {
			break
		}
		select {
		case <-time.After(pause):
			pause, err = 2*pause, nil
		case <-ctx.Done():
		}
	}
	if ctx.Err() == nil {
		n.options.Log.Warn("a notice was not taken", slog.String("campaign", x.Campaign), slog.Uint64("event", x.Event),
			slog.String("because", err.Error()))
	}
}

// try posts once. Where the webhook is away, or says that it has too much to do, another try may succeed.
func (n *Notifier) try(ctx context.Context, text []byte) (again bool, err error) {
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, n.options.URL, bytes.NewReader(text))
	if err != nil {
		return false, err
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("User-Agent", "watu")
	answer, err := n.client.Do(r)
	if failed := (*url.Error)(nil); errors.As(err, &failed) {
		return true, failed.Err // without the URL, which is a secret
	} else if err != nil {
		return true, err
	}
	defer func() { _ = answer.Body.Close() }() // of an answer that was read as far as it counts
	_, _ = io.CopyN(io.Discard, answer.Body, 64<<10)
	if answer.StatusCode/100 == 2 {
		return false, nil
	}
	again = answer.StatusCode >= 500 || answer.StatusCode == http.StatusTooManyRequests
	return again, fmt.Errorf("it answers %s", answer.Status)
}
