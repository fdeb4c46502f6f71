package main

import (
	"context"
	"encoding/json"
	"fmt"

	corev1 "k8s.io/api/core/v1"
	schedulingv1 "k8s.io/api/scheduling/v1"
	"k8s.io/apimachinery/pkg/runtime/serializer"
	"sigs.k8s.io/controller-runtime/pkg/client"

	trainer "github.com/kubeflow/trainer/v2/pkg/apis/trainer/v1alpha1"
	"github.com/kubeflow/trainer/v2/pkg/runtime"
	"github.com/kubeflow/trainer/v2/pkg/webhooks"
)

// Question is a TrainJob and everything of the cluster that matters to it.
type Question struct {
	Runtimes []json.RawMessage `json:"runtimes,omitempty"`
	// OldRuntimes are what the runtimes were before an update that the webhooks are asked about too; null where there
	// was none.
	OldRuntimes []json.RawMessage `json:"oldRuntimes,omitempty"`
	Objects     []json.RawMessage `json:"objects,omitempty"`
	// StatusServer turns the feature gate TrainJobStatus on, with the server's CA certificate.
	StatusServer string          `json:"statusServer,omitempty"`
	TrainJob     json.RawMessage `json:"trainJob"`
	OldTrainJob  json.RawMessage `json:"oldTrainJob,omitempty"`
	// Reconcile asks for one pass of the controller instead of rendering.
	Reconcile bool `json:"reconcile,omitempty"`
	// Failing are requests of that pass that the API server answers with 500, as "verb kind".
	Failing []string `json:"failing,omitempty"`
	// Event asks which jobs the controller looks at when that happens.
	Event *Event `json:"event,omitempty"`
	// WithoutCRDs leaves out the kinds of JobSet and of the schedulers.
	WithoutCRDs bool `json:"withoutCRDs,omitempty"`
}

// Answer says what upstream does with it. RuntimeErrors and JobErrors come from the webhooks, SchemaErrors from the
// API server before them.
type Answer struct {
	Runtimes      []json.RawMessage `json:"runtimes,omitempty"`
	TrainJob      json.RawMessage   `json:"trainJob,omitempty"`
	SchemaErrors  []string          `json:"schemaErrors,omitempty"`
	RuntimeErrors []Fault           `json:"runtimeErrors,omitempty"`
	JobErrors     []Fault           `json:"jobErrors,omitempty"`
	// Allowed says whether the webhooks, asked over HTTP as an API server does, let the TrainJob and its runtimes in.
	Allowed bool `json:"allowed,omitempty"`
	// Reviews says, for each webhook and operation that was asked, whether it let the object in.
	Reviews map[string]bool `json:"reviews,omitempty"`
	// Defaulted is the TrainJob as the mutating webhook left it.
	Defaulted *trainer.TrainJob `json:"defaulted,omitempty"`
	Warnings  []string          `json:"warnings,omitempty"`
	Objects   []any             `json:"objects,omitempty"`
	// PodSets are the pods that other controllers count, Kueue among them.
	PodSets []PodSet `json:"podSets,omitempty"`
	// Rewritten is the TrainJob after it went through upstream's Go types, as when another controller writes it back.
	Rewritten json.RawMessage `json:"rewritten,omitempty"`
	// Pass is what one pass of the controller did.
	Pass *Pass `json:"pass,omitempty"`
	// Requests are the jobs that the controller looks at, as "namespace/name".
	Requests []string `json:"requests,omitempty"`
	Error    string   `json:"error,omitempty"`
}

// PodSet is a number of pods of one replicated job.
type PodSet struct {
	Name     string  `json:"name"`
	Ancestor *string `json:"ancestor,omitempty"`
	Count    int32   `json:"count"`
}

// Fault is a field error of a webhook.
type Fault struct {
	Path   string `json:"path"`
	Detail string `json:"detail"`
}

var decoder = serializer.NewCodecFactory(scheme).UniversalDeserializer()

func decode(raw []byte) (client.Object, error) {
	object, _, err := decoder.Decode(raw, nil, nil)
	if err != nil {
		return nil, err
	}
	return object.(client.Object), nil
}

func answer(ctx context.Context, schemas schemas, question Question) (a Answer) {
	defer func() {
		if cause := recover(); cause != nil {
			a.Error = fmt.Sprintf("panic: %v", cause)
		}
	}()
	if err := a.fill(ctx, schemas, question); err != nil {
		a.Error = err.Error()
	}
	return a
}

