/** Names in flux jobs. Source: kubeflow/trainer v2.3.0, pkg/constants/constants.go and plugins/flux. */
export const ENTRYPOINT_SUFFIX = '-flux-entrypoint'
export const CURVE_SECRET_SUFFIX = '-flux-curve'
/** Keys of the ConfigMap, which are files below `CONFIG_FOLDER`, and of the Secret. */
export const INIT_SCRIPT = 'init.sh'
export const ENTRYPOINT_SCRIPT = 'entrypoint.sh'
export const CURVE_CERTIFICATE_FILE = 'curve.cert'

/** The init container that brings Flux along; no runtime may have one of that name. */
export const INSTALLER_NAME = 'flux-installer'

export const INSTALL_VOLUME = 'flux-install'
export const SOFTWARE_VOLUME = 'spack-install'
export const MEMORY_VOLUME = 'shared-memory'
export const CURVE_VOLUME = 'flux-curve'
export const INSTALL_FOLDER = '/mnt/flux'
export const SOFTWARE_FOLDER = '/opt/software'
export const MEMORY_FOLDER = '/dev/shm'
export const CURVE_FOLDER = '/curve'
export const CONFIG_FOLDER = '/etc/flux-config'
export const SCRIPT_MODE = 0o755
export const CURVE_MODE = 0o400

/** Where the image of the init container has Flux. */
export const VIEW_ROOT = '/opt/view'

/** What variables of the runtime's node container or of the TrainJob may set, and the values without. */
export const BROKER_DEFAULTS = {
  /** Must be made for the operating system of the training image. */
  FLUX_VIEW_IMAGE: 'ghcr.io/converged-computing/flux-view-ubuntu:tag-jammy',
  FLUX_NETWORK_DEVICE: 'eth0',
  FLUX_QUEUE_POLICY: 'fcfs',
} as const
