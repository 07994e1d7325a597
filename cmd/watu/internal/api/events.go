package api

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"strconv"

	"github.com/danielgtaylor/huma/v2"

	"github.com/watu-ledger/watu/cmd/watu/internal/explain"
	"github.com/watu-ledger/watu/cmd/watu/internal/maintenance"
	"github.com/watu-ledger/watu/cmd/watu/internal/problem"
	"github.com/watu-ledger/watu/cmd/watu/internal/service"
	"github.com/watu-ledger/watu/cmd/watu/internal/timeline"
)

// Page is some events of a campaign, in order. They are described as they stand now: what came later marks
// them.
type Page struct {
	Version  int                 `json:"version"`
	Campaign string              `json:"campaign"`
	Of       uint64              `json:"of" doc:"how many events the campaign has"`
	From     uint64              `json:"from" doc:"index of the first event here"`
	Events   []timeline.LogEvent `json:"events"`
	Next     *uint64             `json:"next,omitempty" doc:"from of the next page; left out on the last"`
	Prev     *uint64             `json:"prev,omitempty" doc:"from of the page before; left out on the first"`
}

// pageOf is which page is asked for.
type pageOf struct {
	CampaignInput
	From  uint64 `query:"from" doc:"index of the first event; at the number of events the page is empty"`
	Limit uint64 `query:"limit" minimum:"1" maximum:"500" default:"100" doc:"how many events at most"`
	Turn  string `query:"turn" maxLength:"200" doc:"only the events of this turn, by its label" example:"Winter 1941"`
}

// EventInput is the input of what is asked of an event.
type EventInput struct {
	CampaignInput
	Index uint64 `path:"index" doc:"the event's index in the campaign"`
}

// bytesOf are the stored bytes of an event.
type bytesOf struct {
	ContentType string `header:"Content-Type" hidden:"true"`
	Hash        string `header:"Watu-Hash" doc:"the event's hash, as the log has it"`
	Body        []byte
}

func (x *api) events(t *table) {
	read(t, "events", "/campaigns/{c}/events", "events", "Events, page by page",
		"Follow `next`, or the Link header, until there is none. Each event is described as it stands now, and "+
			"marked with what corrected, voided or disputes it.", x.page)
	read(t, "event", "/campaigns/{c}/events/{index}", "events", "An event", "An event and its sentence, marked with "+
		"what came of it.",
		func(e *exchange, in *EventInput) (out timeline.LogEvent, err error) {
			c, err := x.event(in)
			if err != nil {
				return out, err
			}
			list, err := x.service.Log(e.request.Context(), c.ID, in.Index, in.Index+1)
			if err != nil || len(list) == 0 {
				return out, err
			}
			return list[0], nil
		})
	read(t, "explanation", "/campaigns/{c}/events/{index}/explanation", "events", "Why an event is as it is",
		"Declaration, dice, modifiers, the printed tables with the cells consulted, caps, edition, disputes and "+
			"corrections: from the log alone.",
		func(e *exchange, in *EventInput) (out explain.Explanation, err error) {
			c, err := x.event(in)
			if err != nil {
				return out, err
			}
			return explain.Event(e.request.Context(), x.service, c.ID, in.Index)
		})
	read(t, "proof", "/campaigns/{c}/events/{index}/proof", "events", "What proves an event",
		"The stored bytes of the event and of those that bear on it: its successor, which holds its hash; of a roll "+
			"the declaration, the dice and the event that states the chain's anchor. Take everything from the bytes, "+
			"and nothing on trust.",
		func(e *exchange, in *EventInput) (out service.Proof, err error) {
			c, err := x.event(in)
			if err != nil {
				return out, err
			}
			return x.service.Proof(e.request.Context(), c.ID, in.Index)
		})
	read(t, "record", "/campaigns/{c}/record", "events", "Events as they are stored, page by page",
		"The bytes that are hashed, from an event on: what a copy of one's own is made of. Follow `next` until there "+
			"is none.", x.recordOf)
	o := operation(http.MethodGet, "bytes", "/campaigns/{c}/events/{index}/bytes", "events", "An event's stored bytes",
		"The bytes that are hashed. Their leaf hash (RFC 6962) is SHA-256 over a zero byte and these.")
	o.Responses["200"].Content =
		map[string]*huma.MediaType{"application/octet-stream": {Schema: &huma.Schema{Type: huma.TypeString,
			Format: "binary"}}}
	*t = append(*t, route{o, func(h huma.API, o huma.Operation) { huma.Register(h, o, x.bytes) }})
}

