// On paper the map is whole, however near the reader was.
addEventListener("beforeprint", () => document.getElementById("map-whole")?.click());
