import { LAUNCHER_NAME, NODE_NAME } from '@trainjob/api'
import { expect, test } from 'vitest'
import { imageProgramsOf } from './image-programs.ts'
import { mpiRoleOf } from './mpi-role.ts'
import { render } from './render.ts'
import { shippedRuntimes } from './shipped/shipped-runtimes.ts'
import { aTrainJob, jobSetOf } from './testing/objects.ts'

/** Every container of a shipped runtime's four nodes, by its replicated job. */
function containers(name: string) {
  const runtime = shippedRuntimes().find(({ metadata }) => metadata.name === name)
  if (runtime === undefined) throw new Error(`${name} is not shipped`)
  const jobSet = jobSetOf(render(aTrainJob({ trainer: { numNodes: 4, command: ['mpirun'] } }), runtime).objects)
  return (jobSet.spec.replicatedJobs ?? []).flatMap((job) => {
    const { initContainers = [], containers: main = [] } = job.template.spec?.template.spec ?? {}
    return [...initContainers, ...main].map((container) => ({ job: job.name, container }))
  })
}

test.each(['deepspeed-distributed', 'mlx-distributed'])('%s has workers and a launcher', (name) => {
  const roles = containers(name).map(({ job, container }) => [job, mpiRoleOf(container)])
  expect(roles).toEqual([
    [NODE_NAME, 'worker'],
    [LAUNCHER_NAME, 'launcher'],
  ])
})

test('no other runtime has any', () => {
  for (const { metadata } of shippedRuntimes()) {
    if (['deepspeed-distributed', 'mlx-distributed'].includes(metadata.name ?? '')) continue
    for (const { container } of containers(metadata.name ?? '')) expect(mpiRoleOf(container)).toBeUndefined()
  }
  expect(mpiRoleOf({ name: 'node', command: ['/usr/sbin/sshd'] })).toBeUndefined()
})

test('only the installer of flux needs its image', () => {
  const found = shippedRuntimes().flatMap(({ metadata }) =>
    containers(metadata.name ?? '').filter(({ container }) => imageProgramsOf(container) !== undefined),
  )
  expect(found.map(({ container }) => container.name)).toEqual(['flux-installer'])
})
