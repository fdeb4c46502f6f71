import { ANCESTOR_LABEL, ANCESTOR_TRAINER, LAUNCHER_NAME, NODE_NAME } from '../trainer/constants.ts'
import { FORM_ANNOTATION, FORM_DOCUMENT, WRITTEN_AS_ANNOTATION } from './annotations.ts'
import { type Draft, fieldsOf } from './draft.ts'

const JOBSET = ['spec', 'template', 'spec'] as const
const JOBS = [...JOBSET, 'replicatedJobs'] as const
/** From a replicated job. */
const POD = ['template', 'spec', 'template'] as const

/**
 * The job that trains, under the names that upstream asks for. In the document it is the only job, has any name and no
 * label, and says how many nodes there are by its replicas. Of a labelled job only the container may be called
 * otherwise, when it is the only one.
 */
export function nameTrainer(draft: Draft, isUpdate: boolean): void {
  const jobs = draft.list(JOBS)
  const labelled = jobs.findIndex((job) => ancestorOf(job) === ANCESTOR_TRAINER)
  if (labelled !== -1) {
    const written = soleContainer(draft, labelled)
    if (written === undefined || written === NODE_NAME) return
    rename(draft, labelled, written)
    draft.note([...JOBS, labelled, ...POD, 'spec', 'containers', 0, 'name'], renamed('container', written))
    return
  }
  if (jobs.length !== 1 || ancestorOf(jobs[0]) !== undefined) return
  const written = trainingContainer(draft)
  const isDocument = draft.get(['metadata', 'annotations', FORM_ANNOTATION]) === FORM_DOCUMENT
  if (written === undefined) {
    if (isDocument) {
      draft.error(
        [...JOBS, 0, ...POD, 'spec', 'containers'],
        `expected one container that trains, found several; call that one ${NODE_NAME}:\ncontainers:\n  - name: ${NODE_NAME}`,
      )
    }
    return
  }
  if (!isDocument && written !== 'trainer') return
  nameJob(draft, written, isUpdate)
}

function nameJob(draft: Draft, container: string, isUpdate: boolean): void {
  const path = [...JOBS, 0]
  const job = draft.fields(path)
  const { name, replicas } = job
  const isMpi = draft.get(['spec', 'mlPolicy', 'mpi']) !== undefined
  if (!isMpi) {
    draft.set([...path, 'template', 'metadata', 'labels', ANCESTOR_LABEL], ANCESTOR_TRAINER)
    draft.documentNote(path, `the only job trains: it gets the label ${ANCESTOR_LABEL}: ${ANCESTOR_TRAINER}`)
  }
  if (typeof replicas === 'number' && !countNodes(draft, replicas, isMpi, isUpdate)) return
  rename(draft, 0, container, typeof name === 'string' ? name : NODE_NAME)
  if (name !== NODE_NAME) draft.documentNote([...path, 'name'], renamed('job', String(name)))
  if (container !== NODE_NAME) {
    draft.documentNote([...path, ...POD, 'spec', 'containers', 0, 'name'], renamed('container', container))
  }
  if (isMpi) addLauncher(draft)
}

/** `replicas` of the document are nodes: pods of one Job, not Jobs. */
function countNodes(draft: Draft, replicas: number, isMpi: boolean, isUpdate: boolean): boolean {
  const from = [...JOBS, 0, 'replicas']
  if (isMpi) {
    const spec = [...JOBS, 0, 'template', 'spec']
    draft.move(from, [...spec, 'parallelism'], replicas)
    draft.set([...spec, 'completions'], replicas)
    draft.documentNote(from, `replicas: ${replicas} is parallelism: ${replicas} of the job`)
    return true
  }
  const nodes = ['spec', 'mlPolicy', 'numNodes']
  const present = draft.get(nodes)
  if (present !== undefined && present !== replicas && !isUpdate) {
    draft.error(
      from,
      `expected the number of nodes once, found mlPolicy.numNodes: ${String(present)} and replicas: ${replicas}; keep mlPolicy.numNodes`,
    )
    return false
  }
  draft.move(from, nodes)
  draft.documentNote(from, `replicas: ${replicas} is mlPolicy.numNodes: ${replicas}`)
  return true
}

