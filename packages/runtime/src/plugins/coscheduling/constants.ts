/** Source: sigs.k8s.io/scheduler-plugins v0.34, apis/scheduling/v1alpha1. */
export const COSCHEDULING_GROUP = 'scheduling.x-k8s.io'
/** On a pod: which gang it belongs to. */
export const POD_GROUP_LABEL = 'scheduling.x-k8s.io/pod-group'
/** When the policy does not say. Source: kubeflow/trainer v2.3.0, pkg/apis/trainer/v1alpha1. */
export const DEFAULT_TIMEOUT_SECONDS = 60
