/**
 * What torchrun reads. Sources: kubeflow/trainer v2.3.0, pkg/constants/constants.go; pytorch, torch/distributed/run.py
 * (`PET_` and the name of the option).
 */
export const PET_NNODES = 'PET_NNODES'
/** Processes per node, or `auto`: one per GPU. */
export const PET_NPROC_PER_NODE = 'PET_NPROC_PER_NODE'
export const PET_NODE_RANK = 'PET_NODE_RANK'
export const PET_MASTER_ADDR = 'PET_MASTER_ADDR'
export const PET_MASTER_PORT = 'PET_MASTER_PORT'

/** Variables that the plugin sets and a TrainJob must not. */
export const TORCH_RESERVED_ENV: ReadonlySet<string> = new Set([
  PET_NNODES,
  PET_NPROC_PER_NODE,
  PET_NODE_RANK,
  PET_MASTER_ADDR,
  PET_MASTER_PORT,
])
