package main

import "testing"

func TestOnlyWhatIsBetweenTheMarkersIsReplaced(t *testing.T) {
	first := withSection("# A\n", "old\n")
	if want := "# A\n\n" + begin + "\nold\n" + end + "\n"; first != want {
		t.Fatalf("%q", first)
	}
	if second, want := withSection(first+"# B\n", "new"), "# A\n\n"+begin+"\nnew\n"+end+"\n# B\n"; second != want {
		t.Fatalf("%q", second)
	}
}
