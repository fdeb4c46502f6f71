import { LAUNCHER_NAME, NODE_NAME } from '@trainjob/api'
import type { Info } from '../../info.ts'
import type { FindingsCollector } from '../../plugin.ts'
import { MPI_RESERVED_ENV } from './constants.ts'

/** Source: kubeflow/trainer v2.3.0, pkg/runtime/framework/plugins/mpi/mpi.go (`Validate`). */
export function validateMpi(info: Info, _old: unknown, findings: FindingsCollector): void {
  const mpi = info.mlPolicy?.mpi
  if (!mpi) return
  const names = info.podSets.map(({ name }) => name)
  const missing = [LAUNCHER_NAME, NODE_NAME].filter((name) => !names.includes(name))
  const { numNodes = 1, env = [] } = info.trainer ?? {}
  if (missing.length > 0 && mpi.runLauncherAsNode === true && numNodes >= 2) {
    findings.error({
      path: 'spec.trainer.numNodes',
      code: 'missing-launcher',
      message: `expected 1 node, found ${numNodes}: the runtime has no replicated job ${missing.join(' and no ')}, which runLauncherAsNode needs for more`,
    })
  } else if (!names.includes(LAUNCHER_NAME)) {
    findings.warning({
      path: 'spec.runtimeRef',
      code: 'missing-launcher',
      message: `expected a replicated job ${LAUNCHER_NAME} in the runtime with the mpi policy, found ${names.join(', ') || 'none'}: nothing gets the hostfile and runs mpirun`,
    })
  }
  const reserved = [...new Set(env.map(({ name }) => name).filter((name) => MPI_RESERVED_ENV.has(name)))].sort()
  if (reserved.length === 0) return
  findings.error({
    path: 'spec.trainer.env',
    code: 'reserved-env',
    message: `expected variables other than those that the mpi runtime sets, found ${reserved.join(', ')}; leave them out`,
  })
}
