import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { packProgram } from './cli/packed-program.ts'
import { timeOfProcess } from './cli/timed.ts'
import { type BenchmarkRow, toRow } from './row.ts'

const ROUNDS = 11
const DOCUMENTS = 1000
/** What a file may take, in ms: no other program reads, checks and places all of this, so the figure stands for it. */
const ASKED_FOR = 500

/**
 * From the start of the packed `trainjob validate` to its end, with a warm compile cache: a file of a thousand
 * TrainJobs of sixty lines, with a warning in every hundredth document and in each.
 */
export async function validateBench(): Promise<BenchmarkRow[]> {
  const packed = packProgram()
  mkdirSync(packed.home, { recursive: true })
  const env = { PATH: process.env.PATH, HOME: packed.home, NODE_COMPILE_CACHE: join(packed.home, 'compiled') }
  const measured = [100, 1].map((every) => {
    const file = join(packed.home, `every-${every}.yaml`)
    writeFileSync(file, Array.from({ length: DOCUMENTS }, (_, index) => trainJob(index, every)).join('---\n'))
    return {
      every,
      figures: [] as number[],
      run: () => timeOfProcess([packed.file, 'validate', '-f', file, '-o', 'json'], env),
    }
  })
  try {
    for (const { run } of measured) run()
    for (let round = 0; round < ROUNDS; round++) for (const { figures, run } of measured) figures.push(run())
    const peer = { name: 'asked for', version: 'at most', figures: [ASKED_FOR] }
    return measured.map(({ every, figures }) => {
      const name = `validate 1,000 documents, ${DOCUMENTS / every} warnings with lines`
      return toRow({ name, unit: 'ms', ours: figures, peer, target: 1 })
    })
  } finally {
    packed.remove()
  }
}

function trainJob(index: number, every: number): string {
  const env = Array.from({ length: 12 }, (_, at) => `      - name: VAR_${at}\n        value: "${at}"\n`).join('')
  // a server takes it, and no job can run with it
  const nodes = index % every === 0 ? -1 : (index % 4) + 1
  return `apiVersion: trainer.kubeflow.org/v1alpha1
kind: TrainJob
metadata:
  name: job-${index}
  namespace: team-${index % 10}
  labels:
    app: train
    team: "t${index % 10}"
    kueue.x-k8s.io/queue-name: queue-a
  annotations:
    note: |
      several lines
      of text
spec:
  # which runtime
  runtimeRef:
    name: torch-distributed
    kind: ClusterTrainingRuntime
    apiGroup: trainer.kubeflow.org
  trainer:
    image: registry.example.com/team/train:1.${index}
    command: ["torchrun", "/workspace/train.py"]
    args:
      - --epochs
      - "10"
      - --lr=0.1
    numNodes: ${nodes}
    env:
${env}    resourcesPerNode:
      requests:
        cpu: 4
        memory: 16Gi
      limits:
        nvidia.com/gpu: 2
  suspend: false
  managedBy: trainer.kubeflow.org/trainjob-controller
`
}
