// How long whole processes take, from the call that starts them to their end, as JSON:
// milliseconds of each round, and of each round the ratio of the first command to the second. The
// commands take turns, so that what the machine does meanwhile meets all. More commands may stand
// beside the two. A process that does nothing (`true`) is the floor: what starting one takes by
// itself.
//
//	processes -rounds 50 jar 'java -jar hello.jar' image ./hello
//
// Words of a command are parted by spaces; there is no shell.
package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"time"
)

// Unmeasured rounds before the first: files are read from the disk once.
const warmUp = 3

func main() {
	rounds := flag.Int("rounds", 50, "rounds that are measured")
	flag.Parse()
	document, err := measure(*rounds, flag.Args())
	if err != nil {
		fmt.Fprintln(os.Stderr, "processes:", err)
		os.Exit(1)
	}
	encoder := json.NewEncoder(os.Stdout)
	encoder.SetIndent("", "  ")
	if err := encoder.Encode(document); err != nil {
		os.Exit(1)
	}
}

type command struct {
	name  string
	words []string
}

func measure(rounds int, arguments []string) (map[string]any, error) {
	if len(arguments) < 4 || len(arguments)%2 != 0 || rounds < 1 {
		return nil, fmt.Errorf("two commands are compared, and more may stand beside them, each after its name: jar 'java -jar hello.jar' image ./hello")
	}
	commands := []command{{"floor", []string{"true"}}}
	for i := len(arguments) - 2; i >= 0; i -= 2 {
		commands = append([]command{{arguments[i], strings.Fields(arguments[i+1])}}, commands...)
	}
	taken := map[string][]float64{}
	ratios := []float64{}
	for round := -warmUp; round < rounds; round++ {
		for i := range commands {
			// Who begins takes turns, too.
			one := commands[(i+len(commands)+round%len(commands))%len(commands)]
			ms, err := run(one.words)
			if err != nil {
				return nil, fmt.Errorf("%s (`%s`): %w", one.name, strings.Join(one.words, " "), err)
			}
			if round >= 0 {
				taken[one.name] = append(taken[one.name], ms)
			}
		}
		if round >= 0 {
			ratios = append(ratios, taken[commands[0].name][round]/taken[commands[1].name][round])
		}
	}
	document := map[string]any{"ratio": ratios}
	for name, ms := range taken {
		document[name+"_ms"] = ms
	}
	return document, nil
}

func run(words []string) (float64, error) {
	if len(words) == 0 {
		return 0, fmt.Errorf("is empty")
	}
	process := exec.Command(words[0], words[1:]...)
	begin := time.Now()
	err := process.Run()
	return float64(time.Since(begin).Nanoseconds()) / 1e6, err
}