func (a *Answer) fill(ctx context.Context, schemas schemas, question Question) error {
	var objects []client.Object
	for i, raw := range append(append([]json.RawMessage{}, question.Runtimes...), question.Objects...) {
		admitted, faults := schemas.admit(raw, nil)
		a.SchemaErrors = append(a.SchemaErrors, faults...)
		if i < len(question.Runtimes) {
			a.Runtimes = append(a.Runtimes, admitted)
		}
		object, err := decode(admitted)
		if err != nil {
			return fmt.Errorf("decoding: %w", err)
		}
		objects = append(objects, object)
	}
	var stored *trainer.TrainJob
	if len(question.OldTrainJob) > 0 {
		var err error
		question.OldTrainJob, _ = schemas.admit(question.OldTrainJob, nil)
		if stored, err = decodeTrainJob(question.OldTrainJob); err != nil {
			return err
		}
	}
	var faults []string
	a.TrainJob, faults = schemas.admit(question.TrainJob, question.OldTrainJob)
	a.SchemaErrors = append(a.SchemaErrors, faults...)
	job, err := decodeTrainJob(a.TrainJob)
	if err != nil {
		return err
	}
	for _, object := range objects {
		if !ofCluster(object) && object.GetNamespace() == "" {
			object.SetNamespace(job.Namespace)
		}
		a.validateRuntime(ctx, object)
	}
	switch {
	case question.Event != nil:
		return a.enqueue(ctx, question, append(objects, job))
	case question.Reconcile:
		return a.reconcile(ctx, question, job, objects)
	}
	old := map[string]client.Object{}
	for i, raw := range question.OldRuntimes {
		if string(raw) == "null" {
			continue
		}
		admitted, _ := schemas.admit(raw, nil)
		if old[objects[i].GetName()], err = decode(admitted); err != nil {
			return fmt.Errorf("decoding: %w", err)
		}
	}
	return a.render(ctx, question.StatusServer, stored, job, objects, old)
}

func decodeTrainJob(raw json.RawMessage) (*trainer.TrainJob, error) {
	object, err := decode(raw)
	if err != nil {
		return nil, fmt.Errorf("decoding: %w", err)
	}
	job, ok := object.(*trainer.TrainJob)
	if !ok {
		return nil, fmt.Errorf("expected a TrainJob, found a %T", object)
	}
	if job.Namespace == "" {
		job.Namespace = corev1.NamespaceDefault
	}
	return job, nil
}

// ofCluster says whether objects of this kind have no namespace.
func ofCluster(object client.Object) bool {
	switch object.(type) {
	case *trainer.ClusterTrainingRuntime, *schedulingv1.PriorityClass:
		return true
	}
	return false
}

func (a *Answer) validateRuntime(ctx context.Context, object client.Object) {
	var warnings []string
	var err error
	switch typed := object.(type) {
	case *trainer.ClusterTrainingRuntime:
		warnings, err = (&webhooks.ClusterTrainingRuntimeValidator{}).ValidateCreate(ctx, typed)
	case *trainer.TrainingRuntime:
		warnings, err = (&webhooks.TrainingRuntimeValidator{}).ValidateCreate(ctx, typed)
	}
	a.Warnings = append(a.Warnings, warnings...)
	a.RuntimeErrors = append(a.RuntimeErrors, faultsOf(err)...)
}

func (a *Answer) render(ctx context.Context, statusCA string, stored, job *trainer.TrainJob, objects []client.Object, oldRuntimes map[string]client.Object) error {
	cluster, err := newCluster(ctx, clusterOptions{statusCA: statusCA}, objects...)
	if err != nil {
		return err
	}
	runtimes := cluster.runtimes
	key := runtime.RuntimeRefToRuntimeRegistryKey(job.Spec.RuntimeRef)
	chosen, ok := runtimes[key]
	if !ok {
		if err := a.askWebhooks(ctx, runtimes, stored, job, objects, oldRuntimes); err != nil {
			return err
		}
		return fmt.Errorf("unsupported runtime: %s", key)
	}
	warnings, faults := chosen.ValidateObjects(ctx, stored, job.DeepCopy())
	a.Warnings = append(a.Warnings, warnings...)
	a.JobErrors = faultsOf(faults.ToAggregate())
	if err := a.askWebhooks(ctx, runtimes, stored, job, objects, oldRuntimes); err != nil {
		return err
	}
	if a.Rewritten, err = json.Marshal(job); err != nil {
		return err
	}
	if a.PodSets, err = podSets(chosen, job.DeepCopy(), objects); err != nil {
		return err
	}
	rendered, err := chosen.NewObjects(ctx, job)
	for _, object := range rendered {
		a.Objects = append(a.Objects, object)
	}
	return err
}

func podSets(chosen runtime.Runtime, job *trainer.TrainJob, objects []client.Object) ([]PodSet, error) {
	var sets []PodSet
	for _, object := range objects {
		var spec trainer.TrainingRuntimeSpec
		switch typed := object.(type) {
		case *trainer.ClusterTrainingRuntime:
			spec = typed.DeepCopy().Spec
		case *trainer.TrainingRuntime:
			spec = typed.DeepCopy().Spec
		default:
			continue
		}
		if object.GetName() != job.Spec.RuntimeRef.Name {
			continue
		}
		info, err := chosen.RuntimeInfo(job, spec.Template, spec.MLPolicy, spec.PodGroupPolicy)
		if err != nil {
			return nil, err
		}
		for _, set := range info.TemplateSpec.PodSets {
			sets = append(sets, PodSet{set.Name, set.Ancestor, *set.Count})
		}
	}
	return sets, nil
}
