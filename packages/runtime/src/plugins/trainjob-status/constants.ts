/**
 * What tells training code where to report. Sources: kubeflow/trainer v2.3.0, plugins/trainjobstatus and
 * pkg/statusserver.
 */
export const SERVER_URL = 'KUBEFLOW_TRAINER_SERVER_URL'
export const SERVER_CA_CERT = 'KUBEFLOW_TRAINER_SERVER_CA_CERT'
export const SERVER_TOKEN = 'KUBEFLOW_TRAINER_SERVER_TOKEN'

export const CONFIG_MAP_SUFFIX = '-tls-config'
export const TOKEN_VOLUME = 'kubeflow-trainer-token'
export const MOUNT_PATH = '/var/run/secrets/kubeflow/trainer'
export const CA_FILE = 'ca.crt'
export const TOKEN_FILE = 'token'
export const TOKEN_SECONDS = 3600
/** The audience of a job's token is this and the path of its status. */
export const AUDIENCE_PREFIX = 'trainer.kubeflow.org'
