// Package history answers which events of a campaign count, and how they are related.
//
// Events are never deleted. An event may be voided, replaced or corrected by a later one:
//
//   - A voided event does not count from then on. If the void is itself voided, the event counts again.
//   - A replacement (Replaces) counts in the place of the event that it names: in its turn and phase, as part of its
//     command, and before it if that event still stands.
//   - A correction (Corrects) supplies payload, derivation and side in the original's place. Commitments stay. The last
//     correction that stands counts.
//
// Example: #6 reports two boats, #28 corrects the report, #29 holds the corrected report, and #40 voids #28 and #29.
//
//	At(28).Standing(6) = 6
//	At(30).Standing(6) = 29
//	At(41).Standing(6) = 6
//
// # Relations
//
// A [Relation] leads from an event to earlier ones. Those of a payload are declared by the ref tags of its fields
// ([events.Refs]); those of the envelope are [Corrects], [Replaces] and [Opens]. Target and Targets follow a relation
// from an event; Sources lists the events that point to it, ascending. An index that is not less than the
// event's own names nothing and is passed over.
//
// # Commands
//
// An event carries the id of the command that led to it. [View.Command] finds the command that it belongs to: for a
// correction or a replacement that is the command of the original, for dice the one that declared them, for the head of
// a correction the one that it names.
//
// # Index and view
//
// An [Index] grows by Add, in order of Index and without gaps. Adding an event costs O(fields); a void costs as much as
// what it voids or restores. A [View] is a prefix and costs nothing: At(n) gives the same answers however many events
// follow. Views may be used concurrently with Add.
//
// The index holds relations and no events: who wants these reads them ([View.Effective], [View.Rows]). The package
// reads no secrets and knows no rules.
package history
