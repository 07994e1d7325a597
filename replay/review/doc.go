// Package review judges the recorded commands of a campaign again.
//
// A [Trial] hears every command of a record with the answers that are recorded, each on the state before it, and
// compares what follows with what is recorded. An audit, the verification of a file and the list of what is pending
// after a correction are trials. A trial needs no ledger: the record, the openings that the reader holds and the rules
// are enough. What the reader does not hold leaves events unchecked; it is no finding.
//
//	t := review.Trial{Systems: all.Systems(), Board: board, Records: records, Events: n}
//	err := t.Hear(func(h review.Heard) error {
//		fmt.Println(h.First, h.Findings) // none where all is as recorded
//		return nil
//	})
//
// A [Correction] gives an earlier command other inputs, or other dice. It is judged together with every later command
// that comes out otherwise because of it; [Reviewer.Plan] gives the [Plan], and the parts of the step to append:
//
//	#28 corrected            event 6, left: [{event 23, kept, in_hand 19 → 20}]
//	#29 submarines_reported  corrects 6
//	#30 corrected            event 15, cause 28, voids [14]
//	#31 income_collected     corrects 15
//
// What a step leaves is pending until it is applied, kept, or no longer different: [Trial.Pending]. [ActFinder] finds
// what is voided as one: a command with its corrections, one correction, one ruling with what it ordered, one undo.
//
// Two limits. A correction changes figures and results; one that would need cards, answers or a course of play that the
// record does not have fails with [ErrNotCorrectable]. And nothing is deleted: what is corrected or void stays in the
// record. The package stores nothing; the umpire (package replay) appends what it gives.
package review
