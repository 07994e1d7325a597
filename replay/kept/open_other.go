//go:build !unix

package kept

// nonblocking is for pipes, which have no names in a directory here.
const nonblocking = 0
