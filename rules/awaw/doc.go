// Package awaw is A World at War: codebreaking (rule 48), strategic warfare (24.62), the
// surprise attack on Pearl Harbor (51.31) and harbor attacks.
//
// A ruling is a pure function of facts and dice: its facts go in, an outcome and
// [rules.Findings] come out. The findings hold the rules applied with their figures, and the
// rules found broken; an outcome counts only when none is. Where dice are thrown the ruling
// is in parts, because a campaign declares before it throws: a check that needs no dice
// ([CheckSubmarineWarfare]), the modifiers ([SubmarineModifiers]), the reading of the table
// ([ReadStrategicWarfare]). [Procedures] is the same code behind JSON.
//
// Printed tables are text files under tables/. Rule ids are the rulebook's own numbers
// behind "AWAW-"; the lines without a number have a mnemonic ("AWAW-SW-ATL-1"). House
// choices where the text is silent or contradicts itself are [Options].
package awaw
