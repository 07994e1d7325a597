package tree

import (
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Policy says whose cosignatures a checkpoint needs (C2SP tlog-policy):
//
//	witness anna anna.example/w+1f3a90c2+BOoh… https://anna.example/watu
//	witness ben  ben.example/w+a70c11d8+BKx2… https://ben.example/watu
//	group players any anna ben
//	quorum players
//
// A witness has a name for this text, a verifier, and the URL that takes its requests, which may be missing. A group
// asks for all of its members, for any, or for a number of them. The zero Policy has no witness and is never met.
type Policy struct {
	text      string
	witnesses []Witness
	groups    map[string]group
	quorum    string
	any       bool // [AnyOf]: one of the witnesses is enough, and there are no groups
}

// Witness is a witness of a policy.
type Witness struct {
	Name     string
	Verifier WitnessVerifier
	URL      string // "" for none
}

type group struct {
	line    int // of the text, where it stands
	need    int
	members []string
}

// Limits of a policy.
const (
	mostPolicy  = 64 << 10 // bytes
	mostMembers = 64       // witnesses, and groups
)

// noQuorum is the quorum that is met without a cosignature.
const noQuorum = "none"

// ErrPolicy is wrapped for a text that is not a policy.
var ErrPolicy = errors.New("this is no policy of witnesses")

// ParsePolicy reads a policy. An error names the line. Lines of logs are passed over: a campaign names its ledger.
func ParsePolicy(text string) (Policy, error) {
	p := Policy{text: text, groups: map[string]group{}}
	if len(text) > mostPolicy {
		return Policy{}, fmt.Errorf("%w: it has %d bytes; the limit is %d", ErrPolicy, len(text), mostPolicy)
	}
	members := map[string]bool{}
	for i, line := range strings.Split(text, "\n") {
		if err := p.line(i+1, line, members); err != nil {
			return Policy{}, fmt.Errorf("%w: line %d: %w", ErrPolicy, i+1, err)
		}
	}
	if p.quorum == "" {
		return Policy{}, fmt.Errorf("%w: it has no line quorum NAME", ErrPolicy)
	}
	return p, nil
}

// line reads the n-th line. Members are the names that stand in a group already.
func (p *Policy) line(n int, line string, members map[string]bool) error {
	control := func(r rune) bool { return r < ' ' && r != '\t' || r == 0x7f }
	if strings.ContainsFunc(line, control) || !utf8.ValidString(line) {
		return errors.New("a policy is text in UTF-8, in lines that end with a line feed alone")
	}
	fields := strings.FieldsFunc(line, func(r rune) bool { return r == ' ' || r == '\t' })
	if len(fields) == 0 || strings.HasPrefix(fields[0], "#") {
		return nil
	}
	switch many := len(fields); fields[0] {
	case "log":
		if many != 2 && many != 3 {
			return errors.New("a log is written: log KEY [URL]")
		}
	case "witness":
		if many != 3 && many != 4 {
			return errors.New("a witness is written: witness NAME KEY [URL]")
		}
		return p.witness(fields[1], fields[2], strings.Join(fields[3:], ""))
	case "group":
		if many < 4 {
			return errors.New("a group is written: group NAME all|any|NUMBER MEMBER…")
		}
		return p.group(n, fields[1], fields[2], fields[3:], members)
	case "quorum":
		switch {
		case many != 2:
			return errors.New("a quorum is written: quorum NAME")
		case p.quorum != "":
			return errors.New("there is a quorum already")
		case fields[1] != noQuorum && !p.defined(fields[1]):
			return fmt.Errorf("no witness or group above is named %q", fields[1])
		}
		p.quorum = fields[1]
	default:
		return fmt.Errorf("a line begins with log, witness, group or quorum, not %q", fields[0])
	}
	return nil
}

func (p *Policy) witness(name, key, at string) error {
	v, err := ParseWitness(key)
	if err == nil {
		err = p.define(name, len(p.witnesses))
	}
	if err != nil {
		return err
	}
	for _, w := range p.witnesses {
		if w.Verifier.public.Equal(v.public) {
			return fmt.Errorf("it has the key of %s", w.Name)
		}
	}
	if u, err := url.Parse(at); at != "" && (err != nil || u.Scheme != "https" && u.Scheme != "http" || u.Host == "" ||
		u.User != nil || u.RawQuery != "" || u.Fragment != "") {
		return fmt.Errorf("a URL is https://HOST/PATH, or http://HOST/PATH, not %q", at)
	}
	p.witnesses = append(p.witnesses, Witness{name, v, at})
	return nil
}

func (p *Policy) group(line int, name, need string, members []string, taken map[string]bool) error {
	if err := p.define(name, len(p.groups)); err != nil {
		return err
	}
	g := group{line: line, members: members}
	switch need {
	case "any":
		g.need = 1
	case "all":
		g.need = len(members)
	default:
		n, err := strconv.ParseUint(need, 10, 8)
		if err != nil || n < 1 || n > uint64(len(members)) {
			return fmt.Errorf("a group of %d asks for all, any, or 1 to %[1]d of them, not for %q", len(members), need)
		}
		g.need = int(n)
	}
	for _, m := range members {
		if !p.defined(m) {
			return fmt.Errorf("no witness or group above is named %q", m)
		}
		if taken[m] {
			return fmt.Errorf("%s is the member of a group already", m)
		}
		taken[m] = true
	}
	p.groups[name] = g
	return nil
}

// define refuses a name that is no new one, and one more than there may be of its kind.
func (p *Policy) define(name string, of int) error {
	switch {
	case name == noQuorum || p.defined(name):
		return fmt.Errorf("the name %q is taken", name)
	case of >= mostMembers:
		return fmt.Errorf("a policy has at most %d witnesses, and as many groups", mostMembers)
	}
	return nil
}

func (p *Policy) defined(name string) bool {
	_, is := p.groups[name]
	return is || slices.ContainsFunc(p.witnesses, func(w Witness) bool { return w.Name == name })
}

// AnyOf is the policy that asks for any one of some witnesses, whatever their names are. It has no text, and without a
// witness it is never met.
func AnyOf(list ...Witness) Policy { return Policy{witnesses: list, any: true} }

// String gives the text that [ParsePolicy] read.
func (p Policy) String() string { return p.text }

// Witnesses are those that the policy names, in its order.
func (p Policy) Witnesses() []Witness { return slices.Clone(p.witnesses) }

// Names are the names of its witnesses.
func (p Policy) Names() []string {
	list := []string{}
	for _, w := range p.witnesses {
		list = append(list, w.Name)
	}
	return list
}

// Met says whether these cosignatures are a quorum. A policy with "quorum none" needs none.
func (p Policy) Met(by []Cosignature) bool {
	if p.any {
		return slices.ContainsFunc(p.witnesses, func(w Witness) bool { return has(by, w.Name) })
	}
	return p.quorum == noQuorum || p.met(p.quorum, by)
}

func has(by []Cosignature, name string) bool {
	return slices.ContainsFunc(by, func(c Cosignature) bool { return c.Witness == name })
}

// MetBefore is [Policy.Met] by cosignatures from before a time alone, in Unix seconds. Without any cosignature it is
// false, also of a policy that asks for none.
func (p Policy) MetBefore(by []Cosignature, time int64) bool {
	early := slices.DeleteFunc(slices.Clone(by), func(c Cosignature) bool { return c.Time >= time })
	return len(early) > 0 && p.Met(early)
}

// met reports whether a witness or a group is met. A group stands above what it is a member of, so this ends.
func (p Policy) met(name string, by []Cosignature) bool {
	g, is := p.groups[name]
	if !is {
		return name != "" && has(by, name)
	}
	met := 0
	for _, m := range g.members {
		if p.met(m, by) {
			met++
		}
	}
	return met >= g.need
}

// Overlaps says why two quorums may have no witness in common; it is an [ErrPolicy] that names the line, and nil where
// any two share one. Without that a ledger could show each of them another record, and nobody would have seen both.
func (p Policy) Overlaps() error {
	if p.Met(nil) {
		return fmt.Errorf("%w: its quorum asks for nobody", ErrPolicy)
	} else if p.any && len(p.witnesses) > 1 {
		return fmt.Errorf("%w: any one of %d witnesses is enough", ErrPolicy, len(p.witnesses))
	}
	g, apart := p.apart(p.quorum)
	if !apart {
		return nil
	}
	return fmt.Errorf("%w: line %d: group %s asks for %d of %d, so two quorums may have no witness in common, and a "+
		"host could show each another record: ask for more than half", ErrPolicy, p.groups[g].line, g, p.groups[g].need,
		len(p.groups[g].members))
}

// apart reports whether the witnesses can be split into two halves that both meet a name, and names the group that
// permits it. A name is a member of one group at most, so each member of a group can be given to either half; a member
// that can itself be split is met by both.
func (p Policy) apart(name string) (group string, is bool) {
	g := p.groups[name] // none for a witness, who is in one half alone
	both, within := 0, ""
	for _, m := range g.members {
		if own, apart := p.apart(m); apart {
			both, within = both+1, own
		}
	}
	switch n := len(g.members); {
	case n == 0 || n+both < 2*g.need:
		return "", false
	case n >= 2*g.need:
		return name, true
	}
	return within, true
}
