package document

import (
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Markdown writes the text with its marks, and without its links.
func (t Text) Markdown() string {
	var b strings.Builder
	for _, s := range t {
		text := Markdown(s.Text)
		sign := signs[s.Mark]
		before, _ := utf8.DecodeLastRuneInString(b.String())
		first, _ := utf8.DecodeRuneInString(text)
		if between, ok := tagged[s.Mark]; ok && inWord(before) && !inWord(first) {
			sign = between // signs would not open there
		}
		b.WriteString(sign[0] + text + sign[1])
	}
	return b.String()
}

func inWord(r rune) bool { return unicode.IsLetter(r) || unicode.IsNumber(r) }

// signs are those of marks, tagged what takes their place where Markdown's own signs do not work.
var (
	signs  = map[Mark][2]string{Was: {"~~", "~~"}, Now: {"**", "**"}, Sealed: {"*", "*"}}
	tagged = map[Mark][2]string{Was: {"<del>", "</del>"}, Now: {"<strong>", "</strong>"}}
)

// Markdown writes the rows below their heads. The title and the note are the page's.
func (t Table) Markdown() string {
	head, rule, right := "|", "|", t.Right()
	for i, c := range t.Columns {
		head += " " + Markdown(c.Name) + " |"
		if right[i] {
			rule += " ---: |"
		} else {
			rule += " --- |"
		}
	}
	lines := []string{head, rule}
	for _, row := range t.Rows {
		line := "|"
		for i := range t.Columns {
			cell := ""
			if i < len(row) {
				cell = row[i].Markdown()
			}
			line += " " + cell + " |"
		}
		lines = append(lines, line)
	}
	return strings.Join(lines, "\n") + "\n"
}

// Markdown makes text mean itself in Markdown, and in the HTML that Markdown may hold.
func Markdown(text string) string {
	return markdownEscaper.Replace(strings.ReplaceAll(Printable(text), "\n", " "))
}

// Paragraph is [Markdown] for text that begins a line.
func Paragraph(text string) string { return Leading(Markdown(text)) }

// Leading keeps what is written already from beginning a list, a heading or a rule.
func Leading(written string) string { return leading.ReplaceAllString(written, `$1\$2`) }

var markdownEscaper = strings.NewReplacer(
	`\`, `\\`, "`", "\\`", "*", `\*`, "_", `\_`, "[", `\[`, "]", `\]`, "|", `\|`, "~", `\~`, "<", "&lt;", ">", "&gt;",
	"&", "&amp;",
	"://", ":&#47;&#47;", "@", "&#64;",
)

// leading finds what would begin a list, a heading or a rule at the beginning of a line.
var leading = regexp.MustCompile(`^(\s*|\s*\d+)([-+#=.)])`)
