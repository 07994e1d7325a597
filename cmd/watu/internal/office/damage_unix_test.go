//go:build unix

package office

import (
	"errors"
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"
)

// TestLookHangs: while the disk does not answer who looks at what lies beside the record, a server still says how it
// is. The secret is a pipe here, from which nothing comes.
func TestLookHangs(t *testing.T) {
	f, err := Open(t.Context(), filepath.Join(t.TempDir(), "ledger"), Options{Begin: true})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	if _, err := f.openCampaign(NewCampaign{Name: "atlantic", System: "awaw"}); err != nil {
		t.Fatal(err)
	}
	c, err := f.find("atlantic")
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(f.dir, "secrets", c.ID.String())
	if err := errors.Join(os.Remove(path), syscall.Mkfifo(path, 0o600)); err != nil {
		t.Fatal(err)
	}
	looked := make(chan []Thing, 1)
	for _, look := range []func(){
		func() { go func() { looked <- f.look() }() },
		func() { f.lastLook.Store(&lookedAt{}); go func() { looked <- f.damaged() }() }, // long ago
	} {
		look()
		hung, err := os.OpenFile(path, os.O_WRONLY, 0) // somebody reads it from now on
		if err != nil {
			t.Fatal(err)
		}
		said := make(chan int, 1)
		go func() { said <- len(f.Vitals().Damaged) + len(f.Standing().Damaged) }()
		select {
		case n := <-said:
			if n > 0 {
				t.Errorf("nobody has seen the damage yet, and it says %d", n)
			}
		case <-time.After(20 * time.Second):
			t.Error("nothing says how the server is")
		}
		if err := hung.Close(); err != nil {
			t.Fatal(err)
		}
		<-looked
		f.looking.Lock() // whoever looks has seen an empty file
		list := f.lastLook.Load().damage
		f.looking.Unlock()
		if len(list) != 1 {
			t.Errorf("then it found %+v", list)
		}
		f.lastLook.Store(&lookedAt{when: time.Now()})
	}
}
