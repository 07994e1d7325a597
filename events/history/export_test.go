package history

// SetPerPage sets how many events a page has, and gives what sets it back.
func SetPerPage(n uint64) (back func()) {
	was := perPage
	perPage = n
	return func() { perPage = was }
}
