// Command apply tracks who owns which fields as kube-apiserver does: with apimachinery's managed fields and
// structured-merge-diff.
//
//	apply serve     answers each line of stdin, a write of a custom resource, with a line: what comes of it
//	apply schemas   how the fields of each built-in kind can be owned, as a JSON object by apiVersion and kind
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
)

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "apply:", err)
		os.Exit(1)
	}
}

func run(args []string) error {
	if len(args) != 1 {
		return fmt.Errorf("expected a subcommand: serve or schemas")
	}
	switch args[0] {
	case "serve":
		return serve()
	case "schemas":
		schemas, err := builtinSchemas()
		if err != nil {
			return err
		}
		return json.NewEncoder(os.Stdout).Encode(schemas)
	}
	return fmt.Errorf("unknown subcommand %q: expected serve or schemas", args[0])
}

// serve answers at once: the other side waits for each line.
func serve() error {
	in := bufio.NewScanner(os.Stdin)
	in.Buffer(make([]byte, 64<<10), 64<<20)
	out := json.NewEncoder(os.Stdout)
	var kinds kindCache
	for in.Scan() {
		var asked write
		if err := json.Unmarshal(in.Bytes(), &asked); err != nil {
			return fmt.Errorf("reading a write: %w", err)
		}
		kind, err := kinds.of(asked.Definition)
		if err != nil {
			return fmt.Errorf("reading the definition: %w", err)
		}
		if err := out.Encode(kind.answer(asked)); err != nil {
			return err
		}
	}
	return in.Err()
}
