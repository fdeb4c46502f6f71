package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"

	"github.com/go-logr/logr"
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

// throughWebhooks asks upstream's admission webhooks as an API server does: the mutating one, then the validating ones.
func throughWebhooks(ctx context.Context, runtimes map[string]runtime.Runtime, stored, job *trainer.TrainJob, objects []client.Object) (bool, error) {
	hooks := &server{byPath: map[string]http.Handler{}}
	if kind, err := webhooks.Setup(&manager{server: hooks}, runtimes); err != nil {
		return false, fmt.Errorf("webhooks of %s: %w", kind, err)
	}
	allowed := true
	ask := func(verb, plural, kind string, object, old client.Object) error {
		path := fmt.Sprintf("/%s-trainer-kubeflow-org-v1alpha1-%s", verb, plural)
		handler, known := hooks.byPath[path]
		if !known {
			return nil // a webhook that this release does not have
		}
		answer, err := review(ctx, handler, kind, object, old)
		allowed = allowed && err == nil && answer
		return err
	}
	var old client.Object
	if stored != nil {
		old = stored
	}
	for _, object := range objects {
		switch object.(type) {
		case *trainer.ClusterTrainingRuntime:
			if err := ask("validate", "clustertrainingruntime", trainer.ClusterTrainingRuntimeKind, object, nil); err != nil {
				return false, err
			}
			if err := ask("validate", "clustertrainingruntime", trainer.ClusterTrainingRuntimeKind, object, object); err != nil {
				return false, err
			}
		case *trainer.TrainingRuntime:
			if err := ask("validate", "trainingruntime", trainer.TrainingRuntimeKind, object, nil); err != nil {
				return false, err
			}
			if err := ask("validate", "trainingruntime", trainer.TrainingRuntimeKind, object, object); err != nil {
				return false, err
			}
		}
	}
	if err := ask("mutate", "trainjob", trainer.TrainJobKind, job, old); err != nil {
		return false, err
	}
	return allowed, ask("validate", "trainjob", trainer.TrainJobKind, job, old)
}

func review(ctx context.Context, handler http.Handler, kind string, object, old client.Object) (bool, error) {
	request := &admissionv1.AdmissionRequest{
		UID:       "review",
		Kind:      metav1.GroupVersionKind{Group: trainer.GroupVersion.Group, Version: trainer.GroupVersion.Version, Kind: kind},
		Operation: admissionv1.Create,
	}
	var err error
	if request.Object.Raw, err = json.Marshal(object); err != nil {
		return false, err
	}
	if old != nil {
		request.Operation = admissionv1.Update
		if request.OldObject.Raw, err = json.Marshal(old); err != nil {
			return false, err
		}
	}
	body, err := json.Marshal(admissionv1.AdmissionReview{
		TypeMeta: metav1.TypeMeta{APIVersion: "admission.k8s.io/v1", Kind: "AdmissionReview"},
		Request:  request,
	})
	if err != nil {
		return false, err
	}
	recorder := httptest.NewRecorder()
	posted := httptest.NewRequestWithContext(ctx, http.MethodPost, "/", bytes.NewReader(body))
	posted.Header.Set("Content-Type", "application/json")
	handler.ServeHTTP(recorder, posted)
	var answered admissionv1.AdmissionReview
	if err := json.Unmarshal(recorder.Body.Bytes(), &answered); err != nil {
		return false, fmt.Errorf("a webhook answered %d: %w", recorder.Code, err)
	}
	return answered.Response.Allowed, nil
}
