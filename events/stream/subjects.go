package stream

import (
	"errors"

	"github.com/oklog/ulid/v2"
	"google.golang.org/protobuf/encoding/protowire"

	"github.com/watu-ledger/watu/events"
)

const subjectRoot = "watu.v1."

// otherType stands in a subject for a type that is not one token.
const otherType = "other"

// StreamName is the name of a ledger's stream, WATU_<ledger>.
func StreamName(ledger ulid.ULID) string { return "WATU_" + ledger.String() }

// LogSubject is where an event's stored bytes are published and kept:
// watu.v1.<ledger>.log.<campaign>.<type>.
func LogSubject(ledger, campaign ulid.ULID, t events.Type) string {
	return subject(ledger, ".log.", campaign, t)
}

// FeedSubject is where an event's JSON view is published, after its bytes are kept:
// watu.v1.<ledger>.feed.<campaign>.<type>.
func FeedSubject(ledger, campaign ulid.ULID, t events.Type) string {
	return subject(ledger, ".feed.", campaign, t)
}

func subject(ledger ulid.ULID, kind string, campaign ulid.ULID, t events.Type) string {
	return subjectRoot + ledger.String() + kind + campaign.String() + "." + token(string(t))
}

// allSubjects matches the subjects of one kind (log or feed): of a campaign, or of all
// campaigns for the zero ULID.
func allSubjects(ledger ulid.ULID, kind string, campaign ulid.ULID) string {
	all := subjectRoot + ledger.String() + "." + kind + "."
	if campaign.IsZero() {
		return all + ">"
	}
	return all + campaign.String() + ".>"
}

// token keeps a type of a later or foreign writer from becoming several tokens, a wildcard
// or a broken protocol line.
func token(t string) string {
	for i := range len(t) {
		c := t[i]
		if (c < 'a' || c > 'z') && (c < '0' || c > '9') && c != '_' {
			return otherType
		}
	}
	if t == "" {
		return otherType
	}
	return t
}

// identity is what a subject and a cursor need of an event.
type identity struct {
	Campaign ulid.ULID
	Index    uint64
	Type     events.Type
}

// errIdentity says that bytes do not begin like an event.
var errIdentity = errors.New("bytes do not begin like an event")

// identify reads campaign, index and type (fields 1, 2 and 4 of events.proto) and nothing
// after them: a full decode costs many times as much and nothing here needs it.
func identify(b []byte) (identity, error) {
	var id identity
	for len(b) > 0 {
		num, kind, n := protowire.ConsumeTag(b)
		if n < 0 {
			return id, errIdentity
		}
		if num > 4 {
			break
		}
		b = b[n:]
		size := protowire.ConsumeFieldValue(num, kind, b)
		if size < 0 {
			return id, errIdentity
		}
		switch {
		case num == 1 && kind == protowire.BytesType && size == 17:
			copy(id.Campaign[:], b[1:size])
		case num == 2 && kind == protowire.VarintType:
			id.Index, _ = protowire.ConsumeVarint(b)
		case num == 4 && kind == protowire.BytesType:
			name, _ := protowire.ConsumeBytes(b)
			id.Type = events.Type(name)
		}
		b = b[size:]
	}
	if id.Campaign.IsZero() {
		return id, errIdentity
	}
	return id, nil
}
