package main

import (
	"os"

	"golang.org/x/term"

	"github.com/watu-ledger/watu/cmd/watu/internal/problem"
)

// waited does what waits for a person or for another program: it reads standard input, a terminal or a pipe. Once the
// process is asked to end it is not waited for, since nothing can call such a read back.
func waited[T any](t *tool, what string, do func() (T, error)) (T, error) {
	type answer struct {
		value T
		err   error
	}
	done := make(chan answer, 1)
	go func() {
		value, err := do()
		done <- answer{value, err}
	}()
	select {
	case a := <-done:
		return a.value, a.err
	case <-t.asked.Done():
		var none T
		return none, &problem.Problem{Kind: problem.Failed, Message: "asked to end while it waited for " + what +
			": what should come from there is not done"}
	}
}

// askHidden reads a line from a terminal, which shows it again afterwards, also where nobody answers.
func (t *tool) askHidden(in *os.File) (string, error) {
	was, err := term.GetState(int(in.Fd()))
	if err != nil {
		return "", err
	}
	text, err := waited(t, "the passphrase", func() ([]byte, error) { return term.ReadPassword(int(in.Fd())) })
	if t.asked.Err() != nil {
		_ = term.Restore(int(in.Fd()), was) // else who comes next types unseen
	}
	return string(text), err
}

// unfinished says which command was asked to end before it was finished, and what that leaves.
func unfinished(command string) string {
	text := "asked to end: " + command + " is not finished"
	if left := leaves[command]; left != "" {
		text += "; " + left
	}
	return text
}

// leaves says what commands that were ended leave.
var leaves = map[string]string{
	"watu submit":  "what was recorded stands, and the same command goes on behind it",
	"watu status":  "how the ledger stands is not known",
	"watu verify":  "what was not looked at may be wrong",
	"watu audit":   "what was not heard again may come out otherwise",
	"watu rebuild": "the next start makes the views that are missing",
	"watu export":  "no file was written",
	"watu backup":  "no file was written",
	"watu log":     "events are missing at the end",
}
