package main

import (
	"bufio"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/watu-ledger/watu/cmd/internal/terminal"
)

var updateTutorial = flag.Bool("update", false, "rewrite what docs/tutorial-dispute.md says that the commands print")

const tutorialPage = "../../docs/tutorial-dispute.md"

// TestTutorial does what the tutorial says, as its reader would: it writes the files that the page
// shows, types every command into a shell, and wants on the screen what the page says is there.
func TestTutorial(t *testing.T) {
	page, err := os.ReadFile(tutorialPage)
	if err != nil {
		t.Fatal(err)
	}
	s := atTerminal(t)
	var now []string
	for _, b := range blocksOf(string(page)) {
		switch {
		case b.file != "":
			if !strings.Contains(b.before, "`"+b.file+"`") {
				t.Errorf("line %d: the text before the file does not name `%s`, and a reader does not see the name "+
					"in the fence", b.line, b.file)
			}
			s.write(t, b.file, b.lines[1:len(b.lines)-1])
		case b.console:
			b.lines = slices.Concat(b.lines[:1], s.follow(t, b), b.lines[len(b.lines)-1:])
		}
		now = append(now, b.lines...)
	}
	if *updateTutorial {
		if err := os.WriteFile(tutorialPage, []byte(strings.Join(now, "\n")), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// block is a fence of the page with its contents, or the lines between two.
type block struct {
	line    int // of its first line, from 1
	lines   []string
	before  string // the line of text above
	file    string // the name that a reader gives to what it shows
	console bool   // a terminal: commands behind "$ ", and what they print
}

// blocksOf cuts a page at its fences. "```console" is a terminal, "```yaml NAME" a file.
func blocksOf(page string) (list []block) {
	b, inside, before := block{line: 1}, false, ""
	for i, line := range strings.Split(page, "\n") {
		fence := strings.HasPrefix(line, "```")
		if fence && !inside {
			list = append(list, b)
			b = block{line: i + 1, before: before, console: line == "```console"}
			if f := strings.Fields(line); len(f) == 2 {
				b.file = f[1]
			}
		}
		b.lines = append(b.lines, line)
		if !inside && strings.TrimSpace(line) != "" {
			before = line
		}
		if fence && inside {
			list = append(list, b)
			b = block{line: i + 2}
		}
		inside = fence != inside
	}
	return append(list, b)
}

// shell is a shell in an empty directory, and the hashes that it has shown.
type shell struct {
	dir    string
	typed  io.Writer
	screen *bufio.Reader
	hashes []string // in the order in which they came
	failed bool     // the command before ended with another code than 0, which the page has to show
}

// atTerminal begins one.
func atTerminal(t *testing.T) *shell {
	t.Helper()
	if _, err := exec.LookPath("sh"); err != nil {
		t.Fatal("the tutorial is typed into a POSIX shell, and this machine has none: ", err)
	}
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	sh := exec.Command("sh")
	sh.Dir = dir
	for _, v := range os.Environ() {
		if !strings.HasPrefix(v, "WATU_") && !strings.HasPrefix(v, "XDG_") {
			sh.Env = append(sh.Env, v)
		}
	}
	sh.Env = append(sh.Env, "HOME="+dir, "NO_COLOR=1")
	typed, err := sh.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	screen, err := sh.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	sh.Stderr = sh.Stdout // one screen shows both
	if err := sh.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		typed.Close()
		if err := sh.Wait(); err != nil {
			t.Logf("the shell: %v", err)
		}
	})
	return &shell{dir: dir, typed: typed, screen: bufio.NewReader(screen)}
}

// write makes a file in the directory in which the shell is.
func (s *shell) write(t *testing.T, name string, lines []string) {
	t.Helper()
	where, _ := s.run(t, "pwd")
	if err := os.WriteFile(filepath.Join(where[0], name), []byte(strings.Join(lines, "\n")+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
}

const ended = "-- the command has ended with"

// run types a command and reads what it prints, and its exit code.
func (s *shell) run(t *testing.T, command string) (out []string, code string) {
	t.Helper()
	// A watu must not read the shell's commands as its own input.
	fmt.Fprintf(s.typed, "{ %s\n} </dev/null; ended=$?; echo '%s' $ended; (exit $ended)\n", command, ended)
	for {
		line, err := s.screen.ReadString('\n')
		if err != nil {
			t.Fatalf("$ %s\nthe shell is gone: %v", command, err)
		}
		line = strings.TrimSuffix(line, "\n")
		if text, now, end := strings.Cut(line, ended+" "); end {
			if text != "" {
				out = append(out, text)
			}
			return out, now
		}
		out = append(out, line)
	}
}

// follow types the commands of a block and holds what they print against the page. It gives the
// block as it should be.
func (s *shell) follow(t *testing.T, b block) (now []string) {
	shown := b.lines[1 : len(b.lines)-1]
	for i := 0; i < len(shown); {
		line := b.line + 1 + i
		command, ok := strings.CutPrefix(shown[i], "$ ")
		if !ok {
			t.Fatalf("line %d: a terminal begins with a command: $ watu …", line)
		}
		i++
		for strings.HasSuffix(command, `\`) && i < len(shown) { // it goes on behind "> "
			command += "\n" + strings.TrimPrefix(shown[i], "> ")
			i++
		}
		now = append(now, shown[len(now):i]...)
		from := i
		for i < len(shown) && !strings.HasPrefix(shown[i], "$ ") {
			i++
		}
		if s.failed && command != "echo $?" {
			t.Errorf("line %d: the command before this one failed, and the page does not show how: echo $?", line)
		}
		out, code := s.run(t, s.meant(command))
		s.failed = code != "0"
		out = s.line(cut(out, shown[from:i]))
		for _, l := range out {
			if utf8.RuneCountInString(l) > terminal.Width && !strings.HasPrefix(l, "watu: ") {
				t.Errorf("line %d: $ %s\nprints a line of more than %d columns: %s", line, command, terminal.Width, l)
			}
		}
		if !*updateTutorial && !slices.Equal(out, shown[from:i]) {
			t.Errorf("line %d: $ %s\nprints\n%s\nand the page shows\n%s\n(go test ./cmd/watu -run TestTutorial "+
				"-update writes the page)",
				line, command, strings.Join(out, "\n"), strings.Join(shown[from:i], "\n"))
		}
		if *updateTutorial {
			// What comes behind keeps its place: the block is built from the page's commands.
			shown = slices.Concat(shown[:from], out, shown[i:])
			b.line += i - from - len(out)
			i = from + len(out)
		}
		now = append(now, shown[len(now):i]...)
	}
	if s.failed {
		t.Errorf("line %d: its last command failed, and the page does not show how: echo $?", b.line)
	}
	return now
}

// left stands on the page where lines of what is printed are left out.
const left = "[…]"

// cut leaves out of what was printed as much as the page does. What stands between two such places
// is found again by its first line.
func cut(out, shown []string) []string {
	var parts [][]string
	for {
		at := slices.Index(shown, left)
		if at < 0 {
			break
		}
		parts, shown = append(parts, shown[:at]), shown[at+1:]
	}
	if len(parts) == 0 || len(out) < len(parts[0])+len(shown) {
		return out
	}
	kept, rest := slices.Clone(out[:len(parts[0])]), out[len(parts[0]):len(out)-len(shown)]
	for _, part := range parts[1:] {
		kept = append(kept, left)
		if len(part) == 0 {
			continue
		}
		at := slices.Index(rest, part[0])
		if at < 0 || at+len(part) > len(rest) {
			return out
		}
		kept, rest = append(kept, rest[at:at+len(part)]...), rest[at+len(part):]
	}
	return slices.Concat(kept, []string{left}, out[len(out)-len(shown):])
}

var (
	hashText  = regexp.MustCompile(`\b[0-9a-f]{64}\b`)
	hashShort = regexp.MustCompile(`…([0-9]+)\b`)
	keyShort  = regexp.MustCompile(`\b[0-9a-f]{4}(-[0-9a-f]{4}){3}\b`)
	unnamed   = regexp.MustCompile(`\be-[0-9a-f]{16}\b`)
	ulidText  = regexp.MustCompile(`\b[0-7][0-9A-HJKMNP-TV-Z]{25}\b`)
)

// normalised is what was printed as the page shows it: hashes by number, and by a word the ids of campaigns
// and of entries that were given none, for they are other ones each time.
func (s *shell) line(out []string) []string {
	for i, line := range out {
		line = unnamed.ReplaceAllString(ulidText.ReplaceAllString(line, "…id"), "e-…")
		line = keyShort.ReplaceAllString(line, "…key")
		out[i] = hashText.ReplaceAllStringFunc(line, func(hash string) string {
			at := slices.Index(s.hashes, hash)
			if at < 0 {
				at, s.hashes = len(s.hashes), append(s.hashes, hash)
			}
			return fmt.Sprintf("…%d", at+1)
		})
	}
	return out
}

// meant is a command with the hashes that the page shortens.
func (s *shell) meant(command string) string {
	return hashShort.ReplaceAllStringFunc(command, func(short string) string {
		n := 0
		if _, err := fmt.Sscanf(short, "…%d", &n); err != nil || n < 1 || n > len(s.hashes) {
			return short
		}
		return s.hashes[n-1]
	})
}

func TestCut(t *testing.T) {
	out := []string{"a", "b", "c", "d", "e"}
	for _, c := range []struct{ shown, want []string }{
		// nothing is left out, so all of it counts
		{[]string{"a"}, out},
		{[]string{left}, []string{left}}, //
		// as much as the page shows at either end
		{[]string{"x", left, "y"}, []string{"a", left, "e"}},
		// what is between by its first line
		{[]string{left, "c", "x", left}, []string{left, "c", "d", left}},
		{[]string{left, "b", left, "d", left}, []string{left, "b", left, "d", left}}, // in order
		{[]string{left, "d", left, "b", left}, out},                                  // and in no other
		{[]string{left, "x", left}, out},                                             // it is not there any more
		// less is printed than the page shows
		{[]string{"a", "b", "c", left, "d", "e", "f"}, out},
	} {
		if got := cut(out, c.shown); !slices.Equal(got, c.want) {
			t.Errorf("cut to %q: %q, want %q", c.shown, got, c.want)
		}
	}
}
