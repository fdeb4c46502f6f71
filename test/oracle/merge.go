package main

import (
	"encoding/json"
	"fmt"

	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/strategicpatch"
	jobsetv1alpha2 "sigs.k8s.io/jobset/api/jobset/v1alpha2"
)

// MergeQuestion is a strategic merge patch of an object of a Go type.
type MergeQuestion struct {
	Type     string          `json:"type"`
	Original json.RawMessage `json:"original"`
	Patch    json.RawMessage `json:"patch"`
}

// MergeAnswer is the merged object, or why there is none.
type MergeAnswer struct {
	Merged json.RawMessage `json:"merged,omitempty"`
	Error  string          `json:"error,omitempty"`
}

var mergeTypes = map[string]any{
	"core.Pod":          corev1.Pod{},
	"core.Service":      corev1.Service{},
	"batch.Job":         batchv1.Job{},
	"jobset.JobSetSpec": jobsetv1alpha2.JobSetSpec{},
}

func merge(question MergeQuestion) (a MergeAnswer) {
	defer func() {
		if cause := recover(); cause != nil {
			a = MergeAnswer{Error: fmt.Sprintf("panic: %v", cause)}
		}
	}()
	goType, ok := mergeTypes[question.Type]
	if !ok {
		return MergeAnswer{Error: "unknown type " + question.Type}
	}
	merged, err := strategicpatch.StrategicMergePatch(question.Original, question.Patch, goType)
	if err != nil {
		return MergeAnswer{Error: err.Error()}
	}
	return MergeAnswer{Merged: merged}
}
