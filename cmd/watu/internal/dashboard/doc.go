// Package dashboard draws the pages for people who would rather look than read: the campaigns, one
// campaign at a moment, why an event is as it is, a dispute, and an overlay for a stream. The pages
// read and change nothing; every figure on them leads to the event that it comes from, and that to
// its rule.
//
//	GET /                                  the campaigns: the one that was played last, and the others
//	GET /campaigns/{c}?at                  a campaign, at its head or at a moment ([timeline.MomentQuery])
//	GET /campaigns/{c}/events?from&turn    its events, a page at a time, of one turn or of all
//	GET /campaigns/{c}/events/{index}      why an event is as it is
//	GET /campaigns/{c}/events/{index}/proof  the bytes by which a browser checks it ([service.Proof])
//	GET /campaigns/{c}/disputes/{index}    a dispute
//	GET /campaigns/{c}/rules?at            the rules that its events name, at its head or at a moment
//	GET /campaigns/{c}/spaces/{space}?at&before  what was recorded of a space of the board, a page at a time
//	GET /campaigns/{c}/rules/{id}?at&from  what a rule was applied to, a page at a time
//	GET /campaigns/{c}/overlay?size&show&at  large letters on nothing, for a stream
//	GET /campaigns/{c}/map/{hash}/{file}   its map as a picture, which is kept for good
//	GET /campaigns/{c}/feed.atom           its story, rulings and disputes, for programs that follow
//	GET /campaigns/{c}/preview.png?at      a moment as a picture for other sites; so too of an event or a dispute
//	GET /embed/{c}?at                      score, headline and map, for a frame on another site
//	GET /static/{hash}/{file}              the style sheet, the modules, the faces (package sheets)
//	GET /style                             every part of the pages in every state, by bundled campaigns
//
// A page is whole without the module: that swaps what is marked data-live when the campaign goes on,
// or when the reader goes to another moment, by fetching the same page again. Of a page that it has only the lines
// come that changed (package delta), and only the parts that differ are read and touched: a part begins with a line,
// and none stands within another. What everybody may see is
// drawn once and kept until the record goes on, so that many readers who look again cost little; few pages are
// drawn at a time, and parameters that a page does not know are refused (package readers). Every page of a
// campaign takes as besides, who looks, and every page lang, the language of its words; its links keep that.
// Without it a page is in the language that the reader chose before, or in the first that his browser asks for.
//
// Who looks, and what he may know, is decided before a page is drawn (package access); what a campaign
// says is package service's business. Nothing is taken out of a page: a page is drawn from what its
// viewer may know.
package dashboard
