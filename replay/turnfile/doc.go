// Package turnfile reads what an umpire types: turn files, single entries and corrections. It
// yields commands ([rules.Command]) and the lines they stand on, for any system of rules; what
// the commands mean, and whether they are allowed, it leaves to the system.
//
// # Turn file
//
// A turn file is one UTF-8 YAML mapping with at most these keys:
//
//	campaign: atlantic-1939          # optional: the campaign that the file is meant for
//	turn: Winter 1941                # optional: the game's own label for the turn
//	facts:                           # optional: what stands on the board until changed
//	  axis controls: [Brest, Lorient]
//	  cves: {Atlantic: 7}
//	entries:                         # optional: what happens, in order
//	  - {id: draw, draw: Ultra}
//	  - id: atlantic
//	    submarine warfare: {box: Atlantic, submarines: 8, asw: 34}
//	    cards: [{European Axis: submarine}, {Britain: asw}]
//
// It gives these commands, in this order:
//
//   - the turn, when named: verb "turn", id "Winter 1941/turn", body {"turn":"Winter 1941"};
//   - each fact: verb "facts", id "Winter 1941/facts/cves", body {"facts":{"cves":{"Atlantic":7}}},
//     control before the others;
//   - each entry: its verb is the one key that the system lists as a verb, its id is
//     "Winter 1941/atlantic", and its body is the whole mapping without id.
//
// An id is text or a whole number, unique in the file, of at most 64 bytes, without "/". In a
// file that names no turn the ids lack the turn: whoever knows the turn puts it before them
// with [ID].
//
// # Values
//
// A value is a mapping, a list, a text, a whole number, true, false or null. What is not quoted
// is read so, and never otherwise:
//
//   - a plain decimal whole number is a number: 8, -3, +1 (which is 1), up to 2⁵³-1 either way;
//   - true and false (also True, TRUE …) are truth values; null, ~ and nothing at all are null;
//   - a number with a decimal point is refused: no rule has a use for one;
//   - anything else is text as written: no, on, 1e3, 0x10, 007, 2026-01-01, 12:30.
//
// A key is always text as written. Comments, the order of keys, and block or flow style do not
// change a body: it is canonical JSON ([Canonical]), so the same entry gives the same bytes.
//
// Not taken, each with its line, are:
//
//   - anchors, aliases, tags, merge keys, "?" keys, directives, a second document;
//   - a key or an id that stands twice, a key on another line than its colon;
//   - in brackets, a member without a value ({Britain asw}) and a colon without a space
//     (12:30 wants quotes there);
//   - an unquoted text that begins with , ] } % or runs on past ": ", and one of several lines
//     where a line begins a list item or ends in a comment;
//   - a comment that would cut a text: one without a space behind its #, or with one space before it where the
//     text has several words;
//   - a value that is not indented further than the key or dash it belongs to (but a list may
//     stand right under its key);
//   - tabs outside quotes and comments, control characters, what is not UTF-8;
//   - more than 20 levels, more than 20,000 lines, more than 1 MiB.
//
// # Correction
//
// A correction names fields of a recorded entry and what they should have been:
//
//	reason: the umpire read 34 factors as 43
//	code: mistyped
//	replace:
//	  submarine warfare: {asw: 34}    # merged: the other fields stay
//	  cards[1].Britain: asw           # the second card; a list counts from 0
//	  surprise: null                  # taken out
//
// # Fields
//
// A field of a body is named by its path: keys joined by ".", list positions from 0 in
// brackets, "submarine warfare.asw", "cards[1].Britain"; the empty path is the body itself.
package turnfile
