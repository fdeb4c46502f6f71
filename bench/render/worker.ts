/**
 * Our side of the render benchmark, in a process of its own so that it can be pinned to a core: for each line `N` on
 * stdin, N renderings with the JSON of their results; the mean in microseconds on stdout. The TrainJob and the runtime
 * are given as JSON on the command line; every call gets copies of its own, made beforehand.
 */
import { createInterface } from 'node:readline'
import type { AnyTrainingRuntime, TrainJob } from '@trainjob/api'
import { nodeKeys } from '@trainjob/controller'
import { type RenderOptions, render } from '@trainjob/runtime'

const [trainJobText, runtimeText] = process.argv.slice(2)
if (trainJobText === undefined || runtimeText === undefined) {
  throw new Error('Expected a TrainJob and a runtime as JSON.')
}

const { name, namespace = 'default' } = (JSON.parse(trainJobText) as TrainJob).metadata
/** As in every pass but the first one: keys are made once. */
const options: RenderOptions = {
  keys: nodeKeys,
  facts: { objects: [{ apiVersion: 'v1', kind: 'Secret', metadata: { name: `${name}-mpi-ssh-auth`, namespace } }] },
}

for await (const line of createInterface({ input: process.stdin })) {
  const inputs = Array.from({ length: Number(line) }, (): [TrainJob, AnyTrainingRuntime] => [
    JSON.parse(trainJobText),
    JSON.parse(runtimeText),
  ])
  let bytes = 0
  const start = process.hrtime.bigint()
  for (const [trainJob, runtime] of inputs) bytes += JSON.stringify(render(trainJob, runtime, options).objects).length
  const elapsed = Number(process.hrtime.bigint() - start) / 1e3
  console.log(JSON.stringify({ calls: inputs.length, microsPerCall: elapsed / inputs.length, bytes }))
}