/** Renames a job and its container, and what refers to them; the written names stay on the pods. */
function rename(draft: Draft, index: number, container: string, job: string | undefined = undefined): void {
  const path = [...JOBS, index]
  const containers = draft.list([...path, ...POD, 'spec', 'containers'])
  const at = containers.findIndex((item) => fieldsOf(item).name === container)
  draft.set([...path, ...POD, 'spec', 'containers', at, 'name'], NODE_NAME)
  if (job !== undefined) {
    draft.set([...path, 'name'], NODE_NAME)
    renameReferences(draft, job)
  }
  const writtenJob = job ?? draft.get([...path, 'name'])
  if (writtenJob === NODE_NAME && container === NODE_NAME) return
  draft.set([...path, ...POD, 'metadata', 'annotations', WRITTEN_AS_ANNOTATION], `${String(writtenJob)}/${container}`)
}

function renameReferences(draft: Draft, job: string): void {
  if (draft.get([...JOBSET, 'coordinator', 'replicatedJob']) === job) {
    draft.set([...JOBSET, 'coordinator', 'replicatedJob'], NODE_NAME)
  }
  renameInList(draft, [...JOBSET, 'successPolicy', 'targetReplicatedJobs'], job)
  draft.list([...JOBSET, 'failurePolicy', 'rules']).forEach((_, rule) => {
    renameInList(draft, [...JOBSET, 'failurePolicy', 'rules', rule, 'targetReplicatedJobs'], job)
  })
  const targets = ['spec', 'mlPolicy', 'torch', 'envInjection', 'targets']
  draft.list(targets).forEach((target, index) => {
    if (fieldsOf(target).jobName === job) draft.set([...targets, index, 'jobName'], NODE_NAME)
  })
}

function renameInList(draft: Draft, path: readonly (string | number)[], job: string): void {
  const names = draft.list(path)
  if (names.includes(job))
    draft.set(
      path,
      names.map((name) => (name === job ? NODE_NAME : name)),
    )
}

/**
 * The job that starts an MPI program, where the runtime has workers only. It stands behind them, so that positions in
 * the list mean what they meant.
 */
function addLauncher(draft: Draft): void {
  const worker = draft.fields([...JOBS, 0])
  const pod = fieldsOf(draft.get([...JOBS, 0, ...POD, 'spec']))
  const containers = (Array.isArray(pod.containers) ? pod.containers : []).map(fieldsOf)
  const node = containers.find(({ name }) => name === NODE_NAME) ?? {}
  const at = containers.indexOf(node)
  const launcher = {
    name: LAUNCHER_NAME,
    dependsOn: [{ name: NODE_NAME, status: 'Ready' }],
    template: {
      metadata: { labels: { [ANCESTOR_LABEL]: ANCESTOR_TRAINER } },
      spec: {
        template: {
          spec: {
            ...(pod.restartPolicy !== undefined && { restartPolicy: pod.restartPolicy }),
            containers: [
              {
                name: NODE_NAME,
                ...(node.image !== undefined && { image: node.image }),
                ...(node.command !== undefined && { command: node.command }),
                ...(node.args !== undefined && { args: node.args }),
              },
            ],
          },
        },
      },
    },
  }
  draft.set([...JOBS, 0, ...POD, 'spec', 'containers', at, 'command'], ['/usr/sbin/sshd', '-De'])
  draft.set([...JOBS, 0, ...POD, 'spec', 'containers', at, 'args'], undefined)
  draft.set(JOBS, [draft.get([...JOBS, 0]), launcher])
  if (draft.get([...JOBSET, 'successPolicy']) === undefined) {
    draft.set([...JOBSET, 'successPolicy'], { operator: 'All', targetReplicatedJobs: [LAUNCHER_NAME] })
  }
  draft.documentNote(
    [...JOBS, 0],
    `a launcher is added behind ${String(worker.name)}: it runs the command, the workers run sshd`,
  )
}

function ancestorOf(job: unknown): unknown {
  return fieldsOf(fieldsOf(fieldsOf(fieldsOf(job).template).metadata).labels)[ANCESTOR_LABEL]
}

/** The name of the only container of a job. */
function soleContainer(draft: Draft, index: number): string | undefined {
  const containers = draft.list([...JOBS, index, ...POD, 'spec', 'containers'])
  const { name } = fieldsOf(containers[0])
  return containers.length === 1 && typeof name === 'string' ? name : undefined
}

/** The container of the only job that trains: by its name, or because there is no other. */
function trainingContainer(draft: Draft): string | undefined {
  const names = draft.list([...JOBS, 0, ...POD, 'spec', 'containers']).map((item) => fieldsOf(item).name)
  return [NODE_NAME, 'trainer'].find((name) => names.includes(name)) ?? soleContainer(draft, 0)
}

function renamed(what: string, written: string): string {
  return `the ${what} ${written} is called ${NODE_NAME}, as upstream requires; logs take either name`
}
