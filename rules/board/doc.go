// Package board reads the map that a campaign is played on and says where things are: which
// spaces there are, what touches what, who begins with what, how far it is by sea. What happens
// on the map later (captures, submarines, complexes bought) it leaves to the rules.
//
// It is pure: bytes go in, values come out, and the same files give the same [Board]. Lists are
// in the order of the file, or sorted by name where a comment says so; sorted by name, runs of
// digits count as numbers: "2 Sea Zone" comes before "10 Sea Zone".
//
// # Files
//
// [Read] recognises each file by its name:
//
//	*.xml           the game, in TripleA's format; required
//	polygons.txt    the outlines of the spaces, in TripleA's format
//	centers.txt     where a space's label goes, in TripleA's format
//	*aliases*.txt   the table's names for powers and spaces
//
// Of the XML it takes the title, territories, connections, players, alliances, the order of play,
// owners, the attachments of territories (production, capital, originalOwner, blockadeZone,
// kamikazeZone, whenCapturedByGoesTo, canals), industrial complexes and bases of the set-up, how many
// units of each kind a power begins with, and PUs in hand. A unit is an industrial complex when its
// attachment says isFactory or canProduceUnits; in a file whose units say neither, when its name begins
// with "factory". It is an air base when its attachment says isAirBase, a naval base when it is
// isInfrastructure and has repairsUnits. What a unit and its repair cost a power is in the production
// rules of the power's frontier that take PUs and give one unit. Everything else in the file is passed
// over. Files are UTF-8.
//
// # Alias file
//
// The rules and the table have other names than the file. An alias file has one name a line:
//
//	# Names of the table for World War II Revised.
//	title World War II Revised
//	power UK = British
//	space France = Western Europe
//	zone SZ # = # Sea Zone
//	space United Kingdom = United Kingdom
//	space UK = United Kingdom
//
// The title, optional, is that of the game that the file is for. A power and a space may have
// the same alias, for they are never asked for together. A zone is a sea zone; # stands for its
// number, and the line makes an alias for every sea zone whose name fits. The first alias of a
// name is the one that the table prefers ([Board.TablePower], [Board.TableSpace]); a line that
// repeats the file's name prefers that. A line that begins with # is a comment, and no other.
//
// Every alias must lead to a power or space of the board, and to one only. Upper and lower case
// are alike, and so are one blank and several. A sea zone is known by its number without an alias: "SZ 8", "SZ8",
// "8 Sea Zone" and "Sea Zone 8" are one, also where the board has "SZ 8 Arctic Ocean" and no other zone 8.
//
// For some games an alias file is built in. Where none is given, that of the game's title is used; else one of another
// title, if each of its names fits; else the usual names: UK for British, SZ 8 for 8 Sea Zone, as far as the game has
// these. [Board.Files] gives the alias file that was used with the others.
//
// A board that was read may be given more names, [Board.With]. They add to what is understood; what the table prefers
// stays. There the name behind = may be any that the board has.
//
// # Distance
//
// A sea zone that touches a territory is at 1 from it, one that touches such a zone at 2, and so
// on (AAR-4-RANGE). Steps go from water to water along the connections of the file. Canals are
// ignored: where the file joins two sea zones, they touch, whoever holds the land (AMB-AAR-10).
package board
