package replay

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/oklog/ulid/v2"

	"github.com/watu-ledger/watu/events/envelope"
	"github.com/watu-ledger/watu/replay/campaign"
	"github.com/watu-ledger/watu/replay/kept"
	"github.com/watu-ledger/watu/rules"
)

// Orders keeps the standing orders that players signed: a file for each campaign, beside the record and never in it,
// with an envelope on each line, the last one of each side. One that takes an order back is kept too: who reads the log
// has the order that answered there, and must not put it back. A file that is lost leaves the sides to answer by
// themselves.
type Orders struct {
	dir string
	mu  sync.Mutex
}

// mostOrders bounds a file of standing orders, in bytes.
const mostOrders = 64 * 4096

// mostOrder bounds one standing order, in bytes.
const mostOrder = 4096

// NewOrders keeps standing orders in dir, which need not exist yet.
func NewOrders(dir string) *Orders { return &Orders{dir: dir} }

// KeepOrders has the umpire take standing orders, and answer by them. It is to be called before the first command.
func (u *Umpire) KeepOrders(o *Orders) { u.orders = o }

// ErrNoOrders is returned for a standing order where none are taken.
var ErrNoOrders = errors.New("no standing orders are taken here")

// standing is an order as it is kept.
type standing struct {
	envelope.SignedOrder
	text string
}

// list gives the standing orders of a campaign. A line that does not read is passed over: its player answers himself.
func (o *Orders) list(campaign ulid.ULID) (list []standing, err error) {
	text, err := kept.Read(o.path(campaign), mostOrders)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	for line := range bytes.Lines(text) {
		line := strings.TrimSuffix(string(line), "\n")
		if x, err := envelope.ParseOrder(line); err == nil {
			list = append(list, standing{x, line})
		}
	}
	return list, err
}

// of gives the standing order of a side.
func (o *Orders) of(campaign ulid.ULID, side string) (x standing, ok bool, err error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	list, err := o.list(campaign)
	x, ok = rules.Find(list, func(x standing) bool { return x.Side == side })
	return x, ok, err
}

// put keeps an order in the place of the side's last one.
func (o *Orders) put(campaign ulid.ULID, x standing) error {
	o.mu.Lock()
	defer o.mu.Unlock()
	list, err := o.list(campaign)
	if err != nil {
		return err
	}
	list = append(slices.DeleteFunc(list, func(old standing) bool { return old.Side == x.Side }), x)
	var text []byte
	for _, x := range list {
		text = append(text, x.text+"\n"...)
	}
	if err := os.MkdirAll(o.dir, 0o700); err != nil {
		return err
	}
	return kept.Replace(o.path(campaign), text)
}

func (o *Orders) path(campaign ulid.ULID) string { return filepath.Join(o.dir, campaign.String()) }

// HearOrder takes a standing order, in the place of the side's last one, and answers by it what is open. One that is
// not signed by the seat of its side, or for another campaign or record, is refused. The error is an
// [envelope.ErrEnvelope] for a text that is no order.
func (u *Umpire) HearOrder(id ulid.ULID, text string) (Answer, error) {
	x, err := envelope.ParseOrder(text)
	switch {
	case err != nil:
		return Answer{}, err
	case len(text) > mostOrder:
		return Answer{}, fmt.Errorf("%w: it has %d bytes, and may have %d", envelope.ErrEnvelope, len(text), mostOrder)
	case u.orders == nil:
		return Answer{}, ErrNoOrders
	}
	t, err := u.acquire(id)
	if err != nil {
		return Answer{}, err
	}
	defer t.mu.Unlock()
	violations, err := u.checkOrder(t, x)
	if len(violations) > 0 || err != nil {
		return refusal(rules.Command{}, violations), err
	}
	if err := u.orders.put(id, standing{x, text}); err != nil {
		return Answer{}, err
	}
	a := Answer{Verdict: rules.Allowed, First: t.campaign.Next}
	a.Ordered, err = u.byOrders(t)
	return a, err
}

// checkOrder finds what keeps a standing order from this campaign as it stands.
func (u *Umpire) checkOrder(t *liveCampaign, x envelope.SignedOrder) ([]rules.Violation, error) {
	if violations := t.verify(x.Seat, x.Signature); len(violations) > 0 {
		return violations, nil
	}
	var f rules.Findings
	if seat, _ := t.campaign.SeatNamed(x.Seat); !slices.Contains(seat.Sides, x.Side) {
		f.ViolateField("side", rules.Signed, "%s does not speak for %s", x.Seat, x.Side)
	}
	last, is, err := u.orders.of(t.campaign.ID, x.Side)
	if err != nil {
		return nil, err
	}
	if is && x.Seen.Events < last.Seen.Events && last.Seen.Events <= t.campaign.Next {
		f.ViolateField("seen", rules.Signed, "%s has another order since, of when there were %d events: sign it again",
			x.Side, last.Seen.Events)
	}
	violations, err := u.checkSeen(t, x.Campaign, x.Seen, x.NotAfter)
	return append(f.Violations, violations...), err
}

// byOrders answers what is open by the standing orders, and says to how many events that led.
func (u *Umpire) byOrders(t *liveCampaign) (made int, err error) {
	next := t.campaign.Next
	defer func() { made = int(t.campaign.Next - next) }()
	for u.orders != nil {
		q := t.campaign.Open
		if q == nil || q.Choice == nil || q.Choice.Secret {
			return 0, nil
		}
		x, is, err := u.orders.of(t.campaign.ID, q.Choice.Of)
		if !is || err != nil || !slices.Contains(q.Choice.Options, x.Answer) { // none, or it was taken back
			return 0, err
		}
		question, err := u.questionOf(t, campaign.VerbAnswer)
		if err != nil {
			return 0, err
		}
		e, err := x.Answers(question, q.Index)
		if err != nil || len(t.verify(e.Seat, e.Signature)) > 0 { // of a key that was replaced since
			return 0, err
		}
		var r campaign.Request
		if err := json.Unmarshal(e.Request, &r); err != nil {
			return 0, err
		}
		s := &signature{envelope: e, verb: r.Verb, standing: true, sent: []byte(x.text),
			Signed: campaign.Signed{Text: x.text}}
		a, err := u.hearOn(t, rules.Command{ID: e.ID, Seat: e.Seat, Verb: r.Verb, Body: r.Entry}, s, false)
		if err != nil || a.Events == 0 || a.Again { // again: it answered this, and that was taken back
			return 0, err
		}
	}
	return 0, nil
}
