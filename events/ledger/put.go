package ledger

import (
	"encoding/binary"
	"fmt"
	"slices"

	"github.com/cockroachdb/pebble/v2"
	"github.com/oklog/ulid/v2"

	"github.com/watu-ledger/watu/events"
)

func putRecord(batch *pebble.Batch, campaign ulid.ULID, index, sequence uint64, b []byte) {
	op := batch.SetDeferred(lenCampaignKey+8, 8+len(b))
	appendNumberKey(op.Key[:0], keyRecord, campaign, index)
	binary.BigEndian.PutUint64(op.Value, sequence)
	copy(op.Value[8:], b)
	must(op.Finish())
}

func putTurn(batch *pebble.Batch, campaign ulid.ULID, t Turn) {
	value := append(binary.BigEndian.AppendUint64(nil, t.First), t.Label...)
	must(batch.Set(numberKey(keyTurn, campaign, t.Ordinal), value, nil))
}

func putOpening(batch *pebble.Batch, campaign ulid.ULID, o *events.Opening) {
	must(batch.Set(openingKey(campaign, o), append(slices.Clone(o.Salt[:]), o.Fact...), nil))
}

func putCampaign(batch *pebble.Batch, campaign ulid.ULID, name string) {
	must(batch.Set(campaignKey(keyCampaign, campaign), []byte(name), nil))
}

func putStep(batch *pebble.Batch, sequence uint64, s step) {
	op := batch.SetDeferred(1+8, lenStep)
	appendStepKey(op.Key[:0], sequence)
	s.append(op.Value[:0])
	must(op.Finish())
}

func putCommand(batch *pebble.Batch, campaign ulid.ULID, id string, a *Answered) {
	op := batch.SetDeferred(lenCampaignKey+len(id), lenAnswered+len(a.Answer))
	appendCommandKey(op.Key[:0], campaign, id)
	appendAnswered(op.Value[:0], a)
	must(op.Finish())
}

// must holds for additions to a batch, which fail only after it was committed.
func must(err error) {
	if err != nil {
		panic(fmt.Sprintf("ledger: %v", err))
	}
}
