package main

import (
	"fmt"
	"reflect"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/applyconfigurations"
	"k8s.io/client-go/kubernetes/scheme"
	smdschema "sigs.k8s.io/structured-merge-diff/v6/schema"
)

// ownership says of a field what makes it differ from a scalar, a map of parts or a list as a whole.
type ownership struct {
	Atomic      bool                  `json:"atomic,omitempty"`
	List        any                   `json:"list,omitempty"` // "set", or the keys of items
	KeyDefaults map[string]any        `json:"keyDefaults,omitempty"`
	Fields      map[string]*ownership `json:"fields,omitempty"`
	Items       *ownership            `json:"items,omitempty"`
}

// builtinSchemas are the kinds that client-go knows and the embedded cluster serves.
func builtinSchemas() (map[string]*ownership, error) {
	kinds := []schema.GroupVersionKind{
		{Version: "v1", Kind: "Pod"}, {Version: "v1", Kind: "Service"}, {Version: "v1", Kind: "Node"},
		{Version: "v1", Kind: "Namespace"}, {Version: "v1", Kind: "ConfigMap"}, {Version: "v1", Kind: "Secret"},
		{Version: "v1", Kind: "Event"}, {Version: "v1", Kind: "ServiceAccount"},
		{Version: "v1", Kind: "PersistentVolumeClaim"}, {Version: "v1", Kind: "PersistentVolume"},
		{Version: "v1", Kind: "ResourceQuota"}, {Version: "v1", Kind: "LimitRange"}, {Version: "v1", Kind: "Endpoints"},
		{Group: "batch", Version: "v1", Kind: "Job"}, {Group: "batch", Version: "v1", Kind: "CronJob"},
		{Group: "coordination.k8s.io", Version: "v1", Kind: "Lease"},
		{Group: "scheduling.k8s.io", Version: "v1", Kind: "PriorityClass"},
		{Group: "node.k8s.io", Version: "v1", Kind: "RuntimeClass"},
		{Group: "storage.k8s.io", Version: "v1", Kind: "StorageClass"},
		{Group: "apps", Version: "v1", Kind: "Deployment"}, {Group: "apps", Version: "v1", Kind: "ReplicaSet"},
		{Group: "apps", Version: "v1", Kind: "StatefulSet"}, {Group: "apps", Version: "v1", Kind: "DaemonSet"},
		{Group: "apps", Version: "v1", Kind: "ControllerRevision"},
		{Group: "events.k8s.io", Version: "v1", Kind: "Event"},
		{Group: "networking.k8s.io", Version: "v1", Kind: "Ingress"},
		{Group: "networking.k8s.io", Version: "v1", Kind: "NetworkPolicy"},
		{Group: "policy", Version: "v1", Kind: "PodDisruptionBudget"},
		{Group: "rbac.authorization.k8s.io", Version: "v1", Kind: "Role"},
		{Group: "rbac.authorization.k8s.io", Version: "v1", Kind: "RoleBinding"},
		{Group: "rbac.authorization.k8s.io", Version: "v1", Kind: "ClusterRole"},
		{Group: "rbac.authorization.k8s.io", Version: "v1", Kind: "ClusterRoleBinding"},
		{Group: "admissionregistration.k8s.io", Version: "v1", Kind: "MutatingWebhookConfiguration"},
		{Group: "admissionregistration.k8s.io", Version: "v1", Kind: "ValidatingWebhookConfiguration"},
	}
	converter := applyconfigurations.NewTypeConverter(scheme.Scheme)
	found := map[string]*ownership{}
	for _, kind := range kinds {
		object, err := scheme.Scheme.New(kind)
		if err != nil {
			return nil, err
		}
		object.GetObjectKind().SetGroupVersionKind(kind)
		typed, err := converter.ObjectToTyped(runtime.Object(object))
		if err != nil {
			return nil, fmt.Errorf("%v: %w", kind, err)
		}
		apiVersion, name := kind.ToAPIVersionAndKind()
		found[apiVersion+" "+name] = ownershipOf(typed.Schema(), typed.TypeRef())
	}
	return found, nil
}

// ownershipOf is nil where there is nothing to say.
func ownershipOf(types *smdschema.Schema, ref smdschema.TypeRef) *ownership {
	atom, ok := types.Resolve(ref)
	if !ok {
		return nil
	}
	said := ownership{}
	switch {
	case atom.Map != nil:
		if said.Atomic = atom.Map.ElementRelationship == smdschema.Atomic; said.Atomic {
			break
		}
		if atom.Scalar == nil {
			said.Items = ownershipOf(types, atom.Map.ElementType)
		}
		said.Fields = map[string]*ownership{}
		for _, field := range atom.Map.Fields {
			if child := ownershipOf(types, field.Type); child != nil {
				said.Fields[field.Name] = child
			}
		}
	case atom.List != nil:
		if atom.List.ElementRelationship == smdschema.Atomic {
			return nil
		}
		said.List = "set"
		if len(atom.List.Keys) > 0 {
			said.List = atom.List.Keys
		}
		said.Items = ownershipOf(types, atom.List.ElementType)
		said.KeyDefaults = keyDefaults(types, atom.List)
	}
	if len(said.Fields) == 0 {
		said.Fields = nil
	}
	if reflect.DeepEqual(said, ownership{}) {
		return nil
	}
	return &said
}

func keyDefaults(types *smdschema.Schema, list *smdschema.List) map[string]any {
	item, ok := types.Resolve(list.ElementType)
	if !ok || item.Map == nil {
		return nil
	}
	found := map[string]any{}
	for _, key := range list.Keys {
		// an empty text is not a default that anybody could have left out
		if field, ok := item.Map.FindField(key); ok && field.Default != nil {
			found[key] = field.Default
		}
	}
	if len(found) == 0 {
		return nil
	}
	return found
}
