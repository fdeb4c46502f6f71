import type { JobSet } from '@trainjob/api'
import { PET_RDZV_BACKEND } from './plugins/elastic/constants.ts'
import { PET_NNODES } from './plugins/torch/constants.ts'

/**
 * Whether the number of nodes of a rendered JobSet may change while it runs: its program was given bounds in place of a
 * number, and a place to meet. Who scales running jobs asks, before anything is rendered.
 *
 * @example
 * const env = [{ name: 'PET_NNODES', value: '1:4' }, { name: 'PET_RDZV_BACKEND', value: 'c10d' }]
 * const template = { spec: { template: { spec: { containers: [{ name: 'node', env }] } } } }
 * isElastic({ spec: { replicatedJobs: [{ name: 'node', template }] } }) // => true
 */
export function isElastic({ spec }: Pick<JobSet, 'spec'>): boolean {
  return (spec.replicatedJobs ?? []).some(({ template }) =>
    template.spec?.template.spec?.containers?.some(
      ({ env = [] }) =>
        env.some(({ name, value }) => name === PET_NNODES && value?.includes(':')) &&
        env.some(({ name }) => name === PET_RDZV_BACKEND),
    ),
  )
}