// RecordPage is some events of a campaign as they are stored.
type RecordPage struct {
	Version int      `json:"version"`
	Of      uint64   `json:"of" doc:"how many events the campaign has"`
	From    uint64   `json:"from" doc:"index of the first event here"`
	Events  [][]byte `json:"events" doc:"in base64"`
	Next    *uint64  `json:"next,omitempty" doc:"from of the next page; left out on the last"`
}

// recordFrom is which page of a record is asked for.
type recordFrom struct {
	CampaignInput
	From uint64 `query:"from" doc:"index of the first event; at the number of events the page is empty"`
}

// A page of a record has no more events than that, and ends with the one that makes it longer than so many bytes.
const (
	mostStored      = 512
	mostStoredBytes = 1 << 20
)

func (x *api) recordOf(_ *exchange, in *recordFrom) (out RecordPage, err error) {
	c, found, err := x.recorded(in.C)
	if err != nil {
		return out, err
	}
	if in.From > c.Events {
		return out, problemf(http.StatusNotFound, "there is no page from event #%d on; the campaign has %d", in.From,
			c.Events)
	}
	out = RecordPage{Version: maintenance.Version, Of: c.Events, From: in.From, Events: [][]byte{}}
	size, next := 0, in.From
	for r, err := range x.service.Ledger().Read(found.ID, in.From, min(c.Events, in.From+mostStored)) {
		if err != nil {
			return out, err
		}
		out.Events, next = append(out.Events, r.Bytes), next+1
		if size += len(r.Bytes); size > mostStoredBytes {
			break
		}
	}
	if next < c.Events {
		out.Next = &next
	}
	return out, nil
}

// event finds the campaign, which must have the event.
func (x *api) event(in *EventInput) (timeline.Campaign, error) {
	c, err := x.campaign(in.C)
	if err == nil && in.Index >= c.Events {
		err = problemf(http.StatusNotFound, "%v", problem.NoEvent(c.Name, in.Index, c.Events))
	}
	return c, err
}

func (x *api) bytes(ctx context.Context, in *EventInput) (*bytesOf, error) {
	e := ctx.Value(exchangeKey{}).(*exchange)
	fail := func(err error) (*bytesOf, error) {
		e.problem = e.problemOf(err)
		return nil, e.problem
	}
	c, err := x.event(in)
	if err != nil {
		return fail(err)
	}
	r, err := x.service.Record(c.ID, in.Index)
	if err != nil {
		return fail(err)
	}
	e.settled(in.C, c)
	return &bytesOf{ContentType: "application/octet-stream", Hash: r.Hash().String(), Body: r.Bytes}, nil
}

func (x *api) page(e *exchange, in *pageOf) (Page, error) {
	c, err := x.campaign(in.C)
	if err != nil {
		return Page{}, err
	}
	first, end := uint64(0), c.Events
	if in.Turn != "" {
		if first, end, err = x.service.Turn(c.ID, in.Turn); err != nil {
			return Page{}, unknown(err)
		}
	}
	from := max(in.From, first)
	if from > end {
		return Page{}, problemf(http.StatusNotFound, "there is no page from event #%d on; the last event here is #%d",
			in.From, end-1)
	}
	to := from + min(in.Limit, end-from)
	out := Page{Version: maintenance.Version, Campaign: c.Name, Of: c.Events, From: from}
	if out.Events, err = x.service.Log(e.request.Context(), c.ID, from, to); err != nil {
		return out, err
	}
	if to < end {
		out.Next = &to
		e.link("next", in, to)
	}
	if from > first {
		before := from - min(in.Limit, from-first)
		out.Prev = &before
		e.link("prev", in, before)
	}
	return out, nil
}

// link names another page (RFC 8288).
func (e *exchange) link(rel string, in *pageOf, from uint64) {
	q := url.Values{"from": {strconv.FormatUint(from, 10)}, "limit": {strconv.FormatUint(in.Limit, 10)}}
	if in.Turn != "" {
		q.Set("turn", in.Turn)
	}
	e.Header().Add("Link", fmt.Sprintf(`<%s/campaigns/%s/events?%s>; rel=%q`, root, url.PathEscape(in.C), q.Encode(),
		rel))
}
