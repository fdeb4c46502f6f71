/** How torchrun's nodes find each other. Source: pytorch, torch/distributed/run.py (`PET_` and the name of the option). */
export const PET_RDZV_BACKEND = 'PET_RDZV_BACKEND'
/** Host and port. */
export const PET_RDZV_ENDPOINT = 'PET_RDZV_ENDPOINT'
/** Keeps jobs apart that meet at one place. */
export const PET_RDZV_ID = 'PET_RDZV_ID'
