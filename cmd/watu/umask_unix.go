//go:build unix

package main

import "syscall"

// keepToOwner has every file that this process makes be writable by its owner alone, however lenient the
// shell is: a ledger that others can write is refused.
func keepToOwner() { syscall.Umask(syscall.Umask(0o022) | 0o022) }
