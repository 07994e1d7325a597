package dashboard

import (
	"context"
	"slices"
	"sync"

	"github.com/watu-ledger/watu/cmd/watu/internal/mapview"
	"github.com/watu-ledger/watu/cmd/watu/internal/service"
	"github.com/watu-ledger/watu/cmd/watu/internal/story"
	"github.com/watu-ledger/watu/cmd/watu/internal/timeline"
	"github.com/watu-ledger/watu/events"
)

// mapsKept is how many boards are kept as they are drawn; all campaigns of a league play on few.
const mapsKept = 8

// boardKept is what the pages want of a board.
type boardKept struct {
	*mapview.Board // nil for one without shapes
	players        story.Board
}

// mapBoards are the boards that were drawn, by their hash: drawing one reads files of a megabyte.
// The zero value has none.
type mapBoards struct {
	mu    sync.Mutex
	kept  map[events.Hash]*boardKept
	order []events.Hash // the oldest first
}

// of gives the board of a campaign; nil if it is played on none, or if the board's files are not here.
func (m *mapBoards) of(f *service.Service, campaign string) (*boardKept, error) {
	played, err := f.BoardPlayed(campaign)
	if err != nil || len(played.Files) == 0 {
		return nil, err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if p, ok := m.kept[played.Hash]; ok {
		return p, nil
	}
	b, ok, err := f.Map(campaign)
	if err != nil || !ok {
		return nil, err // the files may yet come
	}
	kept := &boardKept{mapview.Plot(b), story.BoardOf(b)}
	m.keep(played.Hash, kept)
	return kept, nil
}

// keep adds a board, in the place of the oldest where there are enough.
func (m *mapBoards) keep(hash events.Hash, b *boardKept) {
	if m.kept == nil {
		m.kept = map[events.Hash]*boardKept{}
	}
	if len(m.order) == mapsKept {
		delete(m.kept, m.order[0])
		m.order = slices.Delete(m.order, 0, 1)
	}
	m.kept[hash], m.order = b, append(m.order, hash)
}

// mapPanel draws the board; nil where the campaign is played on none, or on one without shapes.
func (d *Dashboard) mapPanel(ctx context.Context, c timeline.Campaign, at uint64, v timeline.Views,
	in *story.Language) (*mapview.Panel, error) {
	b, err := d.boards.of(d.service, c.ID)
	if b == nil || b.Board == nil || err != nil {
		return nil, err
	}
	x := mapview.Input{Language: in, Event: links{name: c.Name}.To, Spaces: pathTo("campaigns", c.Name, "spaces", "")}
	if v.Situation != nil {
		x.Situation = *v.Situation
	}
	if x.Units, err = d.service.Garrisons(ctx, c.ID, at); err != nil {
		return nil, err
	}
	if x.Marks, err = d.service.SpaceMarks(ctx, c.ID, at); err != nil {
		return nil, err
	}
	return b.Draw(x), nil
}
