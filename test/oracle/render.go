package main

import (
	"context"
	"encoding/json"
	"fmt"

	corev1 "k8s.io/api/core/v1"
	schedulingv1 "k8s.io/api/scheduling/v1"
	apiruntime "k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/serializer"
	"k8s.io/apimachinery/pkg/util/managedfields"
	clientgoapply "k8s.io/client-go/applyconfigurations"
	clientgoscheme "k8s.io/client-go/kubernetes/scheme"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/fake"
	"sigs.k8s.io/controller-runtime/pkg/client/interceptor"
	jobsetv1alpha2 "sigs.k8s.io/jobset/api/jobset/v1alpha2"
	schedulerpluginsv1alpha1 "sigs.k8s.io/scheduler-plugins/apis/scheduling/v1alpha1"
	volcanov1beta1 "volcano.sh/apis/pkg/apis/scheduling/v1beta1"

	trainer "github.com/kubeflow/trainer/v2/pkg/apis/trainer/v1alpha1"
	"github.com/kubeflow/trainer/v2/pkg/features"
	"github.com/kubeflow/trainer/v2/pkg/runtime"
	runtimecore "github.com/kubeflow/trainer/v2/pkg/runtime/core"
	testingutil "github.com/kubeflow/trainer/v2/pkg/util/testing"
	"github.com/kubeflow/trainer/v2/pkg/webhooks"
)

// Question is a TrainJob and everything of the cluster that matters to it.
type Question struct {
	Runtimes []json.RawMessage `json:"runtimes,omitempty"`
	Objects  []json.RawMessage `json:"objects,omitempty"`
	// StatusServer turns the feature gate TrainJobStatus on, with the server's CA certificate.
	StatusServer string          `json:"statusServer,omitempty"`
	TrainJob     json.RawMessage `json:"trainJob"`
	OldTrainJob  json.RawMessage `json:"oldTrainJob,omitempty"`
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
	Allowed  bool     `json:"allowed,omitempty"`
	Warnings []string `json:"warnings,omitempty"`
	Objects  []any    `json:"objects,omitempty"`
	Error    string   `json:"error,omitempty"`
}

// Fault is a field error of a webhook.
type Fault struct {
	Path   string `json:"path"`
	Detail string `json:"detail"`
}

var scheme = func() *apiruntime.Scheme {
	scheme := apiruntime.NewScheme()
	for _, add := range []func(*apiruntime.Scheme) error{
		clientgoscheme.AddToScheme, trainer.AddToScheme, jobsetv1alpha2.AddToScheme,
		schedulerpluginsv1alpha1.AddToScheme, volcanov1beta1.AddToScheme,
	} {
		if err := add(scheme); err != nil {
			panic(err)
		}
	}
	return scheme
}()

// converters are what the in-memory client would make for itself, once instead of for every question.
var converters = []managedfields.TypeConverter{
	clientgoapply.NewTypeConverter(clientgoscheme.Scheme), managedfields.NewDeducedTypeConverter(),
}

var decoder = serializer.NewCodecFactory(scheme).UniversalDeserializer()

func decode(raw []byte) (client.Object, error) {
	object, _, err := decoder.Decode(raw, nil, nil)
	if err != nil {
		return nil, err
	}
	return object.(client.Object), nil
}

// newRuntimes gives upstream's framework a client that holds the objects in memory.
func newRuntimes(ctx context.Context, statusCA string, objects ...client.Object) (map[string]runtime.Runtime, error) {
	if err := features.SetEnable(features.TrainJobStatus, statusCA != ""); err != nil {
		return nil, err
	}
	if statusCA != "" {
		objects = append(objects, statusSecret(statusCA))
	}
	builder := fake.NewClientBuilder().WithScheme(scheme).WithTypeConverters(converters...).WithObjects(objects...).WithInterceptorFuncs(interceptor.Funcs{Get: getWithKind})
	return runtimecore.New(ctx, builder.Build(), testingutil.AsIndex(builder), configuration)
}

// getWithKind sets apiVersion and kind of runtimes, as the manager's cached client does and the in-memory one does not:
// without them the second rendering of a job refuses the runtime snapshot that the first one took.
func getWithKind(ctx context.Context, c client.WithWatch, key client.ObjectKey, object client.Object, opts ...client.GetOption) error {
	if err := c.Get(ctx, key, object, opts...); err != nil {
		return err
	}
	switch object.(type) {
	case *trainer.ClusterTrainingRuntime:
		object.GetObjectKind().SetGroupVersionKind(trainer.GroupVersion.WithKind(trainer.ClusterTrainingRuntimeKind))
	case *trainer.TrainingRuntime:
		object.GetObjectKind().SetGroupVersionKind(trainer.GroupVersion.WithKind(trainer.TrainingRuntimeKind))
	}
	return nil
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
	return a.render(ctx, question.StatusServer, stored, job, objects)
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

func (a *Answer) render(ctx context.Context, statusCA string, stored, job *trainer.TrainJob, objects []client.Object) error {
	runtimes, err := newRuntimes(ctx, statusCA, objects...)
	if err != nil {
		return err
	}
	key := runtime.RuntimeRefToRuntimeRegistryKey(job.Spec.RuntimeRef)
	chosen, ok := runtimes[key]
	if !ok {
		return fmt.Errorf("unsupported runtime: %s", key)
	}
	warnings, faults := chosen.ValidateObjects(ctx, stored, job.DeepCopy())
	a.Warnings = append(a.Warnings, warnings...)
	a.JobErrors = faultsOf(faults.ToAggregate())
	if a.Allowed, err = throughWebhooks(ctx, runtimes, stored, job, objects); err != nil {
		return err
	}
	rendered, err := chosen.NewObjects(ctx, job)
	for _, object := range rendered {
		a.Objects = append(a.Objects, object)
	}
	return err
}
