package main

import (
	"bytes"
	"encoding/json"
	"fmt"

	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	structuralschema "k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
	structuraldefaulting "k8s.io/apiextensions-apiserver/pkg/apiserver/schema/defaulting"
	"k8s.io/apiextensions-apiserver/pkg/controller/openapi/builder"
	generatedopenapi "k8s.io/apiextensions-apiserver/pkg/generated/openapi"
	"k8s.io/apiextensions-apiserver/pkg/registry/customresource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/managedfields"
	openapiendpoint "k8s.io/apiserver/pkg/endpoints/openapi"
	openapibuilder "k8s.io/kube-openapi/pkg/builder3"
	openapicommon "k8s.io/kube-openapi/pkg/common"
	"k8s.io/kube-openapi/pkg/spec3"
	"k8s.io/kube-openapi/pkg/validation/spec"
	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"
)

// kind is what kube-apiserver makes of a CustomResourceDefinition, as far as ownership goes: its first version, the
// object's path and the status path.
type kind struct {
	gvk    schema.GroupVersionKind
	main   *managedfields.FieldManager
	status *managedfields.FieldManager
	// prepare resets what a write through the path may not change.
	prepareMain, prepareStatus func(obj, old runtime.Object)
}

// kindCache holds the kind that was asked for last.
type kindCache struct {
	definition []byte
	kind       *kind
}

func (c *kindCache) of(definition json.RawMessage) (*kind, error) {
	if bytes.Equal(definition, c.definition) {
		return c.kind, nil
	}
	made, err := newKind(definition)
	if err != nil {
		return nil, err
	}
	c.definition, c.kind = append([]byte(nil), definition...), made
	return made, nil
}

func newKind(definition json.RawMessage) (*kind, error) {
	var crd v1.CustomResourceDefinition
	if err := json.Unmarshal(definition, &crd); err != nil {
		return nil, err
	}
	v1.SetDefaults_CustomResourceDefinition(&crd)
	v1.SetDefaults_CustomResourceDefinitionSpec(&crd.Spec)
	version := crd.Spec.Versions[0]
	gvk := schema.GroupVersionKind{Group: crd.Spec.Group, Version: version.Name, Kind: crd.Spec.Names.Kind}
	structurals := map[string]*structuralschema.Structural{}
	for _, version := range crd.Spec.Versions {
		var internal apiextensions.JSONSchemaProps
		if err := v1.Convert_v1_JSONSchemaProps_To_apiextensions_JSONSchemaProps(
			version.Schema.OpenAPIV3Schema, &internal, nil); err != nil {
			return nil, err
		}
		structural, err := structuralschema.NewStructural(&internal)
		if err != nil {
			return nil, err
		}
		structurals[version.Name] = structural
	}
	models, err := modelsOf(&crd)
	if err != nil {
		return nil, err
	}
	types, err := managedfields.NewTypeConverter(models, crd.Spec.PreserveUnknownFields)
	if err != nil {
		return nil, err
	}

	var withStatus *apiextensions.CustomResourceSubresourceStatus
	if version.Subresources != nil && version.Subresources.Status != nil {
		withStatus = &apiextensions.CustomResourceSubresourceStatus{}
	}
	strategy := customresource.NewStrategy(nil, true, gvk, nil, nil, structurals[version.Name], withStatus, nil, nil)
	statusStrategy := customresource.NewStatusStrategy(strategy)
	manager := func(subresource string, reset map[fieldpath.APIVersion]*fieldpath.Set) (*managedfields.FieldManager, error) {
		served := customKinds{group: gvk.Group, structurals: structurals}
		return managedfields.NewDefaultCRDFieldManager(types, served, served, served, gvk, gvk.GroupVersion(), subresource,
			fieldpath.NewExcludeFilterSetMap(reset))
	}
	main, err := manager("", strategy.GetResetFields())
	if err != nil {
		return nil, err
	}
	// the server joins the fields of all versions that the status path resets
	statusReset := statusStrategy.GetResetFields()
	for _, other := range crd.Spec.Versions {
		for _, set := range statusStrategy.GetResetFields() {
			statusReset[fieldpath.APIVersion(gvk.Group+"/"+other.Name)] = set
		}
	}
	status, err := manager("status", statusReset)
	if err != nil {
		return nil, err
	}
	return &kind{
		gvk: gvk, main: main, status: status,
		prepareMain:   func(obj, old runtime.Object) { strategy.PrepareForUpdate(nil, obj, old) },
		prepareStatus: func(obj, old runtime.Object) { statusStrategy.PrepareForUpdate(nil, obj, old) },
	}, nil
}

