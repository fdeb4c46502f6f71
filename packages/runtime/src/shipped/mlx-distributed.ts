import type { ClusterTrainingRuntime } from '@trainjob/api'
import { openMpiRuntime } from './open-mpi.ts'

/** MLX over Open MPI. Source: kubeflow/trainer v2.3.0, manifests/base/runtimes/mlx_distributed.yaml. */
export const mlxDistributed: ClusterTrainingRuntime = openMpiRuntime({
  name: 'mlx-distributed',
  framework: 'mlx',
  image: 'ghcr.io/kubeflow/trainer/mlx-runtime',
})
