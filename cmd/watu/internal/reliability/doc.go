// Package reliability damages ledger directories and looks at what the program answers then. It holds tests
// alone; docs/reliability.md has their figures.
//
// A trial copies a small directory that the real program made, damages one thing in it, and opens it as a command
// does. Then it asks everything that can be asked: how the ledger stands, the log, every view for every viewer, the
// audit, the files for export, what each token opens, a rebuild, a backup, and last some fixed submissions, whose
// dice and draws come from the campaigns' secrets. The answers are held against those of an undamaged copy. What
// became of a trial is one of:
//
//   - without effect: every answer is the same, and nothing was reported;
//   - repaired: every answer is the same, and something was reported;
//   - detected: some answer is lacking or another one, and something was reported before it was given or with it;
//   - silent: an answer or a right is another one, and nothing was reported by then;
//   - hung: there was no answer in time, the process took too much memory, or it broke down.
//
// Reported is what a person sees: an error with its exit code, a line on standard error, or a line of watu status.
// That an entry is refused by a rule, or that a token opens nothing, is an answer and no report.
//
// Of a second ledger, as small as one can be that has one of everything, every bit and every length of every file is a
// trial (TestSmallLedger). Its trials end sooner: of what was reported when it was opened, or by its status, nothing
// can be silent any more, and views, files for export and backups are left out. Its run can be broken off and taken
// up again.
//
// Each trial runs in a process that may break down, for the program ends its own where a disk refuses.
package reliability
