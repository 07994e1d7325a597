package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// Every command that docs/running.md shows is one that a script runs.
func TestRunningPageIsRun(t *testing.T) {
	scripts, err := filepath.Glob(filepath.Join("testdata", "script", "*.txtar"))
	if err != nil {
		t.Fatal(err)
	}
	run := map[string]bool{}
	for _, name := range scripts {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(string(text)) {
			line = strings.TrimSpace(strings.TrimSuffix(strings.TrimSpace(line), "&follow&"))
			run[regexp.MustCompile(`^(exec|exits \d) watu (--dir \S+ )?`).ReplaceAllString(line, "watu ")] = true
		}
	}
	page, err := os.ReadFile(filepath.Join("..", "..", "docs", "running.md"))
	if err != nil {
		t.Fatal(err)
	}
	module, err := os.ReadFile(filepath.Join("..", "..", "go.mod"))
	if err != nil {
		t.Fatal(err)
	}
	version := regexp.MustCompile(`nats-io/nats-server/v2 (v\S+)`).FindSubmatch(module)
	if named := "nats-io/nats-server/v2@" + string(version[1]); !strings.Contains(string(page), named) {
		t.Errorf("the page does not name %s, with which watu is tested", named)
	}
	shown := regexp.MustCompile(`(?m)^    (watu .*)$`).FindAllStringSubmatch(string(page), -1)
	if len(shown) < 10 {
		t.Fatalf("only %d commands were found", len(shown))
	}
	named := strings.NewReplacer("age1…", "$RECIPIENT", "nats://host:4222", "$NATS", "LEDGER", "$LEDGER",
		"--ledger KEY", "--ledger $KEY")
	for _, command := range shown {
		if !run[named.Replace(command[1])] {
			t.Errorf("no script runs %s", command[1])
		}
	}
}
