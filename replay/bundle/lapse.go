package bundle

import (
	"iter"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/events/beacon"
	"github.com/watu-ledger/watu/events/tree"
)

// FalseLapse finds the first lapse of a roll in a record, from its first event on, that a cosignature contradicts: the
// checkpoint in the note holds the event that named the round, and the key cosigned it before that came, by the clock
// of whoever holds the key. It is that one cosigner's word against the lapse, and no proof: the host may not have had
// the note, and the cosigner may have dated it back. Whoever handed in such a note in time, and was answered that it
// was taken, knows, and refuses every head with that lapse. The error is that the note is none by the key.
func FalseLapse(record iter.Seq[*events.Event], note string, by tree.WitnessVerifier) (lapse uint64, is bool,
	err error) {
	x, err := tree.ParseCosigned(note, tree.Verifier{}, tree.AnyOf(tree.Witness{Name: by.Name(), Verifier: by}))
	if err == nil && len(x.Cosignatures) == 0 {
		err = tree.ErrSignature
	}
	if err != nil {
		return 0, false, err
	}
	var source beacon.Beacon
	named := uint64(0) // index of the event that named the round last
	for e := range record {
		switch p, _ := events.PayloadOf(e); p := p.(type) {
		case *events.CampaignOpened:
			source = beacon.Beacon(p.Beacon)
		case *events.RollDeclared:
			if p.Mode == byBeacon && p.First == 0 && e.Corrects == 0 {
				named = e.Index
			}
		case *events.RollLapsed:
			if x.Campaign == e.Campaign && x.Events > named && x.Events <= e.Index &&
				x.Cosignatures[0].Time < source.Time(p.Round) {
				return e.Index, true, nil
			}
			named = e.Index
		}
	}
	return 0, false, nil
}
