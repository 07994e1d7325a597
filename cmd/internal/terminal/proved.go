package terminal

import (
	"encoding/json"
	"fmt"
	"time"

	"github.com/watu-ledger/watu/replay/verify"
)

// Proof checks the text of a proof by keys, each of which is itself or a file that holds it.
func Proof(text string, keys []string) (verify.Proved, error) {
	given := []string{}
	for _, k := range keys {
		text, err := Head(k)
		if err != nil {
			return verify.Proved{}, fmt.Errorf("%w: %w", verify.ErrKeys, err)
		}
		given = append(given, text)
	}
	return verify.Proof(text, given)
}

// Proved prints what came of checking the proof of an event.
func (p *Page) Proved(v verify.Proved) {
	e := v.Event
	about := fmt.Sprintf("%s of campaign %s, recorded %s", e.Type, e.Campaign, e.Recorded)
	for _, more := range []string{e.Turn, e.Side} {
		if more != "" {
			about += ", " + more
		}
	}
	p.Flow("", "", Bold(fmt.Sprintf("#%d", e.Index)), Plain(about))
	if text, err := json.Marshal(e.Payload); err == nil {
		p.Flow("  ", "  ", Plain(string(text)))
	}
	p.Flow("", "", Faint("hash "+e.Hash.String()))
	p.Line("")
	if v.SignedBy != "" {
		p.Text("The checkpoint has %d events. Its signatures:", v.Events)
		p.Flow("  ", "    ", Plain(fmt.Sprintf("the ledger's, whose key has the fingerprint %s", v.Fingerprint)))
	}
	for _, c := range v.Cosigners {
		p.Flow("  ", "    ", Plain(fmt.Sprintf("%s, %s by its own clock; its key has the fingerprint %s", c.Name,
			time.Unix(c.Time, 0).UTC().Format(time.RFC3339), c.Fingerprint)))
	}
	for _, name := range v.Others {
		p.Flow("  ", "    ", Plain(name+": not checked, as --key does not give its key"))
	}
	if v.SignedBy != "" {
		p.Line("")
	}
	p.Flow("", "", Bold(v.Verdict()))
}
