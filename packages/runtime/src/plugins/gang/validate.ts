import type { Info } from '../../info.ts'
import type { FindingsCollector } from '../../plugin.ts'
import { thoseWhoStartTogether } from './gang.ts'

/**
 * Warns of a gang that Kubeflow Trainer's own controller makes of pods that never exist together. The controller of this
 * project leaves those out that come later, see `gang-of-those-who-start-together` in docs/deviations.md.
 */
export function validateGang(info: Info, findings: FindingsCollector): void {
  const together = thoseWhoStartTogether(info)
  if (together.length === info.podSets.length) return
  const others = info.podSets.filter((podSet) => !together.includes(podSet)).map(({ name }) => name)
  findings.warning({
    path: 'spec.runtimeRef',
    code: 'gang-never-complete',
    message: `expected a gang of pods that start together, found one that waits for ${others.join(', ')} as well, which start at another time: under Kubeflow Trainer's own controller nothing is ever scheduled; here the gang is ${together.map(({ name }) => name).join(', ')}`,
  })
}
