package aar

// situations are entries that cells begin with.
var situations = map[string]string{
	"rich":    `facts: {treasury: {UK: 300, Germany: 300, US: 300, Japan: 300, Russia: 300}}`,
	"boats":   `facts: {submarines: {Germany: {SZ 8: 2, U-96: SZ 9}, US: {SZ 60: 2}, Japan: {I-19: SZ 60}}}`,
	"german":  `phase: conduct combat, player: Germany`,
	"british": `phase: conduct combat, player: UK`,
	"down":    `@boats; sub detection: {zone: SZ 8, attacker: UK}; submerge: [SZ 8]`,
	"due":     `declare d-day: France; collect income: UK; collect income: Japan`,
}

var matrix = map[string]string{
	"1 submerged": `
		@boats; @german; facts: {submerged: {UK: [SZ 8]}}; facts: {submarines: {Germany: {U-1: SZ 8, U-2: SZ 8, U-96: SZ 9}}} => AAR-4-SUBMERGED
		@boats; facts: {submerged: {UK: [SZ 8]}}; facts: {submarines: {Germany: {U-1: SZ 8, U-2: SZ 8, U-96: SZ 9}}} => AAR-4-SUBMERGED
		@boats; facts: {submerged: {UK: [SZ 8]}}; facts: {submarines: {Germany: {U-1: SZ 6, U-2: SZ 6, U-96: SZ 9}}} => AAR-4-SUBMERGED
		@boats; facts: {submerged: {UK: [SZ 8]}}; facts: {submarines: {Germany: {SZ 9: 2, U-96: SZ 9}}} => AAR-4-SUBMERGED
		@boats; facts: {submerged: {UK: [SZ 8]}}; facts: {submarines: {Germany: {U-96: SZ 9}}} => heard
		@boats; facts: {submerged: {UK: [SZ 8]}}; facts: {submarines: {Germany: {U-96: SZ 9}}}; facts: {submarines: {Germany: {U-96: SZ 9, U-1: SZ 8}}} => AAR-4-SUBMERGED
		@boats; facts: {submerged: {UK: [SZ 8]}}; facts: {submarines: {Germany: {SZ 8: 2, U-96: SZ 9, U-1: SZ 8}}} => heard
		@boats; facts: {submerged: {UK: [SZ 8]}}; facts: {submarines: {Germany: {SZ 8: 2, U-96: SZ 9, U-1: SZ 8}}}; facts: {submarines: {Germany: {U-96: SZ 9, U-1: SZ 8}}} => AAR-4-SUBMERGED
		@boats; facts: {submerged: {UK: [SZ 8]}}; facts: {submarines: {Germany: {SZ 8: 2, U-96: SZ 6}}} => heard
		@boats; facts: {submerged: {UK: [u 96]}}; facts: {submarines: {Germany: {SZ 8: 2, U-96: SZ 6}}} => heard
		@boats; facts: {submerged: {UK: [U-96]}}; @british; facts: {submarines: {Germany: {SZ 8: 2, U-96: SZ 6}}} => AAR-4-SUBMERGED
		@boats; facts: {submerged: {UK: [U-96]}}; @british; collect income: UK; facts: {submarines: {Germany: {SZ 8: 2, U-97: SZ 6}}} => heard
		@boats; facts: {submerged: {UK: [SZ 8], US: [U-96]}}; collect income: UK; facts: {submarines: {Germany: {SZ 8: 2, U-97: SZ 6}}} => AAR-4-SUBMERGED
		@boats; facts: {submerged: {US: [U-96]}}; @german; turn: Round 2; facts: {submarines: {Germany: {SZ 8: 2, U-97: SZ 6}}} => heard
		@rich; purchase: {power: Germany, units: {submarine: 2}}; @boats; facts: {submerged: {UK: [SZ 8]}}; mobilize: {power: Germany, units: {SZ 5: {submarine: 2}}}; facts: {submarines: {Germany: {SZ 5: 2, "SZ 8 #1": SZ 8}}} => heard
		@rich; purchase: {power: Germany, units: {submarine: 2}}; @boats; facts: {submerged: {UK: [SZ 8]}}; mobilize: {power: Germany, units: {SZ 5: {submarine: 2}}}; facts: {submarines: {Germany: {SZ 5: 3}}} => AAR-4-SUBMERGED
		@down; facts: {submarines: {Germany: {U-1: SZ 8, U-2: SZ 8, U-96: SZ 9}}} => AAR-4-SUBMERGED
		@down; facts: {submarines: {Germany: {"SZ 8 #1": SZ 5, "SZ 8 #2": SZ 8, U-96: SZ 9}}} => AAR-4-SUBMERGED
		@down; facts: {submarines: {Germany: {"sz 8 #1": SZ 8, "SZ 8 #2": SZ 8, U 96: SZ 9}}} => heard
		@down; facts: {submarines: {Germany: {SZ 8: 2, U-96: SZ 9, u96: SZ 9}}} => INPUT
		@down; submerge: [SZ 8] => AAR-7-SUBMERGE
		@down; facts: {submerged: {UK: [SZ 8]}} => heard
		@down; facts: {submerged: {UK: {SZ 8: 1}}} => INPUT
		@down; facts: {submerged: {UK: []}} => heard
		@down; facts: {submerged: {UK: {}}} => heard
		@down; collect income: UK; facts: {submerged: {UK: [U-96]}} => INPUT
		@boats; facts: {submerged: {UK: [SZ 60]}} => ?
		@boats; facts: {submerged: {UK: [SZ 9, U-96]}} => heard
		@boats; facts: {submerged: {UK: [SZ 12]}} => INPUT
		@boats; facts: {submerged: {UK: {SZ 8: 3}}} => INPUT
		@boats; facts: {submerged: {UK: {SZ 8: 0}}} => heard
		@boats; facts: {submerged: {US: ["SZ 60 #1"]}} => ?
		@boats; facts: {submerged: {Germany: [U-96]}} => ?
		@boats; facts: {submerged: {Russia: [U-96]}} => ?
		@boats; sub detection: {zone: SZ 8, attacker: UK}; facts: {submerged: {UK: [SZ 8]}}; submerge: [SZ 8] => AAR-7-SUBMERGE
		@boats; sub detection: {zone: SZ 8, attacker: UK}; collect income: UK; submerge: [SZ 8] => AAR-7-SUBMERGE
		@boats; sub detection: {zone: SZ 8, attacker: UK}; submerge: [U-96] => AAR-7-SUBMERGE
		@boats; sub detection: {zone: SZ 8, attacker: UK}; facts: {submarines: {Germany: {U-1: SZ 8, U-2: SZ 8, U-96: SZ 9}}}; submerge: [SZ 8] => ?
		@boats; sub detection: {zone: SZ 8, attacker: UK}; facts: {submarines: {Germany: {U-1: SZ 8, U-2: SZ 8, U-96: SZ 9}}}; sub detection: {zone: SZ 8, attacker: UK} => AAR-7-ROLL
		@boats; sub detection: {zone: SZ 8, attacker: UK}; facts: {submarines: {Germany: {"SZ 8 #1": SZ 9, "SZ 8 #2": SZ 8, U-96: SZ 9}}}; submerge: ["SZ 8 #1"] => ?
		@boats; sub detection: {zone: SZ 8, attacker: UK}; submerge: ["SZ 8 #1"]; facts: {submerged: {UK: ["SZ 8 #2"]}} => warned counts as detected
`,
}