// modelsOf are the OpenAPI models that the apiextensions server makes of a definition for apply.
func modelsOf(crd *v1.CustomResourceDefinition) (map[string]*spec.Schema, error) {
	if staticModels == nil {
		made, err := makeStaticModels()
		if err != nil {
			return nil, err
		}
		staticModels = made
	}
	specs := []*spec3.OpenAPI{{
		Version:    "3.0.0",
		Info:       &spec.Info{InfoProps: spec.InfoProps{Title: "static", Version: "v1"}},
		Components: &spec3.Components{Schemas: staticModels},
	}}
	for _, version := range crd.Spec.Versions {
		made, err := builder.BuildOpenAPIV3(crd, version.Name, builder.Options{})
		if err != nil {
			return nil, err
		}
		specs = append(specs, made)
	}
	merged, err := builder.MergeSpecsV3(specs...)
	if err != nil {
		return nil, err
	}
	return merged.Components.Schemas, nil
}

var staticModels map[string]*spec.Schema

// makeStaticModels builds the models of the metadata types.
func makeStaticModels() (map[string]*spec.Schema, error) {
	scheme := runtime.NewScheme()
	if err := v1.AddToScheme(scheme); err != nil {
		return nil, err
	}
	config := &openapicommon.OpenAPIV3Config{
		Info:              &spec.Info{InfoProps: spec.InfoProps{Title: "static", Version: "v1"}},
		GetDefinitions:    generatedopenapi.GetOpenAPIDefinitions,
		GetDefinitionName: openapiendpoint.NewDefinitionNamer(scheme).GetDefinitionName,
	}
	return openapibuilder.BuildOpenAPIDefinitionsForResources(config, metav1.ObjectMeta{}.OpenAPIModelName())
}

// customKinds converts, defaults and makes custom objects: other versions differ in nothing but their name.
type customKinds struct {
	group       string
	structurals map[string]*structuralschema.Structural
}

func (k customKinds) ConvertToVersion(in runtime.Object, target runtime.GroupVersioner) (runtime.Object, error) {
	object := in.(*unstructured.Unstructured)
	gvk := object.GroupVersionKind()
	to, ok := target.KindForGroupVersionKinds([]schema.GroupVersionKind{gvk})
	if !ok {
		gv := target.(schema.GroupVersion)
		to = gv.WithKind(gvk.Kind)
	}
	if _, known := k.structurals[to.Version]; !known || to.Group != k.group {
		return nil, runtime.NewNotRegisteredErrForKind("custom kinds", to)
	}
	if to == gvk {
		return in, nil
	}
	out := object.DeepCopy()
	out.SetGroupVersionKind(to)
	return out, nil
}

func (k customKinds) Convert(in, out, context any) error {
	return fmt.Errorf("conversion into an object is not needed")
}

func (k customKinds) ConvertFieldLabel(_ schema.GroupVersionKind, label, value string) (string, string, error) {
	return label, value, nil
}

func (k customKinds) Default(in runtime.Object) {
	if object, ok := in.(*unstructured.Unstructured); ok {
		structuraldefaulting.Default(object.UnstructuredContent(), k.structurals[object.GroupVersionKind().Version])
	}
}

func (k customKinds) New(gvk schema.GroupVersionKind) (runtime.Object, error) {
	object := &unstructured.Unstructured{}
	object.SetGroupVersionKind(gvk)
	return object, nil
}
