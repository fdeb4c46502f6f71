/** How torchrun's nodes find each other. Source: pytorch, torch/distributed/run.py (`PET_` and the name of the option). */
export const PET_RDZV_BACKEND = 'PET_RDZV_BACKEND'
/** Host and port. */
export const PET_RDZV_ENDPOINT = 'PET_RDZV_ENDPOINT'
/** Keeps jobs apart that meet at one place. */
export const PET_RDZV_ID = 'PET_RDZV_ID'
/** How often the workers of all nodes are started again after a failure. torchrun's own default is never. */
export const PET_MAX_RESTARTS = 'PET_MAX_RESTARTS'
/** As often as an elastic job loses a node and goes on, unless it says otherwise. */
export const DEFAULT_MAX_RESTARTS = 100
