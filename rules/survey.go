package rules

// Survey says how a board fits the rules that a campaign is to be played by on it. It is for whoever opens the
// campaign, and no part of the record.
type Survey struct {
	// Misfit says, in a clause, what the board has or lacks that makes it a board of other rules; empty where it fits.
	Misfit string
	Other  string   // the system whose marks it has; empty for none
	Lacks  []string // what the rules want and the files do not say, a clause each, with what to do
}
