package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"
)

// sample is a request of the pure surface and the part of the answer that is expected.
type sample struct {
	ID        string          `json:"id"`
	Procedure string          `json:"procedure"`
	Input     json.RawMessage `json:"input"`
	Expect    map[string]any  `json:"expect"`
}

// TestSamples puts the samples of the contract through the binary: those that the repository
// keeps, and those of WATU_CONTRACT_DIR where it is set.
func TestSamples(t *testing.T) {
	files, err := filepath.Glob(filepath.Join("..", "..", "rules", "*", "testdata", "samples", "*.json"))
	if err != nil || len(files) < 8 {
		t.Fatalf("%d files of samples, %v", len(files), err)
	}
	if dir := os.Getenv("WATU_CONTRACT_DIR"); dir != "" {
		for _, f := range files {
			files = append(files, filepath.Join(dir, "examples", filepath.Base(f)))
		}
	}
	for _, f := range files {
		text, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		var list struct {
			Cases []sample `json:"cases"`
		}
		if err := json.Unmarshal(text, &list); err != nil || len(list.Cases) == 0 {
			t.Fatalf("%s: %d cases, %v", f, len(list.Cases), err)
		}
		for _, s := range list.Cases {
			t.Run(s.ID, func(t *testing.T) { s.run(t) })
		}
	}
}

func (s sample) run(t *testing.T) {
	cmd := exec.Command("watu", "adjudicate", s.Procedure)
	cmd.Stdin = bytes.NewReader(s.Input)
	out, err := cmd.Output()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	var got map[string]any
	if err := json.Unmarshal(out, &got); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	if ok := s.Expect["ok"] == true; ok != (err == nil) {
		t.Errorf("exit %v for ok = %v", err, ok)
	}
	if e, refused := s.Expect["error"].(map[string]any); refused {
		rule := fmt.Sprint(e["rule"])
		if code := map[bool]int{true: 2, false: 6}[rule == "INPUT"]; exit.ExitCode() != code {
			t.Errorf("exit code %d, want %d", exit.ExitCode(), code)
		}
		if !names(got["error"], rule) {
			t.Errorf("%s does not name %s", out, rule)
		}
		return
	}
	if at, ok := contains(got, s.Expect); !ok {
		t.Errorf("%s differs: %s", at, out)
	}
}

// names reports whether a refusal names the rule, first or among its violations.
func names(refusal any, rule string) bool {
	e, _ := refusal.(map[string]any)
	if e["rule"] == rule {
		return true
	}
	list, _ := e["violations"].([]any)
	for _, v := range list {
		if m, ok := v.(map[string]any); ok && m["rule"] == rule {
			return true
		}
	}
	return false
}

// contains reports whether got has all that want has, and where not. Of a list the items named must
// be there in that order, others may stand between them; an empty list must be empty.
func contains(got, want any) (at string, ok bool) {
	switch want := want.(type) {
	case map[string]any:
		m, isMap := got.(map[string]any)
		for k, v := range want {
			if !isMap {
				return k, false
			}
			if at, ok := contains(m[k], v); !ok {
				return k + "." + at, false
			}
		}
		return "", true
	case []any:
		l, isList := got.([]any)
		if !isList || len(want) == 0 && len(l) > 0 {
			return "length", false
		}
		for i, item := range want {
			at := slices.IndexFunc(l, func(x any) bool { _, ok := contains(x, item); return ok })
			if at < 0 {
				return fmt.Sprintf("[%d]", i), false
			}
			l = l[at+1:]
		}
		return "", true
	}
	return fmt.Sprint(want), got == want
}
