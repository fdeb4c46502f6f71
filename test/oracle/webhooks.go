package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"

	"github.com/go-logr/logr"
	jsonpatch "gopkg.in/evanphx/json-patch.v4"
	admissionv1 "k8s.io/api/admission/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	apiruntime "k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/rest"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/webhook"

	trainer "github.com/kubeflow/trainer/v2/pkg/apis/trainer/v1alpha1"
	"github.com/kubeflow/trainer/v2/pkg/runtime"
	"github.com/kubeflow/trainer/v2/pkg/webhooks"
)

// manager stands in for the one of a controller: it hands out a server that keeps what upstream registers.
type manager struct {
	ctrl.Manager
	server *server
}

func (m *manager) GetScheme() *apiruntime.Scheme    { return scheme }
func (m *manager) GetConfig() *rest.Config          { return &rest.Config{} }
func (m *manager) GetLogger() logr.Logger           { return logr.Discard() }
func (m *manager) GetWebhookServer() webhook.Server { return m.server }

type server struct {
	webhook.Server
	byPath map[string]http.Handler
}

func (s *server) Register(path string, handler http.Handler) { s.byPath[path] = handler }
func (s *server) WebhookMux() *http.ServeMux                 { return http.NewServeMux() }

// askWebhooks asks upstream's admission webhooks as an API server does: the mutating one, then the validating ones, and
// about deletions. Of two kinds of runtime only the one of the question has a webhook to ask.
func (a *Answer) askWebhooks(ctx context.Context, runtimes map[string]runtime.Runtime, stored, job *trainer.TrainJob, objects []client.Object, oldRuntimes map[string]client.Object) error {
	hooks := &server{byPath: map[string]http.Handler{}}
	if kind, err := webhooks.Setup(&manager{server: hooks}, runtimes); err != nil {
		return fmt.Errorf("webhooks of %s: %w", kind, err)
	}
	a.Reviews = map[string]bool{}
	ask := func(verb string, operation admissionv1.Operation, object, old client.Object) (json.RawMessage, error) {
		kind := kindOf(object)
		path := fmt.Sprintf("/%s-trainer-kubeflow-org-v1alpha1-%s", verb, strings.ToLower(kind))
		handler, known := hooks.byPath[path]
		if !known {
			return nil, nil // a webhook that this release does not have
		}
		answer, err := review(ctx, handler, operation, kind, object, old)
		if err != nil {
			return nil, err
		}
		a.Reviews[fmt.Sprintf("%s %s %s", verb, operation, kind)] = answer.Allowed
		return answer.Patch, nil
	}
	for _, object := range objects {
		switch object.(type) {
		case *trainer.ClusterTrainingRuntime, *trainer.TrainingRuntime:
			if _, err := ask("validate", admissionv1.Create, object, nil); err != nil {
				return err
			}
			old := object
			if before, updated := oldRuntimes[object.GetName()]; updated {
				old = before
			}
			if _, err := ask("validate", admissionv1.Update, object, old); err != nil {
				return err
			}
			if _, err := ask("validate", admissionv1.Delete, object, object); err != nil {
				return err
			}
		}
	}
	operation, old := admissionv1.Create, client.Object(nil)
	if stored != nil {
		operation, old = admissionv1.Update, stored
	}
	patch, err := ask("mutate", operation, job, old)
	if err != nil {
		return err
	}
	if a.Defaulted, err = patched(job, patch); err != nil {
		return err
	}
	if _, err := ask("validate", operation, a.Defaulted, old); err != nil {
		return err
	}
	if _, err := ask("validate", admissionv1.Delete, job, job); err != nil {
		return err
	}
	a.Allowed = true
	for _, allowed := range a.Reviews {
		a.Allowed = a.Allowed && allowed
	}
	return nil
}

// patched is the TrainJob after a JSON patch.
func patched(job *trainer.TrainJob, operations json.RawMessage) (*trainer.TrainJob, error) {
	if len(operations) == 0 {
		return job, nil
	}
	patch, err := jsonpatch.DecodePatch(operations)
	if err != nil {
		return nil, err
	}
	before, err := json.Marshal(job)
	if err != nil {
		return nil, err
	}
	after, err := patch.Apply(before)
	if err != nil {
		return nil, err
	}
	changed := &trainer.TrainJob{}
	return changed, json.Unmarshal(after, changed)
}

func review(ctx context.Context, handler http.Handler, operation admissionv1.Operation, kind string, object, old client.Object) (*admissionv1.AdmissionResponse, error) {
	request := &admissionv1.AdmissionRequest{
		UID:       "review",
		Kind:      metav1.GroupVersionKind{Group: trainer.GroupVersion.Group, Version: trainer.GroupVersion.Version, Kind: kind},
		Operation: operation,
	}
	var err error
	if operation != admissionv1.Delete {
		if request.Object.Raw, err = json.Marshal(object); err != nil {
			return nil, err
		}
	}
	if old != nil {
		if request.OldObject.Raw, err = json.Marshal(old); err != nil {
			return nil, err
		}
	}
	body, err := json.Marshal(admissionv1.AdmissionReview{
		TypeMeta: metav1.TypeMeta{APIVersion: "admission.k8s.io/v1", Kind: "AdmissionReview"},
		Request:  request,
	})
	if err != nil {
		return nil, err
	}
	recorder := httptest.NewRecorder()
	posted := httptest.NewRequestWithContext(ctx, http.MethodPost, "/", bytes.NewReader(body))
	posted.Header.Set("Content-Type", "application/json")
	handler.ServeHTTP(recorder, posted)
	var answered admissionv1.AdmissionReview
	if err := json.Unmarshal(recorder.Body.Bytes(), &answered); err != nil {
		return nil, fmt.Errorf("a webhook answered %d: %w", recorder.Code, err)
	}
	return answered.Response, nil
}
