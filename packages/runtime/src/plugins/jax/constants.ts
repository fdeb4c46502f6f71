/** What `jax.distributed.initialize` reads. Source: kubeflow/trainer v2.3.0, pkg/runtime/framework/plugins/jax. */
export const JAX_NUM_PROCESSES = 'JAX_NUM_PROCESSES'
export const JAX_PROCESS_ID = 'JAX_PROCESS_ID'
export const JAX_COORDINATOR_ADDRESS = 'JAX_COORDINATOR_ADDRESS'

/** Variables that the plugin sets. A TrainJob may set them too: upstream does not refuse that. */
export const JAX_RESERVED_ENV: ReadonlySet<string> = new Set([
  JAX_NUM_PROCESSES,
  JAX_PROCESS_ID,
  JAX_COORDINATOR_ADDRESS,
])
