package maintenance

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/oklog/ulid/v2"

	"github.com/watu-ledger/watu/cmd/watu/internal/problem"
	"github.com/watu-ledger/watu/events/ledger"
	"github.com/watu-ledger/watu/events/tree"
)

// Cosigned is a checkpoint whose note has the cosignatures of a policy's witnesses.
type Cosigned struct {
	Checkpoint
	Cosignatures []tree.Cosignature `json:"cosignatures"`
	Failed       []string           `json:"failed,omitempty"` // which witness gave none, and why
}

// seenBy is a witness to whom a campaign was shown.
type seenBy struct {
	witness  string // its key
	campaign ulid.ULID
}

// Cosigned has the witnesses of a policy cosign the checkpoint of the campaign's first n events (C2SP tlog-witness). It
// asks all at once, and ends when the quorum is met, by cosignatures before a time unless that is 0, when all have
// answered, or with ctx. Without a quorum it fails: as
// Diverged where a witness has seen another record. What there is comes with the error.
func (h *Host) Cosigned(ctx context.Context, c ledger.Campaign, n uint64, p tree.Policy, before int64) (out Cosigned,
	err error) {
	if out.Checkpoint, err = h.Checkpoint(ctx, c, n); err != nil {
		return out, err
	}
	if out.Unsigned != "" {
		return out, problem.New(problem.Refused, "nobody can cosign what is not signed: %s", out.Unsigned)
	}
	by, err := tree.ParseVerifier(out.Key)
	if err != nil {
		return out, err
	}
	type answer struct {
		from  tree.Witness
		lines string
		err   error
	}
	var asking sync.WaitGroup
	defer asking.Wait()
	ctx, enough := context.WithCancel(ctx)
	defer enough()
	answers, note := make(chan answer, len(p.Witnesses())), out.Note
	for _, w := range p.Witnesses() {
		asking.Go(func() {
			lines, err := h.askWitness(ctx, c, n, w, note)
			answers <- answer{w, lines, err}
		})
	}
	var left []tree.Cosignature // those who may yet cosign
	for _, w := range p.Witnesses() {
		left = append(left, tree.Cosignature{Witness: w.Name})
	}
	for range p.Witnesses() {
		if p.Met(out.Cosignatures) && (before == 0 || p.MetBefore(out.Cosignatures, before)) {
			break
		}
		a := <-answers
		if a.err == nil {
			a.err = out.add(a.from, a.lines, by, p)
		}
		if a.err != nil {
			out.Failed = append(out.Failed, a.from.Name+": "+a.err.Error())
			if problem.Of(a.err).Kind == problem.Diverged {
				left = slices.DeleteFunc(left, func(x tree.Cosignature) bool { return x.Witness == a.from.Name })
			}
		}
	}
	if !p.Met(out.Cosignatures) {
		kind := problem.Unreachable
		if !p.Met(left) {
			kind = problem.Diverged
		}
		return out, problem.New(kind, "the checkpoint is cosigned by %d of %d witnesses, and the policy asks for "+
			"more: %s", len(out.Cosignatures), len(p.Witnesses()), strings.Join(out.Failed, "; "))
	}
	return out, nil
}

// add takes over the cosignatures that a witness answered, if its own is among them.
func (k *Cosigned) add(from tree.Witness, lines string, by tree.Verifier, p tree.Policy) error {
	got, err := tree.ParseCosigned(k.Note+lines, by, p)
	if err != nil {
		return err
	}
	for _, x := range got.Cosignatures {
		if x.Witness == from.Name {
			k.Note, k.Cosignatures = got.Note, got.Cosignatures
			return nil
		}
	}
	return errors.New("its answer has no cosignature by its key")
}

// askWitness gives the lines that a witness answers. What it has seen of the campaign it says itself, with a 409.
func (h *Host) askWitness(ctx context.Context, c ledger.Campaign, n uint64, w tree.Witness, note string) (
	lines string, err error) {
	by := seenBy{w.Verifier.String(), c.ID}
	for range 4 { // others may ask meanwhile
		known, _ := h.witnessed.Load(by)
		old, _ := known.(uint64)
		old = min(old, n)
		status, answer, err := h.addCheckpoint(ctx, c, old, n, w, note)
		switch {
		case err != nil:
			return "", err
		case status == http.StatusOK:
			h.witnessed.Store(by, n)
			return answer, nil
		case status == http.StatusUnprocessableEntity:
			return "", problem.New(problem.Refused, "the witness refused (HTTP 422): %.200s", strings.TrimSpace(answer))
		case status != http.StatusConflict:
			return "", problem.New(problem.Refused, "it answers %d: %.200s", status, strings.TrimSpace(answer))
		}
		seen, err := strconv.ParseUint(strings.TrimSuffix(answer, "\n"), 10, 63)
		if err != nil {
			return "", problem.New(problem.Unreachable, "it answers 409 without a number: %.40q", answer)
		}
		if seen > n {
			return "", h.seenMore(c, n, seen)
		}
		if err := h.sawOther(ctx, c, w); err != nil {
			return "", err
		}
		h.witnessed.Store(by, seen)
	}
	return "", problem.New(problem.Unreachable, "it has always seen another number of events than it said before")
}

