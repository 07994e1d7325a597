package docs

import (
	"fmt"
	"path"
	"slices"
	"strings"
)

const coverageHead = `# Coverage

Every requirement of the five rule texts has an id; here each has one class, and a place.

* *Adjudicated*: a ruling applies it, or refuses by it, and cites the id in its derivation or refusal
  (` + "`watu adjudicate`" + ` and campaigns alike).
* *Enforced in a campaign*: it concerns what is remembered from one entry to the next, who may act and
  when; the code of campaigns cites it.
* *Referred*: the text leaves it open, and it is an option of the system. A campaign may set it to
  ` + "`ask`" + `; then the umpire rules. The readings are in [rulings](rulings.md).
* *Said, not ruled on*: a derivation says it, and no outcome depends on it; the reason stands beside it.
* *Outside*: nothing rules on it; the reason stands beside it.

[Reported](#reported), at the end, are the facts that an umpire enters, and why the ledger does not know them.

What no single ruling can cite (that rulings are pure; a decision without an option) counts where a
comment in the code names it. The code's column has each file with the functions that cite the id, and
says of those that name it in a refusal that they refuse. Whatever code cites, some test names: the tables
have one such test function, sample, or case of a ruling book or transcript (cases are counted from its
top). **R** marks what forbids something, and the test that sees it refused; **?** a hole or a contradiction in
the text.

This page is written by ` + "`go test ./docs -run TestCoverageIsCurrent -update`" + `, from
[requirements.txt](../rules/requirements.txt), [outside.txt](outside.txt), [said.txt](said.txt),
[reported.txt](reported.txt) and the tree.
`

// titles are the systems, in the order of the page.
var titles = []struct{ prefix, title string }{
	{"GEN", "All systems"}, {"AWAW", "A World at War"}, {"AAR", "Axis & Allies Revised"},
	{"EOTS", "Empire of the Sun"}, {"G40", "Axis & Allies Global 1940"},
}

// page is coverage.md.
func (c coverage) page() string {
	var b strings.Builder
	b.WriteString(coverageHead)
	c.counts(&b)
	section := ""
	for _, r := range c.requirements {
		if r.section != section {
			section = r.section
			fmt.Fprintf(&b, "\n## %s\n\n| id | | about | class | code | test |\n|---|---|---|---|---|---|\n", section)
		}
		mark := ""
		if r.illegal {
			mark = "R"
		}
		if r.hole {
			mark += "?"
		}
		fmt.Fprintf(&b, "| %s | %s | %s | %s | %s | %s |\n", r.id, mark, r.phrase, c.class(r.id), c.code(r.id),
			c.test(r))
	}
	fmt.Fprintf(&b, "\n## Reported\n\n| | fact | why the ledger does not know it |\n|---|---|---|\n")
	for _, x := range c.reported {
		fmt.Fprintf(&b, "| %s | `%s` | %s |\n", x.system, x.key, x.why)
	}
	return b.String()
}

// counts is the small table of systems and classes.
func (c coverage) counts(b *strings.Builder) {
	b.WriteString("\n| | ids | adjudicated | enforced | referred | said | outside | R, seen refused " +
		"|\n|---|---|---|---|---|---|---|---|\n")
	all := map[string]int{}
	row := func(title string, n map[string]int) {
		fmt.Fprintf(b, "| %s | %d ", title, n["ids"])
		for _, class := range []string{adjudicated, enforced, referred, saidOnly, outside} {
			fmt.Fprintf(b, "| %d ", n[class])
		}
		fmt.Fprintf(b, "| %d of %d |\n", n["seen refused"], n["illegal"])
	}
	for _, system := range titles {
		n := map[string]int{}
		for _, r := range c.requirements {
			if systemOf(r.id) != system.prefix {
				continue
			}
			n["ids"]++
			n[c.class(r.id)]++
			if r.illegal {
				n["illegal"]++
				if _, ok := best(r.id, c.tree.tests[r.id], refusing); ok {
					n["seen refused"]++
				}
			}
		}
		for key, many := range n {
			all[key] += many
		}
		row(system.title, n)
	}
	row("**All**", all)
	if all[unclassed] > 0 {
		fmt.Fprintf(b, "\n%d have no class yet.\n", all[unclassed])
	}
}

func refusing(p place) bool { return p.refuses }

func anywhere(place) bool { return true }

// code says which file cites an id, in which functions, and why none does.
func (c coverage) code(id string) string {
	var options []string
	for _, option := range c.options[id] {
		options = append(options, fmt.Sprintf("[%s](rulings.md#%s)", option, option))
	}
	if len(options) > 0 {
		return strings.Join(options, ", ")
	}
	if files := slices.Concat(c.tree.rulings[id], c.tree.campaign[id]); len(files) > 0 && c.said[id] != "" {
		return c.said[id] + ": " + c.places(id, files)
	} else if len(files) > 0 {
		return c.places(id, files)
	}
	return c.outside[id]
}

// places lists files with the functions there that cite an id, those that refuse by it first.
func (c coverage) places(id string, files []string) string {
	var refusing, others []string
	for _, file := range files {
		place, key := link(file, path.Base(file)), id+" "+file
		var names []string
		for _, name := range c.tree.functions[key] {
			if slices.Contains(c.tree.refusing[key], name) {
				name += " refuses"
			}
			names = append(names, name)
		}
		if len(names) > 0 {
			place += ": " + strings.Join(names, ", ")
		}
		if len(c.tree.refusing[key]) > 0 {
			refusing = append(refusing, place)
		} else {
			others = append(others, place)
		}
	}
	return strings.Join(append(refusing, others...), "; ")
}

// test says which test names an id, and which sees it refused.
func (c coverage) test(r requirement) string {
	if class := c.class(r.id); class == outside || class == unclassed {
		return ""
	}
	places := c.tree.tests[r.id]
	named, ok := best(r.id, places, anywhere)
	if !ok {
		return "**none**"
	}
	refused, seen := best(r.id, places, refusing)
	switch {
	case seen && refused == named:
		return "refused in " + named.link()
	case seen:
		return named.link() + "; refused in " + refused.link()
	case r.illegal:
		return named.link() + "; not seen refused"
	}
	return named.link()
}

func (p place) link() string {
	if p.name == "" {
		return link(p.file, path.Base(p.file))
	}
	return link(p.file, p.name)
}

func link(file, text string) string { return fmt.Sprintf("[%s](../%s)", text, file) }
