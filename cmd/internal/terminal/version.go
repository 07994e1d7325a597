package terminal

// Version is that of the programs; a release sets it by the linker.
var Version = "0.1-dev"
