import type { JobSet, Service } from '@trainjob/api'
import { JOBSET_NAME } from './labels.ts'
import { subdomainOf } from './names.ts'
import { ownerReference } from './owner-reference.ts'

/** The Service that gives the pods of a JobSet their host names; `undefined` when they are to have none. */
export function headlessService(jobSet: JobSet): Service | undefined {
  const { network } = jobSet.spec
  if (network?.enableDNSHostnames !== true) return undefined
  const { name = '', namespace } = jobSet.metadata
  return {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: {
      name: subdomainOf(jobSet),
      ...(namespace !== undefined && { namespace }),
      ownerReferences: [ownerReference(jobSet)],
    },
    spec: {
      clusterIP: 'None',
      selector: { [JOBSET_NAME]: name },
      publishNotReadyAddresses: network.publishNotReadyAddresses ?? true,
    },
  }
}
