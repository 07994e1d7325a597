package events

import (
	"crypto/hmac"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/binary"
	"hash"
	"io"

	"github.com/oklog/ulid/v2"
)

// A Place says which fact a commitment is about: the slot of a command in an epoch of a
// campaign. A card that returns to its pool and is drawn again gets a new place, so a
// commitment never follows a card through the war.
type Place struct {
	Campaign ulid.ULID
	Epoch    uint64
	Command  string
	Slot     string
}

// Commit binds fact at place: SHA-256 over length-prefixed parts (label, campaign, epoch,
// command, slot, salt, fact). Few facts are possible (there are six card types), so the
// salt must be 32 fresh bytes.
func Commit(p Place, salt Hash, fact string) Hash {
	d := sha256.New()
	writePart(d, "watu/commitment/v1")
	p.write(d)
	writePart(d, string(salt[:]))
	writePart(d, fact)
	var h Hash
	d.Sum(h[:0])
	return h
}

// Opens reports whether salt and fact open the commitment c at place p.
func Opens(c Hash, p Place, salt Hash, fact string) bool {
	want := Commit(p, salt, fact)
	return subtle.ConstantTimeCompare(c[:], want[:]) == 1
}

// Salt is the umpire's salt for place p: HMAC-SHA256 of the campaign's secret over
// length-prefixed parts (label, campaign, epoch, command, slot).
func Salt(secret Hash, p Place) Hash {
	d := hmac.New(sha256.New, secret[:])
	writePart(d, "watu/salt/v1")
	p.write(d)
	var h Hash
	d.Sum(h[:0])
	return h
}

// CommandDigest is what the record keeps of a command to know it again: HMAC-SHA256 of the
// campaign's secret over (label, command id, bytes). It is keyed because a command may hold
// a secret that few guesses would find.
func CommandDigest(secret Hash, id string, request []byte) Hash {
	d := hmac.New(sha256.New, secret[:])
	writePart(d, "watu/command/v1")
	writePart(d, id)
	writePart(d, string(request))
	var h Hash
	d.Sum(h[:0])
	return h
}

func (p Place) write(d hash.Hash) {
	writePart(d, string(p.Campaign[:]))
	var epoch [8]byte
	binary.BigEndian.PutUint64(epoch[:], p.Epoch)
	writePart(d, string(epoch[:]))
	writePart(d, p.Command)
	writePart(d, p.Slot)
}

// writePart writes a part behind its length in bytes, 4 bytes big-endian, so that no two
// lists of parts read alike.
func writePart(d hash.Hash, part string) {
	var n [4]byte
	binary.BigEndian.PutUint32(n[:], uint32(len(part)))
	d.Write(n[:])
	io.WriteString(d, part)
}
