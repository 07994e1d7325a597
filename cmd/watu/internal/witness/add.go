package witness

import (
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/oklog/ulid/v2"
	"golang.org/x/mod/sumdb/note"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/events/tree"
)

// request is what a ledger asks to have cosigned.
type request struct {
	tree.Checkpoint
	old     uint64
	proof   []events.Hash
	note    string
	signers []tree.Verifier // those of the witness's ledgers that signed it
}

// refusal is why a checkpoint is not cosigned.
type refusal struct {
	status int
	text   string // the whole answer
}

func (r *refusal) Error() string { return r.text }

func refused(status int, format string, args ...any) error {
	return &refusal{status, fmt.Sprintf(format, args...) + "\n"}
}

// mostProof is how many hashes a proof has at most.
const mostProof = 63

// read reads a request as C2SP tlog-witness has it, and finds out who signed the checkpoint.
func (w *Witness) read(body string) (r request, err error) {
	head, text, found := strings.Cut(body, "\n\n")
	lines := strings.Split(head, "\n")
	size, is := strings.CutPrefix(lines[0], "old ")
	r.note = text
	r.old, err = strconv.ParseUint(size, 10, 63)
	if err != nil || !found || !is || strconv.FormatUint(r.old, 10) != size || len(lines) > 1+mostProof {
		return r, refused(http.StatusBadRequest, "a request is a line \"old NUMBER\", at most %d hashes, an empty "+
			"line and a checkpoint", mostProof)
	}
	for i, line := range lines[1:] {
		hash, err := base64.StdEncoding.Strict().DecodeString(line)
		if err != nil || len(hash) != len(events.Hash{}) {
			return r, refused(http.StatusBadRequest, "hash %d of the proof is not 32 bytes in base64", i+1)
		}
		r.proof = append(r.proof, events.Hash(hash))
	}
	origin, _, _ := strings.Cut(text, "\n")
	id, is := strings.CutPrefix(origin, "watu/")
	if _, err := ulid.ParseStrict(id); err != nil || !is {
		return r, refused(http.StatusNotFound, "this witness cosigns the checkpoints of campaigns alone")
	}
	for _, by := range append([]tree.Verifier{{}}, w.options.Ledgers...) {
		c, err := tree.Parse(text, by)
		var wrong *note.InvalidSignatureError
		switch {
		case errors.As(err, &wrong):
			return r, refused(http.StatusForbidden, "the signature of %s is wrong", wrong.Name)
		case err == nil:
			r.signers = append(r.signers, by)
		case !errors.Is(err, tree.ErrSignature):
			return r, refused(http.StatusBadRequest, "%v", err)
		}
		r.Checkpoint = c
	}
	if r.old > r.Events {
		return r, refused(http.StatusBadRequest, "old is %d, and the checkpoint has %d events", r.old, r.Events)
	}
	if len(r.signers) == 0 {
		return r, refused(http.StatusForbidden, "no ledger that this witness knows has signed the checkpoint")
	}
	return r, nil
}

// share is how many campaigns of one ledger are kept, so that none takes the place of the others.
func (w *Witness) share() int { return mostCampaigns / max(1, len(w.options.Ledgers)) }

// full reports whether no further campaign of a ledger is kept. The caller holds mu.
func (w *Witness) full(by tree.Verifier) bool {
	own := 0
	for _, h := range w.heads {
		if h.by.String() == by.String() {
			own++
		}
	}
	return own >= w.share() || len(w.heads) >= mostCampaigns
}

// add cosigns a checkpoint that extends what was seen of its campaign, and gives the line.
func (w *Witness) add(body string) (string, error) {
	r, err := w.read(body)
	if err != nil {
		return "", err
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	h, seen := w.heads[r.Campaign]
	switch {
	case !seen && w.full(r.signers[0]):
		return "", refused(http.StatusServiceUnavailable, "this witness keeps %d campaigns of a ledger, and %d in "+
			"all, and takes no more", w.share(), mostCampaigns)
	case !seen: // every tree extends the empty one
		h = head{Checkpoint: tree.Checkpoint{Campaign: r.Campaign, Root: sha256.Sum256(nil)}, by: r.signers[0]}
	case !slices.ContainsFunc(r.signers, func(v tree.Verifier) bool { return v.String() == h.by.String() }):
		return "", refused(http.StatusForbidden, "another ledger has signed what this witness has seen of the campaign")
	}
	signed, err := tree.ParseCosigned(r.note, h.by, tree.Policy{}) // its ledger's signature, and no others
	if err != nil {
		return "", err
	}
	if r.old != h.Events {
		return "", &refusal{http.StatusConflict, fmt.Sprintf("%d\n", h.Events)}
	}
	other := r.Events == h.Events && r.Root != h.Root
	if other || !tree.CheckExtension(h.Checkpoint, r.Checkpoint, r.proof) {
		kind := unproven
		if other {
			kind = Fork
		}
		if seen {
			w.evidence(kind, h, signed)
		}
		return "", refused(http.StatusUnprocessableEntity, "the checkpoint of %d events is not shown to extend the "+
			"one of %d that this witness cosigned", r.Events, h.Events)
	}
	line, err := r.Cosign(w.key, w.options.Now().Unix())
	if err != nil || seen && r.Events == h.Events { // it is kept: who sends it again and again wears no disk
		return line, err
	}
	return line, w.put(head{Checkpoint: r.Checkpoint, by: h.by, note: signed.Note + line})
}
