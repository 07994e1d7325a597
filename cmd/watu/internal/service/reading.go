package service

import "github.com/watu-ledger/watu/cmd/watu/internal/timeline"

// NoteReading records that the host, or whoever has an umpire's token, looks at what is sealed in a campaign whose
// players sign. A copy, a campaign that was imported, and a ledger that is damaged are read without.
func (f *Service) NoteReading(campaign string, v timeline.Viewer, file bool) error {
	c, err := f.Find(campaign)
	if v.As == timeline.Public || err != nil || f.Ledger().ReadOnly() != nil || f.CheckChangeable(c) != nil {
		return err
	}
	return f.Umpire().NoteReading(c.ID, v.As, file)
}
