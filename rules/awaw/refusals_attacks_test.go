package awaw

// attackRefusals are illegal requests about submarine warfare, Pearl Harbor and harbor attacks.
var attackRefusals = []refusal{
	{"awaw.sw.table", "AWAW-24.62-F", `{"factors":-1,"dice":[3,4]}`},
	{"awaw.sw.table", "INPUT", `{"factors":5,"dice":[7,1]}`},
	{"awaw.sw.table", "INPUT", `{"factors":5,"dice":[1]}`},
	{"awaw.sw.table", "INPUT", `{"factors":5,"dice":[3,4],"options":{"low_roll":"zero"}}`},
	{"awaw.sw.table", "INPUT", `{"factors":1000000000.0,"dice":[3,4]}`},
	{"awaw.sw.table", "INPUT", `{"factors":2.5,"dice":[3,4]}`},
	{"awaw.sw.submarine", "AWAW-SW-BOX",
		`{"box":"atlantic","submarines":"japan","submarine_factors":5,"asw_factors":4,"submarine_dice":[3,4],` +
			`"asw_dice":[2,3]}`},
	{"awaw.sw.submarine", "AWAW-SW-BOX",
		`{"box":"indian_ocean","submarines":"united_states","submarine_factors":5,"asw_factors":4,` +
			`"submarine_dice":[3,4],"asw_dice":[2,3]}`},
	{"awaw.sw.submarine", "AWAW-SW-BOX",
		`{"box":"pacific","submarines":"european_axis","submarine_factors":5,"asw_factors":4,"submarine_dice":[3,4],` +
			`"asw_dice":[2,3]}`},
	{"awaw.sw.submarine", "AWAW-SW-CODE",
		`{"box":"atlantic","submarines":"european_axis","submarine_factors":5,"asw_factors":4,"submarine_dice":[3,4],` +
			`"asw_dice":[2,3],"codebreaking":2}`},
	{"awaw.sw.submarine", "AWAW-48.42",
		`{"box":"atlantic","submarines":"european_axis","submarine_factors":5,"asw_factors":4,"submarine_dice":[3,4],` +
			`"asw_dice":[2,3],"codebreaking":-2}`},
	{"awaw.sw.submarine", "AWAW-24.62-F",
		`{"box":"atlantic","submarines":"european_axis","submarine_factors":-1,"asw_factors":4,"submarine_dice":[3,` +
			`4],"asw_dice":[2,3]}`},
	{"awaw.sw.submarine", "AWAW-24.62-F",
		`{"box":"atlantic","submarines":"european_axis","submarine_factors":5,"asw_factors":-3,"submarine_dice":[3,` +
			`4],"asw_dice":[2,3]}`},
	{"awaw.sw.submarine", "INPUT",
		`{"box":"atlantic","submarines":"britain","submarine_factors":5,"asw_factors":4,"submarine_dice":[3,4],` +
			`"asw_dice":[2,3]}`},
	{"awaw.sw.submarine", "INPUT",
		`{"box":"atlantic","submarines":"european_axis","submarine_factors":5,"asw_factors":4,"submarine_dice":[3,4],` +
			`"asw_dice":[2,3],"attacker_controls":["brest","brest"]}`},
	{"awaw.sw.submarine", "INPUT",
		`{"box":"atlantic","submarines":"european_axis","submarine_factors":5,"asw_factors":4,"submarine_dice":[3,4],` +
			`"asw_dice":[2,3],"attacker_controls":["london"]}`},
	{"awaw.sw.submarine", "INPUT",
		`{"box":"atlantic","submarines":"european_axis","submarine_factors":5,"asw_factors":4,"submarine_dice":[1,2,` +
			`3],"asw_dice":[2,3]}`},
	{"awaw.pearl-harbor.surprise", "AWAW-48.22-A",
		`{"usjt":30,"carrier_task_forces":[],"japanese_cards":["submarine"]}`},
	{"awaw.pearl-harbor.surprise", "AWAW-48.22-A",
		`{"usjt":30,"carrier_task_forces":[],"american_cards":["submarine"]}`},
	{"awaw.pearl-harbor.surprise", "AWAW-48.22-B", `{"usjt":30,"carrier_task_forces":[],"japanese_cards":["asw"]}`},
	{"awaw.pearl-harbor.surprise", "AWAW-48.22-B", `{"usjt":30,"carrier_task_forces":[],"american_cards":["asw"]}`},
	{"awaw.pearl-harbor.surprise", "AWAW-48.22-C",
		`{"usjt":30,"carrier_task_forces":[],"japanese_cards":["tactical"]}`},
	{"awaw.pearl-harbor.surprise", "AWAW-48.22-C",
		`{"usjt":30,"carrier_task_forces":[],"american_cards":["tactical"]}`},
	{"awaw.pearl-harbor.surprise", "AWAW-48.22-E", `{"usjt":30,"carrier_task_forces":[],"japanese_cards":["wild"]}`},
	{"awaw.pearl-harbor.surprise", "AWAW-48.22-F", `{"usjt":30,"carrier_task_forces":[],"japanese_cards":["blank"]}`},
	{"awaw.pearl-harbor.surprise", "AWAW-48.22-F", `{"usjt":30,"carrier_task_forces":[],"american_cards":["blank"]}`},
	{"awaw.pearl-harbor.surprise", "AWAW-48.22-E",
		`{"usjt":30,"carrier_task_forces":[],"american_cards":["wild","wild"]}`},
	{"awaw.pearl-harbor.surprise", "AWAW-48.21-B",
		`{"usjt":30,"carrier_task_forces":[],"japanese_cards":["strategic","strategic","strategic","strategic",` +
			`"strategic"]}`},
	{"awaw.pearl-harbor.surprise", "AWAW-48.242-D",
		`{"usjt":30,"carrier_task_forces":[],"japanese_cards":["strategic","strategic","strategic","strategic"]}`},
	{"awaw.pearl-harbor.surprise", "AWAW-48.242-D",
		`{"usjt":30,"carrier_task_forces":[],"american_cards":["strategic","strategic","strategic","strategic"]}`},
	{"awaw.pearl-harbor.surprise", "AWAW-51.31-D", // auto throws no die
		`{"usjt":45,"second_air_strike":true,` +
			`"carrier_task_forces":[{"name":"TF 8","dice":[6,5],"interception_die":6}]}`},
	{"awaw.pearl-harbor.surprise", "AWAW-51.31-D",
		`{"usjt":30,"carrier_task_forces":[{"name":"TF1","dice":[1,1],"interception_die":6}],
			"second_air_strike":true}`},
	{"awaw.pearl-harbor.surprise", "AWAW-51.31-D",
		`{"usjt":30,"carrier_task_forces":[{"name":"TF1","dice":[4,4],"interception_die":6}],
			"second_air_strike":true}`},
	{"awaw.pearl-harbor.surprise", "AWAW-51.31-D",
		`{"usjt":30,"carrier_task_forces":[{"name":"TF1","dice":[6,6],"interception_die":6}]}`},
	{"awaw.pearl-harbor.surprise", "INPUT",
		`{"usjt":30,"carrier_task_forces":[{"name":"TF1","dice":[6,6],"interception_die":6}]}`},
	{"awaw.pearl-harbor.surprise", "INPUT",
		`{"usjt":30,"carrier_task_forces":[{"name":"TF1","dice":[6,6]},{"name":"TF1","dice":[6,5]}]}`},
	{"awaw.pearl-harbor.surprise", "INPUT", `{"usjt":-1,"carrier_task_forces":[]}`},
	{"awaw.pearl-harbor.surprise", "INPUT", `{"usjt":30,"carrier_task_forces":[],"options":{"level_7":"row_alone"}}`},
	{"awaw.pearl-harbor.level", "INPUT", `{"effective_usjt":30,"die":7}`},
	{"awaw.pearl-harbor.level", "INPUT", `{"effective_usjt":30}`},
	{"awaw.pearl-harbor.level", "INPUT", `{"effective_usjt":30,"die":3,"defending_air":{"aaf":-1}}`},
	{"awaw.harbor-attack", "AWAW-HA-COUNTERAIR",
		`{"mode":"submarine","theater":"europe","attacker":"britain","research_result":"6",` +
			`"target_hex":{"name":"Taranto","front":"mediterranean","counteraired_this_player_turn":true},` +
			`"base":{"location":"on_board","operational_port":true,"uninverted":true,"distance":20},` +
			`"targets":[{"ship":"Littorio","dice":[3,4]}]}`},
	{"awaw.harbor-attack", "AWAW-HA-BOX",
		`{"mode":"submarine","theater":"europe","attacker":"britain","research_result":"6",` +
			`"target_hex":{"name":"Taranto","front":"mediterranean","mapboard_box":true},` +
			`"base":{"location":"on_board","operational_port":true,"uninverted":true,"distance":20},` +
			`"targets":[{"ship":"Littorio","dice":[3,4]}]}`},
	{"awaw.harbor-attack", "AWAW-HA-COMBINE",
		`{"mode":"submarine","theater":"europe","attacker":"britain","research_result":"6",` +
			`"target_hex":{"name":"Taranto","front":"mediterranean"},"base":{"location":"on_board",` +
			`"operational_port":true,"uninverted":true,"distance":20},"targets":[{"ship":"Littorio","dice":[3,4]}],` +
			`"results_combined":2}`},
	{"awaw.harbor-attack", "AWAW-HA-TARGETS",
		`{"mode":"submarine","theater":"europe","attacker":"britain","research_result":"6",` +
			`"target_hex":{"name":"Taranto","front":"mediterranean"},"base":{"location":"on_board",` +
			`"operational_port":true,"uninverted":true,"distance":20},"targets":[{"ship":"a","dice":[3,3]},` +
			`{"ship":"b","dice":[3,3]}]}`},
	{"awaw.harbor-attack", "AWAW-HA-TARGETS",
		`{"mode":"submarine","theater":"europe","attacker":"britain","research_result":"7",` +
			`"target_hex":{"name":"Taranto","front":"mediterranean"},"base":{"location":"on_board",` +
			`"operational_port":true,"uninverted":true,"distance":20},"targets":[{"ship":"a","dice":[3,3]},` +
			`{"ship":"b","dice":[3,3]},{"ship":"c","dice":[3,3]}]}`},
	{"awaw.harbor-attack", "AWAW-HA-TARGETS",
		`{"mode":"submarine","theater":"europe","attacker":"britain","research_result":"8+",` +
			`"target_hex":{"name":"Taranto","front":"mediterranean"},"base":{"location":"on_board",` +
			`"operational_port":true,"uninverted":true,"distance":20},"targets":[{"ship":"a","dice":[3,3]},` +
			`{"ship":"b","dice":[3,3]},{"ship":"c","dice":[3,3]},{"ship":"d","dice":[3,3]}]}`},
	{"awaw.harbor-attack", "AWAW-HA-DUPLICATE",
		`{"mode":"submarine","theater":"europe","attacker":"britain","research_result":"7",` +
			`"target_hex":{"name":"Taranto","front":"mediterranean"},"base":{"location":"on_board",` +
			`"operational_port":true,"uninverted":true,"distance":20},"targets":[{"ship":"a","dice":[3,3]},` +
			`{"ship":"a","dice":[3,3]}]}`},
	{"awaw.harbor-attack", "AWAW-HA-SUB-BASE",
		`{"mode":"submarine","theater":"europe","attacker":"britain","research_result":"6",` +
			`"target_hex":{"name":"Taranto","front":"mediterranean"},"base":{"location":"on_board",` +
			`"operational_port":false,"uninverted":true,"distance":20},"targets":[{"ship":"Littorio","dice":[3,4]}]}`},
	{"awaw.harbor-attack", "AWAW-HA-SUB-BASE",
		`{"mode":"submarine","theater":"europe","attacker":"britain","research_result":"6",` +
			`"target_hex":{"name":"Taranto","front":"mediterranean"},"base":{"location":"on_board",` +
			`"operational_port":true,"uninverted":false,"distance":20},"targets":[{"ship":"Littorio","dice":[3,4]}]}`},
	{"awaw.harbor-attack", "AWAW-HA-RANGE",
		`{"mode":"submarine","theater":"europe","attacker":"britain","research_result":"6",` +
			`"target_hex":{"name":"Taranto","front":"mediterranean"},"base":{"location":"on_board",` +
			`"operational_port":true,"uninverted":true,"distance":21},"targets":[{"ship":"Littorio","dice":[3,4]}]}`},
	{"awaw.harbor-attack", "AWAW-HA-RANGE",
		`{"mode":"submarine","theater":"pacific","attacker":"britain","research_result":"6",` +
			`"target_hex":{"name":"Taranto","front":"mediterranean"},"base":{"location":"on_board",` +
			`"operational_port":true,"uninverted":true,"distance":11},"targets":[{"ship":"Littorio","dice":[3,4]}]}`},
	{"awaw.harbor-attack", "AWAW-HA-RANGE",
		`{"mode":"carrier","theater":"europe","attacker":"britain","research_result":"6",` +
			`"target_hex":{"name":"Taranto","front":"mediterranean"},"base":{"location":"on_board",` +
			`"operational_port":true,"uninverted":true,"distance":21,"fast_carrier":true},` +
			`"targets":[{"ship":"Littorio","dice":[3,4,1]}]}`},
	{"awaw.harbor-attack", "AWAW-HA-SW-BOX",
		`{"mode":"submarine","theater":"europe","attacker":"britain","research_result":"6",` +
			`"target_hex":{"name":"Taranto","front":"mediterranean"},"base":{"location":"atlantic_sw_box",` +
			`"operational_port":true,"uninverted":true,"distance":20},"targets":[{"ship":"Littorio","dice":[3,4]}]}`},
	{"awaw.harbor-attack", "AWAW-HA-SW-BOX",
		`{"mode":"submarine","theater":"europe","attacker":"germany","research_result":"6",` +
			`"target_hex":{"name":"Taranto","front":"mediterranean"},"base":{"location":"atlantic_sw_box",` +
			`"operational_port":true,"uninverted":true,"distance":20},"targets":[{"ship":"Littorio","dice":[3,4]}]}`},
	{"awaw.harbor-attack", "AWAW-HA-SW-BOX",
		`{"mode":"submarine","theater":"europe","attacker":"italy","research_result":"6",` +
			`"target_hex":{"name":"Taranto","front":"western"},"base":{"location":"atlantic_sw_box",` +
			`"operational_port":true,"uninverted":true,"distance":20},"targets":[{"ship":"Littorio","dice":[3,4]}]}`},
	{"awaw.harbor-attack", "AWAW-HA-SW-BOX",
		`{"mode":"submarine","theater":"pacific","attacker":"japan","research_result":"6",` +
			`"target_hex":{"name":"Taranto","front":"southeast_asia"},"base":{"location":"pacific_sw_box",` +
			`"operational_port":true,"uninverted":true,"distance":20},"targets":[{"ship":"Littorio","dice":[3,4]}]}`},
	{"awaw.harbor-attack", "AWAW-HA-SW-BOX",
		`{"mode":"submarine","theater":"pacific","attacker":"britain","research_result":"6",` +
			`"target_hex":{"name":"Taranto","front":"pacific"},"base":{"location":"pacific_sw_box",` +
			`"operational_port":true,"uninverted":true,"distance":20},"targets":[{"ship":"Littorio","dice":[3,4]}]}`},
	{"awaw.harbor-attack", "AWAW-HA-DICE",
		`{"mode":"submarine","theater":"europe","attacker":"britain","research_result":"6",` +
			`"target_hex":{"name":"Taranto","front":"mediterranean"},"base":{"location":"on_board",` +
			`"operational_port":true,"uninverted":true,"distance":20},"targets":[{"ship":"a","dice":[3,3,3]}]}`},
	{"awaw.harbor-attack", "AWAW-HA-DICE",
		`{"mode":"carrier","theater":"europe","attacker":"britain","research_result":"6",` +
			`"target_hex":{"name":"Taranto","front":"mediterranean"},"base":{"location":"on_board",` +
			`"operational_port":true,"uninverted":true,"distance":20,"fast_carrier":true},"targets":[{"ship":"a",` +
			`"dice":[3,3]}]}`},
	{"awaw.harbor-attack", "AWAW-HA-CV-BASE",
		`{"mode":"carrier","theater":"europe","attacker":"britain","research_result":"6",` +
			`"target_hex":{"name":"Taranto","front":"mediterranean"},"base":{"location":"on_board",` +
			`"operational_port":true,"uninverted":true,"distance":20,"fast_carrier":false},` +
			`"targets":[{"ship":"Littorio","dice":[3,4,1]}]}`},
	{"awaw.harbor-attack", "AWAW-HA-CV-BASE",
		`{"mode":"carrier","theater":"europe","attacker":"britain","research_result":"6",` +
			`"target_hex":{"name":"Taranto","front":"mediterranean"},"base":{"location":"on_board",` +
			`"operational_port":true,"uninverted":false,"distance":20,"fast_carrier":true},` +
			`"targets":[{"ship":"Littorio","dice":[3,4,1]}]}`},
	{"awaw.harbor-attack", "AWAW-HA-CV-BASE",
		`{"mode":"carrier","theater":"europe","attacker":"britain","research_result":"6",` +
			`"target_hex":{"name":"Taranto","front":"mediterranean"},"base":{"location":"on_board",` +
			`"operational_port":false,"uninverted":true,"distance":20,"fast_carrier":true},` +
			`"targets":[{"ship":"Littorio","dice":[3,4,1]}]}`},
	{"awaw.harbor-attack", "AWAW-HA-CV-BASE",
		`{"mode":"carrier","theater":"europe","attacker":"britain","research_result":"6",` +
			`"target_hex":{"name":"Taranto","front":"mediterranean"},"base":{"location":"atlantic_sw_box",` +
			`"operational_port":true,"uninverted":true,"distance":20,"fast_carrier":true},` +
			`"targets":[{"ship":"Littorio","dice":[3,4,1]}]}`},
	{"awaw.harbor-attack", "AWAW-HA-SW-BOX",
		`{"mode":"submarine","theater":"pacific","attacker":"germany","research_result":"6",` +
			`"target_hex":{"name":"Scapa Flow","front":"western"},"base":{"location":"atlantic_sw_box"},` +
			`"targets":[{"ship":"Hood","dice":[3,4]}]}`},
	{"awaw.harbor-attack", "AWAW-HA-SW-BOX",
		`{"mode":"submarine","theater":"europe","attacker":"japan","research_result":"6",` +
			`"target_hex":{"name":"Sydney","front":"pacific"},"base":{"location":"pacific_sw_box"},` +
			`"targets":[{"ship":"Canberra","dice":[3,4]}]}`},
	{"awaw.harbor-attack", "AWAW-48.13-C",
		`{"mode":"submarine","theater":"europe","attacker":"russia","research_result":"6",` +
			`"target_hex":{"name":"Taranto","front":"mediterranean"},"base":{"location":"on_board",` +
			`"operational_port":true,"uninverted":true,"distance":20},"targets":[{"ship":"Littorio","dice":[3,4]}],` +
			`"tactical_advantage":1}`},
	{"awaw.harbor-attack", "AWAW-48.14-C",
		`{"mode":"submarine","theater":"pacific","attacker":"russia","research_result":"6",` +
			`"target_hex":{"name":"Taranto","front":"mediterranean"},"base":{"location":"on_board",` +
			`"operational_port":true,"uninverted":true,"distance":5},"targets":[{"ship":"Littorio","dice":[3,4]}],` +
			`"tactical_advantage":-1}`},
	{"awaw.harbor-attack", "AWAW-HA-INITIAL",
		`{"mode":"submarine","theater":"europe","attacker":"germany","target_hex":{"name":"Taranto",` +
			`"front":"mediterranean"},"base":{"location":"on_board","operational_port":true,"uninverted":true,` +
			`"distance":20},"targets":[{"ship":"Littorio","dice":[3,4]}],"initial_german_attack":true,"year":1939,` +
			`"season":"spring"}`},
	{"awaw.harbor-attack", "AWAW-HA-INITIAL",
		`{"mode":"submarine","theater":"europe","attacker":"italy","target_hex":{"name":"Taranto",` +
			`"front":"mediterranean"},"base":{"location":"on_board","operational_port":true,"uninverted":true,` +
			`"distance":20},"targets":[{"ship":"Littorio","dice":[3,4]}],"initial_german_attack":true,"year":1939,` +
			`"season":"fall"}`},
	{"awaw.harbor-attack", "AWAW-HA-INITIAL",
		`{"mode":"submarine","theater":"europe","attacker":"germany","target_hex":{"name":"Taranto",` +
			`"front":"mediterranean"},"base":{"location":"on_board","operational_port":true,"uninverted":true,` +
			`"distance":20},"targets":[{"ship":"Littorio","dice":[3,4]}],"initial_german_attack":true,"year":1939,` +
			`"season":"fall","any_attack_made":true}`},
	{"awaw.harbor-attack", "AWAW-HA-INITIAL",
		`{"mode":"submarine","theater":"europe","attacker":"germany","target_hex":{"name":"Taranto",` +
			`"front":"mediterranean"},"base":{"location":"on_board","operational_port":true,"uninverted":true,` +
			`"distance":20},"targets":[{"ship":"Littorio","dice":[3,4]}],"initial_german_attack":true,"year":1939,` +
			`"season":"fall","previous_attacks":1}`},
	{"awaw.harbor-attack", "AWAW-HA-INITIAL",
		`{"mode":"submarine","theater":"europe","attacker":"germany","target_hex":{"name":"Taranto",` +
			`"front":"mediterranean"},"base":{"location":"on_board","operational_port":true,"uninverted":true,` +
			`"distance":20},"targets":[{"ship":"a","dice":[3,3]},{"ship":"b","dice":[3,3]}],` +
			`"initial_german_attack":true,"year":1939,"season":"fall"}`},
	{"awaw.harbor-attack", "AWAW-HA-TARGETS",
		`{"mode":"submarine","theater":"europe","attacker":"britain","target_hex":{"name":"Taranto",` +
			`"front":"mediterranean"},"base":{"location":"on_board","operational_port":true,"uninverted":true,` +
			`"distance":20},"targets":[{"ship":"Littorio","dice":[3,4]},{"ship":"Duilio","dice":[3,4]}]}`},
	{"awaw.harbor-attack", "INPUT",
		`{"mode":"submarine","theater":"europe","attacker":"britain","research_result":"6",` +
			`"target_hex":{"name":"Taranto","front":"mediterranean"},"base":{"location":"on_board",` +
			`"operational_port":true,"uninverted":true,"distance":20},"targets":[]}`},
	{"awaw.harbor-attack", "INPUT",
		`{"mode":"submarine","theater":"europe","attacker":"britain","research_result":"6",` +
			`"target_hex":{"name":"Taranto","front":"mediterranean"},"base":{"location":"on_board",` +
			`"operational_port":true,"uninverted":true,"distance":20},"targets":[{"ship":"Littorio","dice":[3,4]}],` +
			`"tactical_advantage":2}`},
	{"awaw.harbor-attack", "INPUT",
		`{"mode":"submarine","theater":"europe","attacker":"britain","research_result":"6",` +
			`"target_hex":{"name":"Taranto","front":"mediterranean"},"base":{"location":"on_board",` +
			`"operational_port":true,"uninverted":true,"distance":20},"targets":[{"ship":"","dice":[1,2]}]}`},
}
