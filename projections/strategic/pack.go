package strategic

import (
	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/projections"
)

func (v *View) pack(p *projections.Pack) {
	projections.List(p, &v.results, packResult)
	projections.List(p, &v.contests, packContest)
	projections.List(p, &v.attested, (*projections.Pack).Uint)
	projections.List(p, &v.postings, packPosting)
	projections.List(p, &v.spent, packSpent)
	projections.List(p, &v.played, packPlayed)
	projections.List(p, &v.drawn, packDrawn)
	projections.List(p, &v.facts, packFact)
	projections.List(p, &v.hunts, packHunt)
	projections.List(p, &v.losses, packLoss)
}

func packPlace(p *projections.Pack, v *place) {
	p.Uint(&v.event)
	p.Uint(&v.ordinal)
	p.Text(&v.turn)
	p.Uint(&v.corrects)
	p.Uint(&v.corrected)
}

func packResult(p *projections.Pack, v *result) {
	packPlace(p, &v.place)
	p.Text(&v.phase)
	p.Text(&v.Procedure)
	p.Text(&v.Subject)
	p.Text(&v.Attacker)
	p.Text(&v.Defender)
	p.Uint(&v.ResultAdjudicated.Contest)
	projections.List(p, &v.Modifiers, packModifier)
	p.Small(&v.Net)
	projections.List(p, &v.Readings, packReading)
	projections.List(p, &v.Figures, packFigure)
	p.Uint(&v.Declared)
}

func packModifier(p *projections.Pack, v *events.Modifier) {
	p.Text(&v.Name)
	p.Small(&v.Value)
	p.Text(&v.Rule)
}

func packReading(p *projections.Pack, v *events.Reading) {
	p.Text(&v.Name)
	p.Text(&v.Side)
	p.Text(&v.Table)
	p.Small(&v.Factors)
	projections.List(p, &v.Dice, (*projections.Pack).Small)
	p.Small(&v.Total)
	p.Small(&v.Modified)
	p.Text(&v.Column)
	projections.List(p, &v.Rows, (*projections.Pack).Small)
	p.Small(&v.First)
	p.Small(&v.Second)
	p.Text(&v.Result)
}

func packFigure(p *projections.Pack, v *events.Figure) {
	p.Text(&v.Name)
	p.Small(&v.Value)
	p.Text(&v.Text)
}

func packContest(p *projections.Pack, v *contest) {
	packPlace(p, &v.place)
	p.Uint(&v.ContestSettled.Contest)
	p.Text(&v.Kind)
	p.Text(&v.Acting)
	p.Text(&v.Opposing)
	p.Small(&v.ActingCards)
	p.Small(&v.OpposingCards)
	p.Text(&v.Advantage)
	p.Small(&v.Modifier)
	projections.List(p, &v.Scope, (*projections.Pack).Text)
	projections.List(p, &v.Effects, packFigure)
	p.Text(&v.Subject)
}

func packPosting(p *projections.Pack, v *posting) {
	packPlace(p, &v.place)
	x := &v.Posting
	for _, text := range []*string{&x.Base, &x.What, &x.Hex, &x.From, &x.How, &x.By, &x.Joined} {
		p.Text(text)
	}
	p.Small(&x.Hits)
	p.Small(&x.Needed)
	p.Bool(&x.Left)
	p.Small(&x.Returns)
}

func packSpent(p *projections.Pack, v *spent) {
	packPlace(p, &v.place)
	p.Text(&v.Base)
	p.Text(&v.On)
	p.Small(&v.Shipping)
	p.Small(&v.Modifier)
}

func packPlayed(p *projections.Pack, v *played) {
	packPlace(p, &v.place)
	p.Text(&v.side)
	p.Small(&v.Card)
	p.Text(&v.Event)
}

func packDrawn(p *projections.Pack, v *drawn) {
	packPlace(p, &v.place)
	p.Text(&v.side)
	p.Small(&v.Base)
	p.Small(&v.Submarines)
	p.Small(&v.Bombers)
	p.Small(&v.Draw)
}

func packFact(p *projections.Pack, v *fact) {
	packPlace(p, &v.place)
	p.Text(&v.name)
	p.Small(&v.value)
}

func packHunt(p *projections.Pack, v *hunt) {
	packPlace(p, &v.place)
	p.Text(&v.Zone)
	p.Text(&v.Attacker)
	projections.List(p, &v.Groups, packGroup)
	p.Uint(&v.Declared)
}

func packGroup(p *projections.Pack, v *events.HuntedGroup) {
	p.Text(&v.Power)
	projections.List(p, &v.Submarines, (*projections.Pack).Text)
	projections.List(p, &v.Values, packFigure)
	p.Bool(&v.Detected)
	p.Bool(&v.MaySubmerge)
	p.Bool(&v.MayCallShots)
}

func packLoss(p *projections.Pack, v *loss) {
	packPlace(p, &v.place)
	p.Text(&v.Power)
	p.Text(&v.Space)
	projections.List(p, &v.Units, packUnit)
	p.Text(&v.Cause)
	p.Text(&v.Chosen)
}

func packUnit(p *projections.Pack, v *events.Unit) {
	p.Text(&v.Name)
	p.Small(&v.Count)
}
