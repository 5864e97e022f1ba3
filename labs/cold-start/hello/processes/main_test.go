package main

import "testing"

func TestEachRoundHasOneOfEach(t *testing.T) {
	document, err := measure(5, []string{"sleep", "sleep 0.05", "nothing", "true"})
	if err != nil {
		t.Fatal(err)
	}
	for _, key := range []string{"ratio", "sleep_ms", "nothing_ms", "floor_ms"} {
		if values := document[key].([]float64); len(values) != 5 {
			t.Errorf("%s has %d values", key, len(values))
		}
	}
	for _, ms := range document["sleep_ms"].([]float64) {
		if ms < 50 {
			t.Errorf("sleep 0.05 took %v ms", ms)
		}
	}
}

func TestACommandThatFailsIsSaid(t *testing.T) {
	for _, arguments := range [][]string{{"a", "false", "b", "true"}, {"a", "/none", "b", "true"}, {"a", "true"}, {"a", "", "b", "true"}} {
		if _, err := measure(2, arguments); err == nil {
			t.Errorf("%q is taken", arguments)
		}
	}
}
