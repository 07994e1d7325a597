//go:build unix

package kept

import "syscall"

// nonblocking has the opening of a pipe come back.
const nonblocking = syscall.O_NONBLOCK
