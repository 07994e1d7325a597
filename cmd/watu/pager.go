package main

import (
	"cmp"
	"os"
	"os/exec"
	"slices"
	"strings"

	"golang.org/x/term"
)

// paged prints what do prints, by the pager where it goes to a terminal: $PAGER, else less. Where there is none, or
// PAGER is cat, it is printed as it is.
func (t *tool) paged(do func() error) error {
	out, ok := t.out.(*os.File)
	command, set := os.LookupEnv("PAGER")
	if !set {
		command = "less"
	}
	words := strings.Fields(command)
	plain := slices.Contains([]string{"", "dumb"}, os.Getenv("TERM"))
	if t.asJSON || !ok || !term.IsTerminal(int(out.Fd())) || plain || len(words) == 0 {
		return do()
	}
	pager := exec.Command(words[0], words[1:]...)
	pager.Stdout, pager.Stderr = out, os.Stderr
	pager.Env = append(os.Environ(), "LESS="+cmp.Or(os.Getenv("LESS"), "FRX")) // as git has it: no more than is needed
	in, err := pager.StdinPipe()
	if err != nil || pager.Start() != nil {
		return do()
	}
	t.page.Out = in
	err = do()
	t.page.Out = out
	_ = in.Close()
	_ = pager.Wait() // whoever reads ends it as he likes
	return err
}
