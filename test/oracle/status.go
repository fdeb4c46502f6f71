package main

import (
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	configapi "github.com/kubeflow/trainer/v2/pkg/apis/config/v1alpha1"
)

// configuration is what the manager has when its file says nothing.
var configuration = func() *configapi.Configuration {
	port := int32(10443)
	return &configapi.Configuration{
		StatusServer: &configapi.StatusServer{Port: &port},
		CertManagement: &configapi.CertManagement{
			WebhookServiceName: "kubeflow-trainer-controller-manager",
			WebhookSecretName:  "kubeflow-trainer-webhook-cert",
		},
	}
}()

// statusSecret is where upstream finds the certificate of its own server.
func statusSecret(ca string) *corev1.Secret {
	return &corev1.Secret{
		ObjectMeta: metav1.ObjectMeta{Namespace: "kubeflow-system", Name: configuration.CertManagement.WebhookSecretName},
		Data:       map[string][]byte{"ca.crt": []byte(ca)},
	}
}
