package strategic

import (
	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/projections"
)

func (v *View) pack(p *projections.Pack) {
	projections.List(p, &v.results, packResult)
	projections.List(p, &v.contests, packed(func(x *contest) events.Payload { return &x.ContestSettled }))
	projections.List(p, &v.attested, (*projections.Pack).Uint)
	projections.List(p, &v.postings, packPosting)
	projections.List(p, &v.spent, packed(func(x *spent) events.Payload { return &x.SuccessSpent }))
	projections.List(p, &v.played, packPlayed)
	projections.List(p, &v.drawn, packDrawn)
	projections.List(p, &v.facts, packFact)
	projections.List(p, &v.hunts, packed(func(x *hunt) events.Payload { return &x.SubmarinesHunted }))
	projections.List(p, &v.losses, packed(func(x *loss) events.Payload { return &x.UnitsLost }))
	projections.List(p, &v.compensations, packed(func(x *compensation) events.Payload { return &x.Compensated }))
	p.Bool(&v.exact)
	projections.List(p, &v.takings, func(p *projections.Pack, x *taking) {
		p.Uint(&x.event)
		projections.List(p, &x.events, (*projections.Pack).Uint)
	})
}

// packed describes an entry: its place, and what its event says.
func packed[T any, E projections.HasEntry[T]](payload func(*T) events.Payload) func(*projections.Pack, *T) {
	return func(p *projections.Pack, x *T) {
		E(x).Own().Pack(p)
		p.Payload(payload(x))
	}
}

func packResult(p *projections.Pack, v *result) {
	v.Entry.Pack(p)
	p.Text(&v.phase)
	p.Payload(&v.ResultAdjudicated)
}

func packPosting(p *projections.Pack, v *posting) {
	v.Entry.Pack(p)
	x := &v.Posting
	for _, text := range []*string{&x.Base, &x.What, &x.Hex, &x.From, &x.How, &x.By, &x.Joined} {
		p.Text(text)
	}
	p.Small(&x.Hits)
	p.Small(&x.Needed)
	p.Bool(&x.Left)
	p.Small(&x.Returns)
}

func packPlayed(p *projections.Pack, v *played) {
	v.Entry.Pack(p)
	p.Text(&v.side)
	p.Payload(&v.StrategyCardPlayed)
}

func packDrawn(p *projections.Pack, v *drawn) {
	v.Entry.Pack(p)
	p.Text(&v.side)
	p.Payload(&v.StrategyCardsDrawn)
}

func packFact(p *projections.Pack, v *fact) {
	v.Entry.Pack(p)
	p.Text(&v.name)
	p.Small(&v.value)
}
