// Package keys stores the secrets that a campaign's hash chains, salts and command digests grow from.
//
// Each campaign has one file, readable by its owner alone. Whoever reads it knows the dice and draws to come. The file
// is sealed text (package kept); its body has a line for each secret:
//
//	watu secrets 2 01ARZ3NDEKTSV4RRFFQ69G5FAV
//	1 6f1c…        from epoch 1 on, for good: it also keys the digests of commands
//	4 a20e…        from epoch 4 on
//	next 77b3…     from the epoch to come on, since an older copy of the file may be about
//	elsewhere 3    epoch 3 was begun by another host, or its secret was given up
//	sha256 9b0d…
//
// The record states the anchors of each epoch's chains. [Keys.Verify] gives secrets only if those anchors grow from
// them; otherwise its error wraps [ErrNoSecret], and the campaign can be read but not played on. Files of earlier
// versions have neither title nor sum nor elsewhere lines, and are read too.
//
// The package does not read the record: its callers pass the epochs. It prints nothing.
package keys
