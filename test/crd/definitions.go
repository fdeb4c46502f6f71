package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	crdvalidation "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/validation"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/cel"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/validation"
	celconfig "k8s.io/apiserver/pkg/apis/cel"
	"sigs.k8s.io/yaml"
)

// definitions are the schemas of a folder's CustomResourceDefinitions, by kind.
type definitions map[string]*definition

type definition struct {
	structural *schema.Structural
	validator  validation.SchemaValidator
	rules      *cel.Validator
}

func loadFolder(folder string) (definitions, error) {
	loaded := definitions{}
	err := eachDefinition(folder, func(crd *v1.CustomResourceDefinition) error {
		compiled, err := compile(crd.Spec.Versions[0])
		if err != nil {
			return fmt.Errorf("%s: %w", crd.Name, err)
		}
		loaded[crd.Spec.Names.Kind] = compiled
		return nil
	})
	return loaded, err
}

func compile(version v1.CustomResourceDefinitionVersion) (*definition, error) {
	var internal apiextensions.JSONSchemaProps
	if err := v1.Convert_v1_JSONSchemaProps_To_apiextensions_JSONSchemaProps(
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
	return &definition{structural, validator, cel.NewValidator(structural, true, celconfig.PerCallLimit)}, nil
}

// checkFolder validates the definitions themselves as kube-apiserver does when they are created, which includes
// defaults that must be valid and the estimated cost of the rules.
func checkFolder(folder string) (map[string][]string, error) {
	found := map[string][]string{}
	err := eachDefinition(folder, func(crd *v1.CustomResourceDefinition) error {
		v1.SetDefaults_CustomResourceDefinition(crd)
		v1.SetDefaults_CustomResourceDefinitionSpec(&crd.Spec)
		var internal apiextensions.CustomResourceDefinition
		if err := v1.Convert_v1_CustomResourceDefinition_To_apiextensions_CustomResourceDefinition(
			crd, &internal, nil); err != nil {
			return err
		}
		internal.Status.StoredVersions = []string{crd.Spec.Versions[0].Name}
		found[crd.Name] = []string{}
		for _, fault := range crdvalidation.ValidateCustomResourceDefinition(context.Background(), &internal) {
			found[crd.Name] = append(found[crd.Name], fault.Error())
		}
		return nil
	})
	return found, err
}

func eachDefinition(folder string, do func(*v1.CustomResourceDefinition) error) error {
	files, err := filepath.Glob(filepath.Join(folder, "*.yaml"))
	if err != nil {
		return err
	}
	for _, file := range files {
		raw, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		var crd v1.CustomResourceDefinition
		if err := yaml.Unmarshal(raw, &crd); err != nil {
			return fmt.Errorf("%s: %w", file, err)
		}
		if crd.Kind != "CustomResourceDefinition" {
			continue
		}
		if err := do(&crd); err != nil {
			return err
		}
	}
	return nil
}
