package tree

import (
	"encoding/base64"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/watu-ledger/watu/events"
)

// Proof shows, without the campaign, that a checkpoint holds an event. Its text is a C2SP tlog-proof, with the event as
// extra data:
//
//	c2sp.org/tlog-proof@v1
//	extra CAESEA…
//	index 4
//	kSf0…
//	NmQu…
//
//	watu/01ARZ3NDEKTSV4RRFFQ69G5FAV
//	…
type Proof struct {
	Event  []byte // as it is stored
	Index  uint64
	Hashes []events.Hash // RFC 6962, section 2.1.1
	Note   string        // the checkpoint, with its signatures
}

const proofTitle = "c2sp.org/tlog-proof@v1"

// mostHashes is more than the proof of an event has.
const mostHashes = 62

// ErrProof is wrapped for a text that is not the proof of an event.
var ErrProof = errors.New("this is no proof of an event")

// String is the text that [ParseProof] reads.
func (p Proof) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s\nextra %s\nindex %d\n", proofTitle, base64.StdEncoding.EncodeToString(p.Event), p.Index)
	for _, h := range p.Hashes {
		fmt.Fprintln(&b, base64.StdEncoding.EncodeToString(h[:]))
	}
	return b.String() + "\n" + p.Note
}

// ParseProof reads the text of a proof. An error names the line. The library of C2SP is not used: it names none, and
// reads no line of more than 64 KiB.
func ParseProof(text string) (p Proof, err error) {
	n := 0
	next := func() string {
		line, rest, _ := strings.Cut(text, "\n")
		n, text = n+1, rest
		return strings.TrimSuffix(line, "\r")
	}
	wrong := func(why string) (Proof, error) { return Proof{}, fmt.Errorf("%w: line %d: %s", ErrProof, n, why) }
	if next() != proofTitle {
		return wrong("it is not " + proofTitle)
	}
	extra, has := strings.CutPrefix(next(), "extra ")
	if p.Event, err = base64.StdEncoding.Strict().DecodeString(extra); !has || err != nil || len(p.Event) == 0 {
		return wrong("it is not extra EVENT, the event in base64")
	}
	index, has := strings.CutPrefix(next(), "index ")
	if p.Index, err = strconv.ParseUint(index, 10, 62); !has || err != nil || strconv.FormatUint(p.Index, 10) != index {
		return wrong("it is not index NUMBER")
	}
	for line := next(); line != ""; line = next() {
		raw, err := base64.StdEncoding.Strict().DecodeString(line)
		if err != nil || len(raw) != len(events.Hash{}) {
			return wrong("it is no hash, of 32 bytes in base64")
		}
		if p.Hashes = append(p.Hashes, events.Hash(raw)); len(p.Hashes) > mostHashes {
			return wrong("no proof has so many hashes")
		}
	}
	if n++; !strings.HasPrefix(text, prefix) {
		return wrong("it does not begin a checkpoint, " + prefix + "CAMPAIGN")
	}
	p.Note = text
	return p, nil
}

// Proves reports whether the proof shows that a checkpoint holds the event.
func (p Proof) Proves(in Checkpoint) bool {
	return CheckInclusion(in, p.Index, events.LeafHash(p.Event), p.Hashes)
}
