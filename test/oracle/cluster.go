package main

import (
	"context"
	"fmt"
	"slices"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/api/meta/testrestmapper"
	apiruntime "k8s.io/apimachinery/pkg/runtime"
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
)

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

// mapper knows every kind, plainMapper no kind of JobSet or of a scheduler.
var mapper, plainMapper = testrestmapper.TestOnlyStaticRESTMapper(scheme), func() meta.RESTMapper {
	plain := apiruntime.NewScheme()
	for _, add := range []func(*apiruntime.Scheme) error{clientgoscheme.AddToScheme, trainer.AddToScheme} {
		if err := add(plain); err != nil {
			panic(err)
		}
	}
	return testrestmapper.TestOnlyStaticRESTMapper(plain)
}()

// cluster is an API server in memory and upstream's code around it.
type cluster struct {
	client   client.Client
	runtimes map[string]runtime.Runtime
	// indexed makes a client that has the indices which upstream's code asked for.
	indexed func() client.Client
	// applied are the configurations that were applied, in order; a cluster that records does not carry them out.
	applied []any
	// deleted are the objects that a deletion was asked for, as "kind name".
	deleted []string
}

type clusterOptions struct {
	// statusCA turns the feature gate TrainJobStatus on, with the server's CA certificate.
	statusCA string
	// failing are requests that the API server answers with 500, as "verb kind".
	failing []string
	// withoutCRDs leaves out the kinds of JobSet and of the schedulers.
	withoutCRDs bool
	// records keeps what is applied and deleted instead of doing it.
	records bool
}

// newCluster gives upstream's framework a client that holds the objects in memory.
func newCluster(ctx context.Context, options clusterOptions, objects ...client.Object) (*cluster, error) {
	if err := features.SetEnable(features.TrainJobStatus, options.statusCA != ""); err != nil {
		return nil, err
	}
	if options.statusCA != "" {
		objects = append(objects, statusSecret(options.statusCA))
	}
	made := &cluster{}
	funcs := interceptor.Funcs{Get: made.get(options)}
	if options.records {
		funcs.Apply = made.apply(options)
		funcs.Delete = made.delete(options)
	}
	kinds := mapper
	if options.withoutCRDs {
		kinds = plainMapper
	}
	builder := func() *fake.ClientBuilder {
		return fake.NewClientBuilder().WithScheme(scheme).WithTypeConverters(converters...).WithRESTMapper(kinds).
			WithStatusSubresource(&trainer.TrainJob{}).WithObjects(objects...).WithInterceptorFuncs(funcs)
	}
	later := builder()
	made.client = builder().Build()
	made.indexed = func() client.Client { return later.Build() }
	var err error
	made.runtimes, err = runtimecore.New(ctx, made.client, testingutil.AsIndex(later), configuration)
	return made, err
}

// get sets apiVersion and kind of runtimes, as the manager's cached client does and the in-memory one does not: without
// them the second rendering of a job refuses the runtime snapshot that the first one took.
func (c *cluster) get(options clusterOptions) func(context.Context, client.WithWatch, client.ObjectKey, client.Object, ...client.GetOption) error {
	return func(ctx context.Context, inner client.WithWatch, key client.ObjectKey, object client.Object, opts ...client.GetOption) error {
		if err := options.refusal("get", object); err != nil {
			return err
		}
		if err := inner.Get(ctx, key, object, opts...); err != nil {
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
}

func (c *cluster) apply(options clusterOptions) func(context.Context, client.WithWatch, apiruntime.ApplyConfiguration, ...client.ApplyOption) error {
	return func(_ context.Context, _ client.WithWatch, object apiruntime.ApplyConfiguration, _ ...client.ApplyOption) error {
		if err := options.refusal("apply", object); err != nil {
			return err
		}
		c.applied = append(c.applied, object)
		return nil
	}
}

func (c *cluster) delete(options clusterOptions) func(context.Context, client.WithWatch, client.Object, ...client.DeleteOption) error {
	return func(_ context.Context, _ client.WithWatch, object client.Object, _ ...client.DeleteOption) error {
		if err := options.refusal("delete", object); err != nil {
			return err
		}
		c.deleted = append(c.deleted, kindOf(object)+" "+object.GetName())
		return nil
	}
}

// refusal is the API server's answer to a request that is meant to fail.
func (options clusterOptions) refusal(verb string, object any) error {
	request := verb + " " + kindOf(object)
	if !slices.Contains(options.failing, request) {
		return nil
	}
	return apierrors.NewInternalError(fmt.Errorf("%s is meant to fail", request))
}

// kindOf is the kind of an object or of what is applied to one: the name of its Go type, which both have in common.
func kindOf(object any) string {
	if typed, ok := object.(apiruntime.Object); ok {
		if kinds, _, err := scheme.ObjectKinds(typed); err == nil {
			return kinds[0].Kind
		}
	}
	if configured, ok := object.(interface{ GetKind() *string }); ok && configured.GetKind() != nil {
		return *configured.GetKind()
	}
	return fmt.Sprintf("%T", object)
}
