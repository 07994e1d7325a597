package dashboard

import (
	"net/http"
	"slices"

	"github.com/watu-ledger/watu/cmd/watu/internal/league"
	"github.com/watu-ledger/watu/cmd/watu/internal/share"
	"github.com/watu-ledger/watu/cmd/watu/internal/story"
)

// mostStanding is how many campaigns of a league have their standings; the others show only who waits.
const mostStanding = 40

// gathered are the campaigns of the ledger as everybody may know them.
func (d *Dashboard) gathered(r *http.Request) (league.League, error) {
	list, err := d.service.Campaigns()
	if err != nil {
		return league.League{}, err
	}
	var rows []league.Row
	for i, c := range slices.Backward(list.All()) {
		row, err := league.RowOf(r.Context(), d.service, c)
		if err != nil {
			return league.League{}, err
		}
		f := frontCard{Campaign: c}
		if len(list.All())-i <= mostStanding {
			if err := d.addStory(r.Context(), &f, languageOf(r)); err != nil {
				return league.League{}, err
			}
			if row.Bars, row.Final = f.Bars(), f.Final(); len(row.Bars) > 0 {
				row.Of = f.Of()
			}
			if head := f.Headline(); head != nil {
				row.Card = &head.Card
			}
		}
		rows = append(rows, row)
	}
	return league.Of(rows), nil
}

// league draws the campaigns of the ledger side by side.
func (d *Dashboard) league(r *http.Request) (page, error) {
	l, err := d.gathered(r)
	return page{name: "league", Title: story.LinesOf(languageOf(r)).Says("league"), Live: "/live", Body: l,
		Share: &share.Page{Path: league.Path, Feed: league.FeedPath}}, err
}

// leagueFeed answers with what happened last in each campaign, for programs that follow.
func (d *Dashboard) leagueFeed(r *http.Request) response {
	l, err := d.gathered(r)
	if err != nil {
		return d.trouble(err).draw()
	}
	b := l.Feed(languageOf(r), d.site(r)).XML()
	return response{status: http.StatusOK, bytes: b, tag: tagOf(b), kind: "application/atom+xml; charset=utf-8"}
}
