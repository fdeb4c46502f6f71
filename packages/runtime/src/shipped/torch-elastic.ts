import { type ClusterTrainingRuntime, ELASTIC_ANNOTATION } from '@trainjob/api'
import { torchDistributed } from './torch-distributed.ts'

/** torchrun that goes on while nodes are lost and come back, between 1 and 16 of them. Upstream has no such runtime. */
export const torchElastic: ClusterTrainingRuntime = {
  ...torchDistributed,
  metadata: {
    ...torchDistributed.metadata,
    name: 'torch-elastic',
    annotations: { [ELASTIC_ANNOTATION]: JSON.stringify({ minReplicas: 1, maxReplicas: 16 }) },
  },
}
