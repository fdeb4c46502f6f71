import type { Container } from '@trainjob/api'
import type { FindingsCollector } from '../plugin.ts'

/** Warns of variables that the runtime or a patch gives to a container and the policy replaces. */
export function warnOfReservedEnv(
  policy: string,
  containers: readonly (Container | undefined)[],
  reserved: ReadonlySet<string>,
  findings: FindingsCollector,
): void {
  for (const container of containers) {
    const overwritten = (container?.env ?? []).map(({ name }) => name).filter((name) => reserved.has(name))
    if (!container || overwritten.length === 0) continue
    findings.warning({
      path: 'spec.runtimeRef',
      code: 'reserved-env',
      message: `${overwritten.join(', ')} of container ${container.name} in the runtime will be overwritten: the ${policy} policy sets them`,
    })
  }
}