// seenMore is the problem that a witness has cosigned more events than it is asked for.
func (h *Host) seenMore(c ledger.Campaign, n, seen uint64) error {
	now, known := h.ledger.Campaign(c.ID)
	if known && seen <= now.Events {
		return problem.New(problem.Input, "it has cosigned %d events already, and cosigns no checkpoint of %d any more",
			seen, n)
	}
	return problem.New(problem.Diverged, "it has cosigned %d events of the campaign, and there are %d here: this "+
		"record has lost its end, or is another", seen, now.Events)
}

// sawOther fails where the checkpoint that a witness shows is of another record of the campaign. A witness that is
// asked to cosign this record then keeps both notes as evidence against the host. A witness that shows no checkpoint,
// as other programs may, passes.
func (h *Host) sawOther(ctx context.Context, c ledger.Campaign, w tree.Witness) error {
	at, err := witnessURL(w.URL, fmt.Sprintf("%x", sha256.Sum256([]byte("watu/"+c.ID.String()))), "checkpoint")
	if err != nil {
		return err
	}
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, at, nil)
	if err != nil {
		return err
	}
	status, text, err := asked(r)
	if err != nil {
		return err
	}
	key, err := h.readKey()
	if err != nil || key == nil {
		return err
	}
	seen, err := tree.Parse(text, key.Verifier())
	now, known := h.ledger.Campaign(c.ID)
	if status != http.StatusOK || err != nil || seen.Campaign != c.ID || !known || seen.Events > now.Events {
		return nil
	}
	root, err := h.root(now, seen.Events)
	if err == nil && root != seen.Root {
		err = problem.New(problem.Diverged, "it has seen another record of the campaign: the first %d events there "+
			"are not those here", seen.Events)
	}
	return err
}

// witnesses asks witnesses. A redirection would lead around the check of the URL.
var witnesses = &http.Client{
	Timeout:       10 * time.Second,
	CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
}

// addCheckpoint sends a signed checkpoint of n events to a witness that has seen the old ones.
func (h *Host) addCheckpoint(ctx context.Context, c ledger.Campaign, old, n uint64, w tree.Witness, note string) (
	status int, answer string, err error) {
	at, err := witnessURL(w.URL, "add-checkpoint")
	if err != nil {
		return 0, "", err
	}
	body := fmt.Sprintf("old %d\n", old)
	if old > 0 {
		x, err := h.Extends(c, old, n)
		if err != nil {
			return 0, "", err
		}
		for _, hash := range x.Proof {
			body += base64.StdEncoding.EncodeToString(hash[:]) + "\n"
		}
	}
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, at, strings.NewReader(body+"\n"+note))
	if err != nil {
		return 0, "", err
	}
	return asked(r)
}

// asked sends a request to a witness.
func asked(r *http.Request) (status int, answer string, err error) {
	got, err := witnesses.Do(r)
	if err != nil {
		return 0, "", problem.New(problem.Unreachable, "%v", err)
	}
	defer got.Body.Close()
	text, err := io.ReadAll(io.LimitReader(got.Body, 64<<10))
	if err != nil {
		return 0, "", problem.New(problem.Unreachable, "%v", err)
	}
	return got.StatusCode, string(text), nil
}

// witnessURL gives a path of a witness. In clear it is asked on this machine alone.
func witnessURL(prefix string, path ...string) (string, error) {
	u, err := url.Parse(prefix)
	switch {
	case err != nil:
		return "", err
	case prefix == "":
		return "", problem.New(problem.Input, "the policy has no URL for it")
	}
	ip := net.ParseIP(u.Hostname())
	if here := u.Hostname() == "localhost" || ip != nil && ip.IsLoopback(); u.Scheme != "https" && !here {
		return "", problem.New(problem.Input, "%s is on another machine: a witness there is asked by https", prefix)
	}
	return u.JoinPath(path...).String(), nil
}

// CheckAskable says which witnesses of a policy this host cannot ask, if those whom it can are too few.
func CheckAskable(p tree.Policy) error {
	var can []tree.Cosignature
	var cannot []error
	for _, w := range p.Witnesses() {
		if _, err := witnessURL(w.URL); err != nil {
			cannot = append(cannot, fmt.Errorf("%s: %w", w.Name, err))
		} else {
			can = append(can, tree.Cosignature{Witness: w.Name})
		}
	}
	if len(cannot) > 0 && !p.Met(can) {
		return problem.New(problem.Input, "too few of the witnesses can be asked: %v", errors.Join(cannot...))
	}
	return nil
}
