package main

import (
	"context"
	"encoding/json"
	"slices"

	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/defaulting"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/listtype"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/pruning"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/validation"
	utiljson "k8s.io/apimachinery/pkg/util/json"
	"k8s.io/apimachinery/pkg/util/validation/field"
	celconfig "k8s.io/apiserver/pkg/apis/cel"
)

// question is an object to create or, with an old one, to update. A status is looked at like the rest.
type question struct {
	Object json.RawMessage `json:"object"`
	Old    json.RawMessage `json:"old,omitempty"`
}

type answer struct {
	// Object is what would be stored.
	Object map[string]any `json:"object"`
	// Pruned are the paths of the fields that the definition does not know.
	Pruned []string `json:"pruned"`
	// Faults are what the server refuses the object for.
	Faults []fault `json:"faults"`
}

type fault struct {
	Path   string `json:"path"`
	Type   string `json:"type"`
	Detail string `json:"detail"`
}

func (d definitions) admit(asked question) answer {
	object, err := toMap(asked.Object)
	if err != nil {
		return refused("", err)
	}
	kind, _ := object["kind"].(string)
	definition, known := d[kind]
	if !known {
		return answer{Faults: []fault{{"kind", "unknown", kind}}}
	}
	pruned := definition.prepare(object)
	var faults field.ErrorList
	var old any // nil in the interface means creation
	if len(asked.Old) > 0 {
		stored, err := toMap(asked.Old)
		if err != nil {
			return refused("old", err)
		}
		definition.prepare(stored)
		old = stored
		faults = validation.ValidateCustomResourceUpdate(nil, object, stored, definition.validator)
	} else {
		faults = validation.ValidateCustomResource(nil, object, definition.validator)
	}
	faults = append(faults, listtype.ValidateListSetsAndMaps(nil, definition.structural, object)...)
	if len(faults) == 0 { // as kube-apiserver: rules are asked about objects of the right shape only
		broken, _ := definition.rules.Validate(
			context.Background(), nil, definition.structural, object, old, celconfig.RuntimeCELCostBudget)
		faults = append(faults, broken...)
	}
	result := answer{Object: object, Pruned: pruned, Faults: []fault{}}
	for _, found := range faults {
		result.Faults = append(result.Faults, fault{found.Field, string(found.Type), found.Detail})
	}
	return result
}

// prepare drops nulls, prunes and defaults as a server does before any webhook.
func (d *definition) prepare(object map[string]any) []string {
	pruned := pruning.PruneWithOptions(
		object, d.structural, true, schema.UnknownFieldPathOptions{TrackUnknownFieldPaths: true})
	defaulting.PruneNonNullableNullsWithoutDefaults(object, d.structural)
	defaulting.Default(object, d.structural)
	slices.Sort(pruned)
	return pruned
}

func toMap(raw json.RawMessage) (map[string]any, error) {
	object := map[string]any{}
	err := utiljson.Unmarshal(raw, &object)
	return object, err
}

func refused(path string, err error) answer {
	return answer{Faults: []fault{{path, "unreadable", err.Error()}}}
}
