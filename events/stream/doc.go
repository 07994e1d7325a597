// Package stream distributes the record on NATS: it publishes every durable event, in order
// and once, and lets others read and follow what was published.
//
// The record is the ledger. The stream is a copy for the world: it can be made again from the
// record at any time, and nobody ever sees an event on it that is not durable. Hence a stream
// that knows more than the record, or something else, shows a loss, and is left as it is
// until somebody decides. Storing, judging and folding are others' business; commands and their answers
// never travel here, because they can hold secrets.
//
// # Subjects
//
//	watu.v1.<ledger>.log.<campaign>.<type>    stored bytes, kept in the stream WATU_<ledger>
//	watu.v1.<ledger>.feed.<campaign>.<type>   the same event as JSON, plain NATS, not kept
//
// Ledger and campaign are ULIDs of 26 upper-case characters. A type is one token of
// lower-case letters, digits and underscores; an event whose type is none is published under
// the token "other" (its bytes name the type all the same). Several ledgers share a server
// without overlap.
//
// # What is published
//
// The body of a log message is the event's stored bytes and nothing else, so its hash is the
// event's. Every log message carries one header,
//
//	Nats-Expected-Last-Sequence: <sequence of the message before it, 0 for the first>
//
// by which the server refuses everything but the next event. Hence the sequence of a message
// in the stream is the event's sequence in the ledger, from 1 and without holes. Every message
// asks for its acknowledgement; up to some thousand are under way at a time. The body of a
// feed message is the JSON of [events.View] with its sequence.
//
// The order of things is: durable in the ledger, sent to the log subject, acknowledged by the
// stream, sent to the feed subject. The feed is a courtesy: it may be skipped while nobody
// subscribes to it, and what was missed is read from the stream. Who subscribes to a log
// subject without reading the stream may see messages that the stream then refuses; the
// stream and the feed are free of them.
//
// # Where it is published
//
// The embedded [Server] needs nothing else and is the default. [Dial] connects to a server or
// cluster elsewhere instead, by a URL or a context of the nats CLI. Everything below is the same
// for both; a cluster can keep several replicas of the stream ([Options]).
//
// # Compare, resume, make again
//
// When an [Outbox] opens, and after every error, lost acknowledgement or refusal, the stream
// is compared with the record ([Compare]). It is a clean prefix of the record when
//
//   - its configuration lets nothing go: file storage, no limits, delete and purge denied;
//   - its first sequence is 1, its last is not after the last durable event of the record,
//     and it holds exactly as many messages: no gaps, none deleted;
//   - subject and bytes are those of the record: of its last 2,176 messages (as many as can
//     have been under way), of its first, and of up to 64 spread evenly between.
//
// A clean prefix is resumed after its last message. A lost acknowledgement therefore leaves
// neither a duplicate nor a hole: either the message is in the stream and is not sent again, or
// it is not and is sent again in its place. The end of the record is looked at after the end of
// the stream, so that what is on its way, and what is recorded meanwhile, is never too much.
//
// Where it is no clean prefix, every message of it is read, from the leader of a cluster. Then
//
//   - a stream that holds an event where the record has another ([Other]), or goes on with
//     events behind its end ([Longer]), has diverged. Open fails with a [DivergedError] and
//     changes nothing; an outbox that runs stops publishing and says so in its [Status]. The
//     report names the first such sequence and the hashes. [Tail] reads what the record lacks;
//     [Rebuild] makes the stream anew from the record, on purpose;
//   - any other ([Damaged]: configured otherwise, emptied, with holes, with messages that cannot
//     be read, are no event, or have a subject of another event) is deleted, made again and
//     published anew from the first event, and the [Report] says what was wrong. On a server
//     elsewhere the same must be found three times, a second apart, since one that stops calls
//     every message missing.
//
// A stream of our name with other subjects, and one whose subjects overlap with ours, is someone
// else's ([ErrForeign]) and never touched, not even by Rebuild.
//
// # One host at a time
//
// On a server elsewhere two hosts can have the same ledger. Whoever takes steps holds the ledger's
// [Lease], a value in the key-value bucket WATU_LEASE_<ledger>:
//
//	lease    {"home":"…","generation":7,"holder":"…","by":"watu serve","host":"…","pid":12,
//	          "term_ms":15000,"published":4711}
//
// It is taken, renewed and released by writing at the revision that the writer knows, and by nothing
// else: what is read may be stale. Each taking raises the generation by one. The holder renews it five
// times a term, and its term counts from before it sent the request that succeeded; a successor waits a
// whole term from when it saw a revision, on its own clock. Home is the id that the ledger
// remembers of the server: a bucket that is missing, or has another, is never made again or taken
// without being asked to (LeaseOptions.Begin).
//
// An outbox with a lease publishes while it is valid, and [Outbox.Confirm] says when an event stands:
// the stream has acknowledged it, and the lease was valid after that. Whoever takes the lease next
// compares the stream with its record, and finds it there.
//
// # Reading
//
// [Follow] reads the stream with direct gets (the read API of JetStream, which changes
// nothing on the server) and waits on the feed for more. It makes no consumer: whoever may
// create a consumer may have the server publish to a subject of his choice. An answer that came
// incomplete, a server that is away and one that lags behind its cluster are asked again, from
// the message that is due. [Tail] reads to the end and returns; [Streams] lists the ledgers.
//
// Every request has an inbox of its own whose name cannot be guessed. An answer that is not in
// good order, or holds another event than was read there before, is asked for five times more
// before it counts ([ErrGap]). What was handed on last is read again every second: a stream that
// ends before it was put back, unless it grows again. On an embedded server that is certain after
// a second, since guests read nothing before the stream is the record's; elsewhere it is after 15
// seconds, in which a ledger can publish again what its server lost. Until then, and whenever it
// cannot read, a follower says so ([Following]).
//
// # Who may do what
//
// The embedded [Server] listens nowhere unless asked to. When it listens, whoever connects is
// a guest. Its name is the number that the server gave to its connection (client_id in the
// server's INFO), and what it may do follows from that number:
//
//	subscribe  watu.v1.>                                what is published
//	subscribe  watu.answers.<number>.>                  answers to its own reads
//	publish    watu.read.<number>.<stream>.<token>      a read
//
// The body of a read is a request of the direct get API: {"seq": 7, "batch": 256}, with
// "next_by_subj" for the log subjects of one campaign, or {"last_by_subj": ...} for the last
// message. The messages come on watu.answers.<number>.<token>, with the headers Nats-Stream,
// Nats-Subject, Nats-Sequence and Nats-Last-Sequence, and after them one with Status 204 (410 when
// there is no such stream). A reply subject means nothing, because the server checks none: so
// nobody can have a message delivered to anybody but himself. Guests live in an account of their
// own, out of which only reads go, and cannot ask JetStream anything. The one who answers is the
// ledger's process, one read after the other, each guest in turn.
//
// The bounds of guests: [DefaultGuests] connections, 32 subscriptions of each, requests of 4 KiB, 256
// messages or about a mebibyte an answer, eight reads of each that wait, half of a processor for
// all reads, 12 MiB that wait for one connection. Who does not take what comes misses messages of
// the feed, and his reads are not answered. The ledger's own connections are not counted.
//
// On a server elsewhere its operator grants the same: to the ledger all of watu.v1.<ledger>.>,
// $KV.WATU_LEASE_<ledger>.> and $JS.API.>, to others subscriptions and $JS.API.DIRECT.GET.WATU_<ledger>, from another
// account, and to each user an inbox prefix that no other may subscribe to (_INBOX_anna.>, named
// in the user's context of the nats CLI as inbox_prefix). Whoever may subscribe to _INBOX.> sees
// where others wait for answers, and can have stored messages delivered there: nats-server checks
// the subject of a request and not its reply. What a connection lacks is found when it is used for
// the first time ([ErrDenied]); whether it may publish, by a message without a body on a log subject,
// which every stream refuses. The server's max_payload has to leave room for the largest event.
//
// A stream without a leader is there ([ErrNoLeader]); one that does not exist is [ErrNoStream]. A
// connection that may only read cannot tell the two apart ([ErrUnanswered]).
package stream
