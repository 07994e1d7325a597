package projections

// Place is where in a campaign an entry of a report stands, and whether another stands in its place.
// Events are named by their index.
type Place struct {
	Event       uint64 `json:"event"`
	Ordinal     uint64 `json:"turn_ordinal"`
	Turn        string `json:"turn"`
	Corrects    uint64 `json:"corrects,omitempty"`
	CorrectedBy uint64 `json:"corrected_by,omitempty"`
}
