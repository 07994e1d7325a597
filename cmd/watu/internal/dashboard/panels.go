package dashboard

import "github.com/watu-ledger/watu/cmd/watu/internal/office"

// panels are the figures of a campaign at a moment.
type panels struct{}

// panels gathers the figures for the viewer.
func (d *Dashboard) panels(office.Campaign, office.Viewer, office.Moment, office.Views) (panels, error) {
	return panels{}, nil
}
