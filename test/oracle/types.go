package main

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strings"

	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/intstr"
	jobsetv1alpha2 "sigs.k8s.io/jobset/api/jobset/v1alpha2"

	trainer "github.com/kubeflow/trainer/v2/pkg/apis/trainer/v1alpha1"
)

// typeTable describes, for every Go struct under the roots, how its JSON fields behave: which values vanish, which
// always appear, and how strategic merge treats them. The notation is documented beside the table that the project
// keeps (packages/runtime/src/schema/table.ts); a test compares the two.
func typeTable() map[string]string {
	table := map[string]string{}
	for _, root := range []any{
		jobsetv1alpha2.JobSet{}, trainer.JobSetSpecPatch{}, batchv1.Job{}, corev1.Pod{}, corev1.Service{},
		corev1.Node{}, corev1.Namespace{}, corev1.ConfigMap{}, corev1.Secret{}, corev1.ServiceAccount{},
		corev1.Event{}, corev1.PersistentVolumeClaim{},
	} {
		describe(table, reflect.TypeOf(root))
	}
	return table
}

func describe(table map[string]string, t reflect.Type) string {
	name := typeName(t)
	if _, seen := table[name]; seen {
		return name
	}
	table[name] = "" // recursive types end here
	table[name] = strings.Join(fieldsOf(table, t), " ")
	return name
}

func fieldsOf(table map[string]string, t reflect.Type) []string {
	var fields []string
	for i := range t.NumField() {
		field := t.Field(i)
		tag := strings.Split(field.Tag.Get("json"), ",")
		if tag[0] == "" {
			fields = append(fields, fieldsOf(table, field.Type)...) // inlined
			continue
		}
		if tag[0] != "-" {
			omitted := strings.Contains(field.Tag.Get("json"), ",omit")
			fields = append(fields, tag[0]+":"+shape(table, field.Type, field.Tag, omitted))
		}
	}
	return fields
}

func shape(table map[string]string, t reflect.Type, tag reflect.StructTag, omitted bool) string {
	suffix := ""
	for _, strategy := range strings.Split(tag.Get("patchStrategy"), ",") {
		if strategy == "replace" {
			suffix = "~replace"
		}
	}
	pointer := t.Kind() == reflect.Pointer
	if pointer {
		t = t.Elem()
	}
	switch t {
	case reflect.TypeOf(resource.Quantity{}):
		if pointer {
			return "q"
		}
		return "q!"
	case reflect.TypeOf(metav1.Time{}), reflect.TypeOf(metav1.MicroTime{}), reflect.TypeOf(metav1.FieldsV1{}):
		return "="
	case reflect.TypeOf(intstr.IntOrString{}):
		if pointer {
			return "="
		}
		return "!0"
	}
	switch t.Kind() {
	case reflect.Struct:
		if pointer {
			return describe(table, t) + suffix
		}
		return describe(table, t) + "!" + suffix
	case reflect.Slice:
		if t.Elem().Kind() == reflect.Uint8 {
			return "?"
		}
		return "[" + element(table, t.Elem()) + mergeKey(tag) + "]" + always(omitted) + suffix
	case reflect.Map:
		return "{" + element(table, t.Elem()) + "}" + always(omitted) + suffix
	}
	switch {
	case pointer && !omitted:
		return "=!"
	case pointer:
		return "="
	case omitted:
		return "?"
	case t.Kind() == reflect.String:
		return "!s"
	case t.Kind() == reflect.Bool:
		return "!b"
	}
	return "!0"
}

// always marks the lists and maps that are written, as null, even when there is none.
func always(omitted bool) string {
	if omitted {
		return ""
	}
	return "!"
}

func mergeKey(tag reflect.StructTag) string {
	if !strings.Contains(tag.Get("patchStrategy"), "merge") {
		return ""
	}
	return "|" + tag.Get("patchMergeKey")
}

func element(table map[string]string, t reflect.Type) string {
	switch {
	case t == reflect.TypeOf(resource.Quantity{}):
		return "q"
	case t == reflect.TypeOf(metav1.Time{}):
		return ""
	case t.Kind() == reflect.Struct:
		return describe(table, t)
	}
	return ""
}

func typeName(t reflect.Type) string {
	path := strings.Split(t.PkgPath(), "/")
	pkg := path[len(path)-2]
	if pkg == "trainer" || pkg == "jobset" || pkg == "core" || pkg == "batch" || pkg == "meta" {
		return pkg + "." + t.Name()
	}
	return fmt.Sprintf("%s.%s", strings.Join(path, "/"), t.Name())
}

func printTypes() error {
	out, err := json.MarshalIndent(typeTable(), "", "  ")
	if err != nil {
		return err
	}
	fmt.Println(string(out))
	return nil
}
