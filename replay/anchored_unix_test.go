//go:build unix

package replay_test

import (
	"errors"
	"os"
	"syscall"
	"testing"
)

// TestEpochBeginsMeanwhile: whoever checks a secret while an epoch begins finds no damage. The file is a pipe here,
// so that the epoch begins while the check waits for the file.
func TestEpochBeginsMeanwhile(t *testing.T) {
	d := newDesk(t)
	c := d.open("meanwhile", "", nil)
	if err := c.umpire.Renew(c.id.ID); err != nil {
		t.Fatal(err)
	}
	before, playing := c.kept(), c.umpire
	c.now() // it has read the file
	if err := errors.Join(os.Remove(c.file()), syscall.Mkfifo(c.file(), 0o600)); err != nil {
		t.Fatal(err)
	}
	d.replaceUmpire()
	checked, checker := make(chan error), d.umpire
	go func() { checked <- checker.CheckSecret(c.id.ID) }()
	pipe, err := os.OpenFile(c.file(), os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	d.umpire = playing
	c.must("turn: Fall 1939\nentries:\n  - {id: points, allocate: {side: Britain, project: Ultra, points: 4}}\n")
	if epoch := c.now().Epoch; epoch != 2 {
		t.Fatalf("epoch %d is on", epoch)
	}
	_, err = pipe.Write(before)
	if err := errors.Join(err, pipe.Close()); err != nil {
		t.Fatal(err)
	}
	if err := <-checked; err != nil {
		t.Errorf("an epoch began meanwhile: %v", err)
	}
}
