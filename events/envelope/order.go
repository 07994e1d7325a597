package envelope

import (
	"encoding/json"
	"fmt"
	"time"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/events/tree"
)

// OrderType is the type of a standing order that is signed.
const OrderType = "application/vnd.watu.order+json"

// Order is a standing order: until its time is over it answers each open question to a side that has that option,
// "pass until Friday". The host keeps it beside the log. Its envelope stands in each event that it answers with, where
// everybody reads it. It answers no question that is asked under seal.
type Order struct {
	Campaign string    `json:"campaign"` // ULID
	Seat     string    `json:"seat"`
	Seen     Seen      `json:"seen"`      // the record that the player saw: it answers in that alone, as it went on
	NotAfter time.Time `json:"not_after"` // it answers until then
	Side     string    `json:"side"`
	Answer   string    `json:"answer"` // an option; empty to withdraw an order that the host keeps
}

// SignedOrder is a standing order as it was signed.
type SignedOrder struct {
	Order
	Signature
}

// Sign gives the text of the order's envelope.
func (o Order) Sign(k *tree.WitnessKey) (string, error) { return sign(o, OrderType, k) }

// ParseOrder reads the envelope of a standing order, as [Parse] does.
func ParseOrder(text string) (o SignedOrder, err error) {
	if o.Signature, err = parse(text, OrderType, &o.Order); err == nil && o.Side == "" {
		err = fmt.Errorf("%w: the order is for no side", ErrEnvelope)
	}
	return o, err
}

// OrderID is the id of the command by which an order answers the question of that index.
func OrderID(asked uint64) string { return fmt.Sprintf("order/%d", asked) }

// Answers is the answer that the order gives to the question of that hash and index, as if its player had signed it
// then.
func (o SignedOrder) Answers(question events.Hash, asked uint64) (e Envelope, err error) {
	e.Signature = o.Signature
	e.Command = Command{Campaign: o.Campaign, Seat: o.Seat, ID: OrderID(asked), Seen: o.Seen, Question: question,
		NotAfter: o.NotAfter}
	entry, err := json.Marshal(map[string]map[string]string{"answer": {o.Side: o.Answer}})
	if err == nil {
		e.Request, err = NewRequest("answer", entry)
	}
	return e, err
}
