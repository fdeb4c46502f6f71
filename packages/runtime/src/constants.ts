/** Where pods of a job talk to each other, unless told otherwise. Source: kubeflow/trainer v2.3.0, pkg/constants. */
export const TRAINER_PORT = 29500
/** Downward API field with a pod's index among the pods of its Job. Source: k8s.io/api/batch/v1. */
export const COMPLETION_INDEX_FIELD = "metadata.annotations['batch.kubernetes.io/job-completion-index']"
