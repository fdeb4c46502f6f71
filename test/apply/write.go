package main

import (
	"context"
	"encoding/json"
	"errors"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apiserver/pkg/endpoints/handlers/fieldmanager"
)

// write is one write of a custom resource.
type write struct {
	Definition  json.RawMessage `json:"definition"`
	Operation   string          `json:"operation"` // Apply or Update; Update with no live object creates it
	Subresource string          `json:"subresource"`
	Manager     string          `json:"manager"`
	Force       bool            `json:"force"`
	Live        map[string]any  `json:"live"`
	Object      map[string]any  `json:"object"` // what is applied, or what the object is to be
}

// answer is the object afterwards, or the failure.
type answer struct {
	Object map[string]any       `json:"object,omitempty"`
	Error  string               `json:"error,omitempty"`
	Code   int32                `json:"code,omitempty"`
	Causes []metav1.StatusCause `json:"causes,omitempty"`
	// From and To are the seconds between which the write happened.
	From int64 `json:"from"`
	To   int64 `json:"to"`
}

func (k *kind) answer(asked write) (a answer) {
	from := time.Now().Unix()
	object, err := k.write(asked)
	a = answer{From: from, To: time.Now().Unix()}
	if err == nil {
		a.Object = object.UnstructuredContent()
		return a
	}
	a.Error, a.Code = err.Error(), 500
	var status *apierrors.StatusError
	if errors.As(err, &status) {
		a.Code = status.ErrStatus.Code
		if status.ErrStatus.Details != nil {
			a.Causes = status.ErrStatus.Details.Causes
		}
	}
	return a
}

func (k *kind) write(asked write) (*unstructured.Unstructured, error) {
	manager, prepare := k.main, k.prepareMain
	if asked.Subresource == "status" {
		manager, prepare = k.status, k.prepareStatus
	}
	live := &unstructured.Unstructured{Object: integral(asked.Live).(map[string]any)}
	creates := len(asked.Live) == 0
	if creates {
		live = &unstructured.Unstructured{}
		live.SetGroupVersionKind(k.gvk)
	}
	given := &unstructured.Unstructured{Object: integral(asked.Object).(map[string]any)}
	var changed runtime.Object
	var err error
	if asked.Operation == "Apply" {
		changed, err = manager.Apply(live, given, asked.Manager, asked.Force)
	} else {
		changed, err = manager.Update(live.DeepCopy(), given, asked.Manager)
	}
	if err != nil {
		return nil, err
	}
	if !creates {
		if changed, err = fieldmanager.IgnoreManagedFieldsTimestampsTransformer(context.Background(), changed, live); err != nil {
			return nil, err
		}
		prepare(changed, live)
	}
	return changed.(*unstructured.Unstructured), nil
}

// integral turns the whole numbers of decoded JSON into integers, as Kubernetes' decoder does.
func integral(value any) any {
	switch v := value.(type) {
	case map[string]any:
		for key, item := range v {
			v[key] = integral(item)
		}
	case []any:
		for i, item := range v {
			v[i] = integral(item)
		}
	case float64:
		if v == float64(int64(v)) {
			return int64(v)
		}
	}
	return value
}
