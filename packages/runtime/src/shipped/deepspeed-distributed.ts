import type { ClusterTrainingRuntime } from '@trainjob/api'
import { openMpiRuntime } from './open-mpi.ts'

/** DeepSpeed over Open MPI. Source: kubeflow/trainer v2.3.0, manifests/base/runtimes/deepspeed_distributed.yaml. */
export const deepspeedDistributed: ClusterTrainingRuntime = openMpiRuntime({
  name: 'deepspeed-distributed',
  framework: 'deepspeed',
  image: 'ghcr.io/kubeflow/trainer/deepspeed-runtime',
})
