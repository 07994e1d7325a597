package dashboard

import "github.com/watu-ledger/watu/cmd/watu/internal/office"

// mapPanel is the board of a campaign as it stands, drawn.
type mapPanel struct{}

// mapPanel draws the board; nil where the campaign is played on none, or on one without shapes.
func (d *Dashboard) mapPanel(office.Campaign, office.Views) (*mapPanel, error) { return nil, nil }
