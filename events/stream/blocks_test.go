package stream

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
)

// A sequence number with a flipped bit in a store that was not closed in good order is noticed before the server
// makes room for all the numbers in between.
func TestLeapingSequence(t *testing.T) {
	t.Parallel()
	l := newLog("leaping sequence").write(30, "a", "b").sync()
	whole := filepath.Join(t.TempDir(), "whole")
	filled(t, whole, l)
	if err := os.Remove(filepath.Join(whole, sumsFile)); err != nil {
		t.Fatal(err)
	}
	if err := walkBlocks(whole); err != nil {
		t.Fatalf("a store that crashed: %v", err)
	}
	blocks, err := filepath.Glob(filepath.Join(whole, "jetstream", "*", "streams", "*", "msgs", "1.blk"))
	if err != nil || len(blocks) != 1 {
		t.Fatal(blocks, err)
	}
	text, err := os.ReadFile(blocks[0])
	if err != nil {
		t.Fatal(err)
	}
	if last, err := walkBlock(text, 0); err != nil || last != 60 {
		t.Fatalf("the last sequence is %d, %v", last, err)
	}
	for bit := 21; bit < 62; bit++ {
		text[4+bit/8] ^= 1 << (bit % 8)
		if err := os.WriteFile(blocks[0], text, 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := StartServer(ServerOptions{StoreDir: whole, Keep: true}); !errors.Is(err, ErrStoreDamaged) {
			t.Fatalf("bit %d: %v", bit, err)
		}
		text[4+bit/8] ^= 1 << (bit % 8)
	}
	text[4+21/8] ^= 1 << (21 % 8)
	if err := os.WriteFile(blocks[0], text, 0o600); err != nil {
		t.Fatal(err)
	}
	mendedOrSaid(t, "a leaping sequence", whole, l)
}
