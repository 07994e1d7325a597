package docs

import (
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// notYet stands in the table where nothing was measured yet.
const notYet = "–"

// The table of reliability.md: in each row the trials add up, and none was silent or hung.
func TestReliabilityAddsUp(t *testing.T) {
	text, err := os.ReadFile("reliability.md")
	if err != nil {
		t.Fatal(err)
	}
	rows := regexp.MustCompile("(?m)^\\| `(Test[^`]*)` \\|(.*)\\|$").FindAllStringSubmatch(string(text), -1)
	if len(rows) < 20 {
		t.Fatalf("only %d rows were found", len(rows))
	}
	for _, row := range rows {
		var n []int
		for _, cell := range strings.Split(row[2], "|") {
			if cell = strings.TrimSpace(cell); cell == notYet {
				continue
			}
			x, err := strconv.Atoi(cell)
			if err != nil {
				t.Errorf("%s: %v", row[1], err)
			}
			n = append(n, x)
		}
		if len(n) == 0 {
			continue
		}
		if len(n) != 7 { // every, tried, without effect, repaired, detected, silent, hung
			t.Errorf("%s: %d figures", row[1], len(n))
			continue
		}
		if n[1] == 0 || n[2]+n[3]+n[4] != n[1] || n[5] != 0 || n[6] != 0 {
			t.Errorf("%s: of %d trials %d are without effect, %d repaired, %d detected, %d silent, %d hung", row[1],
				n[1], n[2], n[3], n[4], n[5], n[6])
		}
		if _, all := testsIn(t, "cmd/watu/internal/reliability"); !strings.Contains(all, "func "+strings.Split(row[1],
			"/")[0]+"(") {
			t.Errorf("there is no %s", row[1])
		}
	}
}

// The commands of reliability.md name tests and flags that there are.
func TestReliabilityCommands(t *testing.T) {
	text, err := os.ReadFile("reliability.md")
	if err != nil {
		t.Fatal(err)
	}
	commands := regexp.MustCompile("(?m)(?:`|^    )((?:[A-Z_]+=\\S+ )?go test [^`\n]*)").FindAllStringSubmatch(
		string(text), -1)
	if len(commands) < 8 {
		t.Fatalf("only %d commands were found", len(commands))
	}
	for _, c := range commands {
		command := c[1]
		dir := regexp.MustCompile(`go test \./(\S+)`).FindStringSubmatch(command)
		names := regexp.MustCompile(`-run '?([^' ]+)`).FindStringSubmatch(command)
		if dir == nil || names == nil {
			t.Errorf("%s: names no package or no test", command)
			continue
		}
		flags, all := testsIn(t, dir[1])
		for name := range strings.SplitSeq(names[1], "|") {
			name, _, _ = strings.Cut(name, "/")
			if !regexp.MustCompile(`(?m)^func ` + strings.TrimSuffix(name, "$") +
				`\w*\(t \*testing\.T\)`).MatchString(all) {
				t.Errorf("%s: there is no test %s", command, name)
			}
		}
		for _, m := range regexp.MustCompile(` -([a-z][\w.-]*)`).FindAllStringSubmatch(command, -1) {
			if !strings.Contains(flags+" run v count timeout ", " "+m[1]+" ") {
				t.Errorf("%s: there is no flag -%s", command, m[1])
			}
		}
		if name, _, ok := strings.Cut(command, "="); ok && name != "TMPDIR" && !strings.HasPrefix(command, "go") &&
			!strings.Contains(all, `"`+name+`"`) {
			t.Errorf("%s: nothing reads %s", command, name)
		}
	}
}

// testsIn gives the flags that the tests of a package have, a space around each, and the text of the tests.
func testsIn(t *testing.T, dir string) (flags, all string) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join("..", filepath.FromSlash(dir), "*_test.go"))
	if err != nil || len(files) == 0 {
		t.Fatalf("there are no tests in %s: %v", dir, err)
	}
	for _, name := range files {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		all += string(text)
	}
	for _, m := range regexp.MustCompile(`flag\.\w+\("([^"]+)"`).FindAllStringSubmatch(all, -1) {
		flags += " " + m[1] + " "
	}
	return flags, all
}
