package main

import (
	"context"
	"errors"
	"fmt"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	apiruntime "k8s.io/apimachinery/pkg/runtime"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"

	trainer "github.com/kubeflow/trainer/v2/pkg/apis/trainer/v1alpha1"
	"github.com/kubeflow/trainer/v2/pkg/controller"
)

// Pass is what one pass of upstream's controller did to a TrainJob.
type Pass struct {
	// Status of the TrainJob afterwards.
	Status trainer.TrainJobStatus `json:"status"`
	// Applied are the objects, in any order; Deleted names others as "kind name".
	Applied []any    `json:"applied,omitempty"`
	Deleted []string `json:"deleted,omitempty"`
	// Events are the reasons of what it told the user.
	Events []string `json:"events,omitempty"`
	// Error is why it wants to try again.
	Error string `json:"error,omitempty"`
	// Later says that it wants to look again at a time of its own choice.
	Later bool `json:"later,omitempty"`
}

// eventReasons hears what the controller tells the user.
type eventReasons struct{ reasons []string }

func (e *eventReasons) Eventf(_, _ apiruntime.Object, _, reason, _, _ string, _ ...any) {
	e.reasons = append(e.reasons, reason)
}

func (a *Answer) reconcile(ctx context.Context, question Question, job *trainer.TrainJob, objects []client.Object) error {
	cluster, err := newCluster(ctx, clusterOptions{
		statusCA: question.StatusServer, failing: question.Failing, withoutCRDs: question.WithoutCRDs, records: true,
	}, append(objects, job)...)
	if err != nil {
		return err
	}
	told := &eventReasons{}
	key := client.ObjectKeyFromObject(job)
	result, failure := controller.NewTrainJobReconciler(cluster.client, told, cluster.runtimes).
		Reconcile(ctx, ctrl.Request{NamespacedName: key})
	var after trainer.TrainJob
	if err := cluster.client.Get(ctx, key, &after); err != nil {
		return fmt.Errorf("reading the TrainJob: %w", err)
	}
	a.Pass = &Pass{
		Status: after.Status, Applied: cluster.applied, Deleted: cluster.deleted,
		Events: told.reasons, Later: result.RequeueAfter > 0,
	}
	for _, one := range parts(failure) {
		// a JobSet that was not there is not there yet: nothing is carried out here
		if status := apierrors.APIStatus(nil); !(apierrors.IsNotFound(one) && errors.As(one, &status) && status.Status().Details.Kind == "jobsets") {
			a.Pass.Error += one.Error() + "\n"
		}
	}
	return nil
}

// parts are the errors that were joined into one.
func parts(err error) []error {
	if err == nil {
		return nil
	}
	joined, many := err.(interface{ Unwrap() []error })
	if !many {
		return []error{err}
	}
	var all []error
	for _, one := range joined.Unwrap() {
		all = append(all, parts(one)...)
	}
	return all
}
