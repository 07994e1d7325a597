package ledger

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"time"

	"github.com/oklog/ulid/v2"
)

// Home says where the stream of a ledger lives: the one place where its steps become known. The zero
// value says that nobody has decided yet, or that the ledger is of a version that did not remember.
type Home struct {
	Embedded bool   `json:"embedded,omitempty"` // beside the record, in D/stream
	ID       string `json:"id,omitempty"`       // of a home on a server elsewhere, which keeps it too
	Address  string `json:"address,omitempty"`  // where that server was reached last, for people
}

// Known reports whether the home was decided.
func (h Home) Known() bool { return h.Embedded || h.ID != "" }

// identity is what the file LEDGER holds.
type identity struct {
	Format  int       `json:"format"`
	Ledger  ulid.ULID `json:"ledger"`
	Created time.Time `json:"created"`
	Home    Home      `json:"home"`
	Sum     string    `json:"sum"` // SHA-256 of the JSON with an empty sum
}

// readIdentity reads the text of LEDGER. One of this format has to be the text that this package
// writes, to the byte: a bit that flipped must not send a ledger to another home.
func readIdentity(text []byte) (id identity, err error) {
	var format struct{ Format int } // alone, because the rest may differ in another version
	if err := json.Unmarshal(text, &format); err != nil || format.Format < 1 {
		return id, fmt.Errorf("%w: %s cannot be read", ErrNotLedger, nameLedger)
	}
	if format.Format > formatVersion && sumsAs(text, formatVersion) {
		return id, fmt.Errorf(
			"%w: %s says format %d, and its sum is that of format %d: put the file back from a copy of the directory",
			ErrDamaged, nameLedger, format.Format, formatVersion)
	}
	if format.Format > formatVersion {
		return id, fmt.Errorf("%w: format %d, and this watu knows %d", ErrNewer, format.Format, formatVersion)
	}
	err = json.Unmarshal(text, &id)
	switch {
	case format.Format < formatSummed && err != nil:
		return id, fmt.Errorf("%w: %s: %w", ErrNotLedger, nameLedger, err)
	case format.Format < formatSummed && id.Sum == "":
		id.Home = Home{}
	case err != nil || format.Format < formatSummed || !bytes.Equal(text, id.text()):
		return id, fmt.Errorf("%w: %s is not as it was written: put the file back from a copy of the directory",
			ErrDamaged, nameLedger)
	}
	id.Sum = ""
	return id, nil
}

// sumsAs reports whether the sum of a text is that of the same text with another format: then the digit is damaged.
func sumsAs(text []byte, format int) bool {
	var id identity
	if json.Unmarshal(text, &id) != nil {
		return false
	}
	sum := id.Sum
	id.Format = format // text leaves the sum out
	return sum != "" && bytes.Contains(id.text(), []byte(`"`+sum+`"`))
}

// text gives the text of LEDGER.
func (id identity) text() []byte {
	id.Sum = ""
	sum := sha256.Sum256(id.json())
	id.Sum = hex.EncodeToString(sum[:])
	return append(id.json(), '\n')
}

func (id identity) json() []byte {
	text, err := json.Marshal(id)
	if err != nil {
		panic(err) // a year beyond 9999: nothing else of it can fail
	}
	return text
}

// Home says where the ledger's stream lives.
func (l *Ledger) Home() Home { return l.born.Load().Home }

// Settle writes into LEDGER, as a whole and durably, where the ledger's stream lives from now on.
func (l *Ledger) Settle(h Home) error {
	if err := l.enter(); err != nil {
		return err
	}
	defer l.leave()
	l.adopting.Lock()
	defer l.adopting.Unlock()
	id := *l.born.Load()
	id.Home = h
	return l.rewrite(id)
}

// rewrite replaces LEDGER.
func (l *Ledger) rewrite(id identity) error {
	id.Format = formatVersion
	if err := l.dir.replace(nameLedger, id.text()); err != nil {
		return fmt.Errorf("write %s of ledger %s: %w", nameLedger, l.dir.path, err)
	}
	l.born.Store(&id)
	return nil
}
