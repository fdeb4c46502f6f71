/**
 * Names in initializer jobs. Source: kubeflow/trainer v2.3.0, pkg/runtime/framework/plugins/jobset/constants.
 */
export const STORAGE_URI_ENV = 'STORAGE_URI'
/** The volume that initializers fill and the trainer reads. */
export const INITIALIZER_VOLUME = 'initializer'
