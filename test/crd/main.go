// Command crd does to custom resources what kube-apiserver does by the rules of a CustomResourceDefinition: drop nulls,
// prune, default, and validate by structure, kinds of lists and CEL rules.
//
//	crd check FOLDER    says what is wrong with each definition, as a JSON object of lists by its name
//	crd serve FOLDER…   answers each line of stdin, a question, with a line of answers, one by folder
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
)

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(args []string) error {
	switch {
	case len(args) == 2 && args[0] == "check":
		faults, err := checkFolder(args[1])
		if err != nil {
			return err
		}
		return json.NewEncoder(os.Stdout).Encode(faults)
	case len(args) > 1 && args[0] == "serve":
		return serve(args[1:])
	}
	return fmt.Errorf("usage: crd check FOLDER | crd serve FOLDER…")
}

func serve(folders []string) error {
	var all []definitions
	for _, folder := range folders {
		loaded, err := loadFolder(folder)
		if err != nil {
			return err
		}
		all = append(all, loaded)
	}
	lines := bufio.NewScanner(os.Stdin)
	lines.Buffer(make([]byte, 1<<20), 1<<28)
	for lines.Scan() {
		var asked question
		if err := json.Unmarshal(lines.Bytes(), &asked); err != nil {
			return err
		}
		var answers []answer
		for _, loaded := range all {
			answers = append(answers, loaded.admit(asked))
		}
		out, err := json.Marshal(answers)
		if err != nil {
			return err
		}
		if _, err := fmt.Println(string(out)); err != nil {
			return err
		}
	}
	return lines.Err()
}
