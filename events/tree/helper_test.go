package tree

import (
	"testing"

	"golang.org/x/mod/sumdb/note"
)

// sign signs any text.
func sign(t *testing.T, k *Key, text string) string {
	t.Helper()
	signed, err := note.Sign(&note.Note{Text: text}, k.signer)
	if err != nil {
		t.Fatal(err)
	}
	return string(signed)
}
