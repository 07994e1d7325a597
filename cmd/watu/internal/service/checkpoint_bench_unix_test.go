//go:build unix

package service_test

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/watu-ledger/watu/cmd/watu/internal/api"
	"github.com/watu-ledger/watu/cmd/watu/internal/maintenance"
	"github.com/watu-ledger/watu/cmd/watu/internal/service"
	"github.com/watu-ledger/watu/events/ledger"
	"github.com/watu-ledger/watu/replay"
)

// BenchmarkSigned appends to three campaigns of a ledger on a disk in turn, a hundred entries each. After each entry
// the tree of the second grows, and proves that it extends what it was; of the third a checkpoint is signed. It prints
// how fast that goes, as a part of how fast the first does.
func BenchmarkSigned(b *testing.B) {
	f, err := service.New(maintenance.Open(b.Context(), filepath.Join(b.TempDir(), "ledger"),
		maintenance.Options{Begin: true, Say: func(string) {}}))
	if err != nil {
		b.Fatal(err)
	}
	c := api.InProcess(f)
	defer c.Close()
	put := func(name, entry string) {
		var done service.Submitted
		s := service.Submission{Name: "e", Text: entry, Entry: true}
		if err := c.Post(b.Context(), s, &done, "campaigns", name, "submissions"); err != nil || done.Problem != nil {
			b.Fatal(err, done.Problem)
		}
	}
	after := map[string]func(of ledger.Campaign) error{
		"plain": func(ledger.Campaign) error { return nil },
		"tree": func(of ledger.Campaign) error {
			_, err := f.Extends(of, of.Events-1, of.Events)
			return err
		},
		"signed": func(of ledger.Campaign) error {
			k, err := f.Checkpoint(b.Context(), of, of.Events)
			if err == nil && k.Unsigned != "" {
				err = errors.New(k.Unsigned)
			}
			return err
		},
	}
	append100 := func(name string) time.Duration {
		was := cpu(b)
		for i := range 100 {
			put(name, fmt.Sprintf("{facts: {cves: {Atlantic: %d}}}", i%20))
			of, err := f.Find(name)
			if err == nil {
				err = after[name](of)
			}
			if err != nil {
				b.Fatal(err)
			}
		}
		return cpu(b) - was
	}
	ratios := map[string][]float64{}
	for name := range after {
		o := replay.NewCampaign{Name: name, System: "awaw"}
		if err := c.Post(b.Context(), o, &service.Opened{}, "campaigns"); err != nil {
			b.Fatal(err)
		}
		put(name, "{turn: Spring 1940}")
	}
	for b.Loop() {
		for range 41 {
			plain := append100("plain")
			for name := range after {
				ratios[name] = append(ratios[name], float64(plain)/float64(append100(name)))
			}
		}
	}
	for name, list := range ratios {
		slices.Sort(list)
		fmt.Printf("| %s after each / without | %.2f | %.2f | %.2f |\n", name, list[0], list[len(list)/2],
			list[len(list)-1])
	}
}
