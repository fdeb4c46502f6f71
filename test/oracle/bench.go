package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/yaml"

	trainer "github.com/kubeflow/trainer/v2/pkg/apis/trainer/v1alpha1"
	"github.com/kubeflow/trainer/v2/pkg/runtime"
)

type benchmark struct {
	runtime runtime.Runtime
	job     *trainer.TrainJob
}

// Round is one measurement. Bytes of all outputs together: proof that they were made.
type Round struct {
	Calls         int     `json:"calls"`
	MicrosPerCall float64 `json:"microsPerCall"`
	Bytes         int     `json:"bytes"`
}

func newBenchmark(runtimeFile, jobFile string) (*benchmark, error) {
	var template trainer.ClusterTrainingRuntime
	var job trainer.TrainJob
	for file, into := range map[string]any{runtimeFile: &template, jobFile: &job} {
		raw, err := os.ReadFile(file)
		if err != nil {
			return nil, err
		}
		if err := yaml.UnmarshalStrict(raw, into); err != nil {
			return nil, fmt.Errorf("%s: %w", file, err)
		}
	}
	// as in every pass but the first one: keys are made once
	keys := &corev1.Secret{ObjectMeta: metav1.ObjectMeta{Namespace: job.Namespace, Name: job.Name + "-mpi-ssh-auth"}}
	cluster, err := newCluster(context.Background(), clusterOptions{}, client.Object(&template), keys)
	if err != nil {
		return nil, err
	}
	chosen, ok := cluster.runtimes[runtime.RuntimeRefToRuntimeRegistryKey(job.Spec.RuntimeRef)]
	if !ok {
		return nil, fmt.Errorf("the TrainJob names an unsupported runtime")
	}
	return &benchmark{chosen, &job}, nil
}

// round times NewObjects and the JSON of its result; every call gets a copy of the job of its own, made beforehand.
func (b *benchmark) round(ctx context.Context, calls int) (Round, error) {
	jobs := make([]*trainer.TrainJob, calls)
	for i := range jobs {
		jobs[i] = b.job.DeepCopy()
	}
	written := 0
	start := time.Now()
	for _, job := range jobs {
		objects, err := b.runtime.NewObjects(ctx, job)
		if err != nil {
			return Round{}, err
		}
		out, err := json.Marshal(objects)
		if err != nil {
			return Round{}, err
		}
		written += len(out)
	}
	return Round{calls, float64(time.Since(start).Nanoseconds()) / 1e3 / float64(calls), written}, nil
}
