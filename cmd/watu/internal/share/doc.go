// Package share says what other sites show of a campaign: the tags of a page that somebody sends on ([Page]), a feed by
// which programs follow the story ([Feed], RFC 4287), and the preview of a moment as a picture of 1200 by 630 pixels
// ([Preview]).
//
//	f := share.Feed{Site: "https://watu.example.org", Path: "/campaigns/straits-1942", ID: share.ID(ulid)}
//	f.Add(share.Entry{ID: share.ID(ulid, "turn", 3), Title: "The US takes France", Path: "…?at=104"})
//	xml := f.XML()
//
// It writes what it is given, and is given what everybody may know: package dashboard sees to that.
package share
