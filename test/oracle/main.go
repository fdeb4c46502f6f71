// The oracle answers what upstream's own code makes of a TrainJob.
//
//	oracle serve [-crds DIR]   one question a line on stdin, one answer a line on stdout (both JSON)
//	oracle merge               one strategic merge patch a line on stdin, one answer a line on stdout (both JSON)
//	oracle quantity            two amounts a line on stdin, what they are on stdout (both JSON)
//	oracle bench -runtime FILE -trainjob FILE
//	                           for each line "N" on stdin: N calls of NewObjects, the mean in microseconds on stdout
//	oracle types               the table of Go types behind packages/runtime/src/schema/table.ts
package main

import (
	"bufio"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"strconv"
	"strings"
)

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "oracle:", err)
		os.Exit(1)
	}
}

func run(args []string) error {
	if len(args) == 0 {
		return fmt.Errorf("expected a subcommand: serve, merge, quantity, bench or types")
	}
	flags := flag.NewFlagSet(args[0], flag.ContinueOnError)
	switch args[0] {
	case "serve":
		crds := flags.String("crds", "", "folder of CustomResourceDefinitions to default, prune and validate with")
		if err := flags.Parse(args[1:]); err != nil {
			return err
		}
		schemas, err := loadSchemas(*crds)
		if err != nil {
			return err
		}
		return eachLine(func(line string) (any, error) {
			var question Question
			if err := json.Unmarshal([]byte(line), &question); err != nil {
				return nil, fmt.Errorf("reading the question: %w", err)
			}
			return answer(context.Background(), schemas, question), nil
		})
	case "merge":
		return eachLine(func(line string) (any, error) {
			var question MergeQuestion
			if err := json.Unmarshal([]byte(line), &question); err != nil {
				return nil, fmt.Errorf("reading the question: %w", err)
			}
			return merge(question), nil
		})
	case "quantity":
		return eachLine(func(line string) (any, error) {
			var question QuantityQuestion
			if err := json.Unmarshal([]byte(line), &question); err != nil {
				return nil, fmt.Errorf("reading the question: %w", err)
			}
			return quantity(question), nil
		})
	case "bench":
		runtimeFile := flags.String("runtime", "", "manifest of the ClusterTrainingRuntime")
		jobFile := flags.String("trainjob", "", "manifest of the TrainJob")
		if err := flags.Parse(args[1:]); err != nil {
			return err
		}
		bench, err := newBenchmark(*runtimeFile, *jobFile)
		if err != nil {
			return err
		}
		return eachLine(func(line string) (any, error) {
			calls, err := strconv.Atoi(strings.TrimSpace(line))
			if err != nil || calls < 1 {
				return nil, fmt.Errorf("expected a number of calls, found %q", line)
			}
			return bench.round(context.Background(), calls)
		})
	case "types":
		return printTypes()
	}
	return fmt.Errorf("unknown subcommand %q: expected serve, merge, quantity, bench or types", args[0])
}

// eachLine answers every line of stdin with one line of JSON, at once: the other side waits for it.
func eachLine(respond func(line string) (any, error)) error {
	in := bufio.NewScanner(os.Stdin)
	in.Buffer(make([]byte, 64<<10), 64<<20)
	out := json.NewEncoder(os.Stdout)
	for in.Scan() {
		response, err := respond(in.Text())
		if err != nil {
			return err
		}
		if err := out.Encode(response); err != nil {
			return err
		}
	}
	return in.Err()
}
