package strategic

import (
	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/projections"
)

func (v *View) pack(p *projections.Pack) {
	projections.List(p, &v.results, packResult)
	projections.List(p, &v.contests, packContest)
	projections.List(p, &v.attested, (*projections.Pack).Uint)
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
