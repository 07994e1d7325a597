// Package ledger keeps the record: every event of every campaign, in Pebble, in one
// directory. An append is one step, atomic and synced before it is answered; appends of many
// campaigns share their syncs. Whoever reads, waits or follows sees only what is durable.
//
// The package stores bytes and guards their order. What an event means, who may ask for it
// and who learns of it are others' business.
//
// # Directory
//
// A ledger in directory D consists of
//
//	D/LEDGER      JSON: {"format":3,"ledger":"<ULID>","created":"<RFC 3339, UTC>","home":{…},"sum":"<hex>"}
//	D/record/     the Pebble store
//	D/CHECKPOINT  how far the record reaches, beside it; missing while there are no events
//	D/READONLY    JSON: {"because": "follows" or "handed over", "note": "…", "since": "<RFC 3339, UTC>"},
//	              in a ledger that takes no steps; "differs": "…" in a copy that found its original to differ
//	D/HOLDER      JSON: who holds the ledger, while a process does; a crash leaves it behind
//
// D/LEDGER.new is the LEDGER of a ledger whose creation has not finished; such a directory
// holds no event and is begun afresh. D/LOADING is the LEDGER of one whose [Load] has not
// finished; such a directory is refused. D/CHECKPOINT.new and D/READONLY.new are files that
// were about to replace those without ".new", and count for nothing. Other names in D belong
// to others. The lock is Pebble's own, D/record/LOCK.
//
// # Home and guard
//
// The home in LEDGER is where the ledger's stream lives: {"embedded":true} beside the record,
// {"id":"…","address":"…"} on a server elsewhere, {} as long as nobody has decided
// ([Ledger.Settle]). The file is what this package writes, to the byte, without spaces, and its sum is
// the SHA-256 of the same JSON with an empty sum: a file that was changed is refused. Format 1 had
// neither. Formats 1 and 2 are replaced by format 3 when a ledger is opened, before a step can be taken, so
// that an older watu refuses the directory from then on: one of format 1 would not look for the home, and one
// of format 2 would not look at what a campaign requires ([events.CampaignOpened]).
//
// A directory can be copied, and one ledger must not go on in two copies. So Options.Guard is asked
// before a step is gathered, and again when it is durable, before its caller is answered. A step that
// is durable and was not confirmed is an [ErrUnconfirmed]: readers see it, and nobody was
// answered.
//
// # Checkpoint
//
// A write-ahead log that was cut short reads like one that ends there. So the ledger keeps
// beside its record what the record must at least hold:
//
//	watu checkpoint 1
//	<ledger>
//	<sequence of the last event>
//	<campaign> <number of events> <hash of the last one>      a line a campaign, by id
//	sha256 <of all lines above>
//
// The file is written of what is durable only, and replaced as a whole, less than a second
// after something became durable and when the ledger is closed. [Open] compares it with the
// record before it lets Pebble write, and refuses a record that lacks something or has
// something else. Options.Repairing opens it to [Ledger.Adopt] what is missing, from the
// stream or from a backup, or to [Ledger.AcceptLoss].
//
// # Keys and values
//
// Numbers are unsigned and big-endian, of 8 bytes unless a size is given. A ULID is its 16
// bytes, a hash its 32. Text is UTF-8 and reaches to the end of its key or value. The first
// byte of a key is an ASCII letter that says what the entry is:
//
//	key                        value                              entry
//	'l'                        ULID                               the ledger's id, as in LEDGER
//	'g' campaign               name                               a campaign
//	'r' campaign index         sequence, event bytes              a record: the event as stored
//	's' sequence               campaign, index, count (4 bytes)   a step: its first event and how many
//	'c' campaign command id    digest, index, count (4), answer   a command: its step and its answer;
//	                                                              the digest is zero if not known
//	't' campaign ordinal       index, label                       a turn: its first event
//	'o' campaign index slot    salt, fact                         an opening of a commitment
//	'b' name                   SHA-256 (one or more)              what the file D/name may hold; zeros for no file
//	'b'                        1 (1 byte)                         the files without such an entry are not there
//	'm'                        the text of READONLY               why the ledger takes no steps
//
// Where a key or value has several parts they follow one another without anything between.
// So the records of one campaign are contiguous and ascend by index, from 0 without holes;
// the event bytes are those of package events, and nothing is encoded a second time. The
// sequence counts the events of all campaigns from 1, without holes: the events of a step
// have consecutive sequences, and a step's key holds the first. The entry of a turn is
// written with the first event whose turn has a greater ordinal than any before it in the
// campaign (and with event 0). Entries are never changed and never removed.
// Those of the kinds 'b' and 'm' alone are of the directory, and not of the ledger: they belong to no step, may be
// replaced, and are in no dump.
//
// All entries of a step are in one Pebble batch, and so are those of steps that are synced
// together: after a crash the record ends at the end of a step, and holds every step that
// was acknowledged.
//
// # Order
//
// A step joins the group of steps that is being gathered, and takes its sequence there. The
// first of a group leads it: when the group before has been synced it closes its own and
// commits it as one batch. So order in the write-ahead log is order of sequence, and a crash
// can only cut the end.
//
// # Copies
//
// Ledgers with one id are copies of one record: the same events with the same sequences. One
// of them takes steps. [Follow] begins one that takes none and is filled by [Ledger.Adopt];
// [Ledger.MarkReadOnly] ends the taking of steps where another goes on; [Ledger.Dump] and
// [Load] copy all entries at once. Records that were adopted together count as steps as they
// stand, so copies may have cut the same events into other steps.
package ledger
