package events

// Encoded is an event with its only encoding and the hash of that. [Encode] alone makes one, so the three belong
// together, and whoever takes an event in need neither encode nor hash it again. The zero Encoded has no event.
type Encoded struct {
	event *Event
	bytes []byte
	hash  Hash
}

// Encode encodes and hashes an event.
func Encode(e Event) Encoded {
	b := e.Encode()
	return Encoded{&e, b, LeafHash(b)}
}

// Event gives the event, nil if there is none. It must not be changed.
func (x Encoded) Event() *Event { return x.event }

// Bytes gives what is stored and published. They must not be changed.
func (x Encoded) Bytes() []byte { return x.bytes }

// Hash gives the [LeafHash] of the bytes.
func (x Encoded) Hash() Hash { return x.hash }
