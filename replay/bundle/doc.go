// Package bundle is the file in which a campaign travels: FILE.watu. It holds the stored bytes of
// the events and what else is needed to check them without the ledger that they come from. The
// package writes such a file ([File.Encode]), reads it strictly ([Read]) and checks what needs no
// rules ([File.Check]): hashes, order, dice, commitments. Whether the rulings are right is for
// whoever has the rules; who may see which opening is for whoever has the ledger.
//
// It needs no store, no network and no body of rules, so that a program that only verifies can be
// built of it.
//
// # The file
//
// Numbers are unsigned, big-endian, of 8 bytes; part(x) is x behind its length in 4 bytes. A file is
// the line "watu record 1\n", then sections, one after the other:
//
//	kind     4 letters
//	length   of the body in bytes, 8 bytes
//	body
//	hash     SHA-256(kind || length || body)
//
// The sections come in this order; those without contents are left out:
//
//	HEAD   one       the header, JSON in the form that [File.Encode] gives it
//	EDIT   each      the printed sheets of an edition: its SHA-256 is the edition's hash
//	EVNT   one       part(event bytes) for each event, as stored, from event 0 on
//	OPEN   one       for each opening: index, part(slot), salt (32 bytes), part(fact)
//	LINK   one       for each link of a draw: epoch, part(chain), position, link (32 bytes)
//	BORD   each      a file of the board
//	DICE   one       "dice beacon\n" where a beacon decides them (events/beacon), with "dice beacon of seats\n"
//	                 where seats cosign, and "dice beacon or chain\n" where a chain decides what nobody cosigned, and
//	                 "seeds position\n" where an epoch states that its seeds are by position (rules/chance),
//	                 and "hands players\n" where players draw cards by themselves
//	lack   one       for each thing that is missing: part(what), at, part(name), position
//	SEAL   one       SHA-256 of all bytes before this section
//
// Editions and files of a board are ordered by their SHA-256, openings by index and slot, links by
// epoch and chain, and nothing is there twice. So equal contents give equal bytes, and every bit
// is covered: by the hash of its section, and by the seal.
//
// A section whose kind begins with a capital letter is one that a reader has to understand: where
// it does not, it refuses the file. Sections that begin with a small letter may stand between the last
// known section and SEAL, ordered by their kinds and each kind once; a reader that does not know them
// passes them over. That is the place of lack, and of signatures and proofs to come. DICE is what programs that throw
// dice otherwise have to know: they refuse the file, where they would accuse an honest host.
//
// # What a file holds
//
// What a reader may know follows from the events, and so what a file for him has to hold ([File.Missing]): sheets and
// maps for everybody, openings and links of draws for the umpire and for the side that they belong to. What is missing
// is a finding, unless the file says in section lack that its host does not have it: then it is listed, and an honest
// host is not accused. To take that section away makes a finding of what it says; to put it in lists what was taken.
//
// # Reading
//
// [Read] reads a stream once. Lengths are not believed: lists are read element by element, each in its order and no
// more than the events call for, and what is kept in one piece is bounded. So 1.5 GB of rubbish take some kilobytes.
//
// Hashes say that a file is whole, not who wrote it: whoever changes an event can hash anew. What
// vouches for the events is the head, if it is known from elsewhere.
//
// # Parts
//
// A part, or a dispute, is carried with all events before it: what a ruling rests on may stand
// anywhere before it, and a chain that does not begin at event 0 would have to be believed. The
// header says which events are in question.
package bundle
