package main

import (
	"os"

	"github.com/schollz/progressbar/v3"
	"github.com/watu-ledger/watu/cmd/watu/internal/api"
	"golang.org/x/term"
)

// long is the number of events from which a command that is quick shows how far it is.
const long = 20_000

// progress is a bar on a terminal, for what takes long.
type progress struct {
	t    *tool
	what string
	long uint64 // the number of events from which it is shown
	bar  *progressbar.ProgressBar
}

func (t *tool) progress(what string, long uint64) *progress {
	return &progress{t: t, what: what, long: long}
}

func (p *progress) at(done, total uint64) {
	f, ok := p.t.err.(*os.File)
	if total < p.long || !ok || !term.IsTerminal(int(f.Fd())) {
		return
	}
	if p.bar == nil {
		p.bar = progressbar.NewOptions64(int64(total), progressbar.OptionSetWriter(p.t.err),
			progressbar.OptionSetWidth(40),
			progressbar.OptionSetDescription(p.what), progressbar.OptionClearOnFinish())
	}
	_ = p.bar.Set64(int64(done))
}

func (p *progress) end() {
	if p.bar != nil {
		_ = p.bar.Finish()
	}
}

// seen shows how far an answer is that takes long.
func seen[T any](bar *progress) func(api.ProgressLine[T]) error {
	return func(l api.ProgressLine[T]) error {
		bar.at(l.Done, l.Total)
		return nil
	}
}
