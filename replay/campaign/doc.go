// Package campaign folds the events of a campaign to its state.
//
// A [Campaign] is the state after some number of events: what every system shares (seats, the open question, disputes,
// chains, the last command heard), and the system's own [rules.Game]. It is a fold of the events that count, each as
// and where it does (package history); nothing is read but the record and the openings that the reader holds.
//
// A [Timeline] folds a record as it grows, and keeps states on the way:
//
//	t := campaign.NewTimeline(library, records, openings)
//	err := t.Extend(campaign.Everything, nil) // folds to the end; t.Head is the campaign there
//	c, err := t.At(28)                        // as it stood after 28 events
//	game, err := t.Before(c.History, 15)      // the game before event 15, by what counts after 28
//
// The campaign is kept after every 256th event and the game before every 256th place, so that each of these reads 256
// events at most. An event that changes what counts before it refolds the game from the checkpoint before that place.
//
// A step is made here too, and not stored: a [Maker] gives drafts their places, hashes, salts and commitments, and a
// [Branch] is a timeline that goes on beside the record.
//
// The package knows no verb's meaning beyond what the state needs, judges no command, and writes nothing. A
// [Campaign] of one timeline must not be used by several goroutines; [Campaign.Copied] gives one that may.
package campaign
