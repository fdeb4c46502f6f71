package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"

	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/cel"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/defaulting"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/listtype"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/pruning"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/validation"
	utiljson "k8s.io/apimachinery/pkg/util/json"
	"k8s.io/apimachinery/pkg/util/validation/field"
	celconfig "k8s.io/apiserver/pkg/apis/cel"
	"sigs.k8s.io/yaml"
)

// schemas do to a custom resource what kube-apiserver does before any webhook: prune, default, validate.
// Without any, objects pass as they are.
type schemas map[string]*versionSchema

type versionSchema struct {
	structural *schema.Structural
	validator  validation.SchemaValidator
	rules      *cel.Validator
}

func loadSchemas(dir string) (schemas, error) {
	loaded := schemas{}
	if dir == "" {
		return loaded, nil
	}
	files, err := filepath.Glob(filepath.Join(dir, "*.yaml"))
	if err != nil {
		return nil, err
	}
	for _, file := range files {
		raw, err := os.ReadFile(file)
		if err != nil {
			return nil, err
		}
		var crd apiextensionsv1.CustomResourceDefinition
		if err := yaml.Unmarshal(raw, &crd); err != nil {
			return nil, fmt.Errorf("%s: %w", file, err)
		}
		if crd.Kind != "CustomResourceDefinition" {
			continue
		}
		for _, version := range crd.Spec.Versions {
			compiled, err := compile(version)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", file, err)
			}
			loaded[crd.Spec.Group+"/"+version.Name+"/"+crd.Spec.Names.Kind] = compiled
		}
	}
	if len(loaded) == 0 {
		return nil, fmt.Errorf("no CustomResourceDefinition in %s", dir)
	}
	return loaded, nil
}

func compile(version apiextensionsv1.CustomResourceDefinitionVersion) (*versionSchema, error) {
	var internal apiextensions.JSONSchemaProps
	if err := apiextensionsv1.Convert_v1_JSONSchemaProps_To_apiextensions_JSONSchemaProps(
		version.Schema.OpenAPIV3Schema, &internal, nil); err != nil {
		return nil, err
	}
	structural, err := schema.NewStructural(&internal)
	if err != nil {
		return nil, err
	}
	validator, _, err := validation.NewSchemaValidator(&internal)
	if err != nil {
		return nil, err
	}
	return &versionSchema{structural, validator, cel.NewValidator(structural, true, celconfig.PerCallLimit)}, nil
}

// admit returns the object as it would be stored and what the API server would object to. With `stored` it is an
// update, for which transition rules run too.
func (s schemas) admit(raw, stored json.RawMessage) (json.RawMessage, []string) {
	object, err := toMap(raw)
	if err != nil {
		return raw, []string{err.Error()}
	}
	version, known := s[fmt.Sprintf("%v/%v", object["apiVersion"], object["kind"])]
	if !known {
		return raw, nil
	}
	pruning.Prune(object, version.structural, true)
	defaulting.PruneNonNullableNullsWithoutDefaults(object, version.structural)
	defaulting.Default(object, version.structural)

	var old any // a nil interface means creation
	if len(stored) > 0 {
		if old, err = toMap(stored); err != nil {
			return raw, []string{err.Error()}
		}
	}
	faults := validation.ValidateCustomResource(nil, object, version.validator)
	faults = append(faults, listtype.ValidateListSetsAndMaps(nil, version.structural, object)...)
	if len(faults) == 0 { // as kube-apiserver: rules run on objects of the right shape only
		broken, _ := version.rules.Validate(
			context.Background(), (*field.Path)(nil), version.structural, object, old, celconfig.RuntimeCELCostBudget)
		faults = append(faults, broken...)
	}
	var messages []string
	for _, fault := range faults {
		messages = append(messages, fault.Error())
	}
	admitted, err := json.Marshal(object)
	if err != nil {
		return raw, append(messages, err.Error())
	}
	return admitted, messages
}

func toMap(raw json.RawMessage) (map[string]any, error) {
	object := map[string]any{}
	err := utiljson.Unmarshal(raw, &object)
	return object, err
}
