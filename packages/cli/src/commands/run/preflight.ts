import { accessSync, constants, statSync } from 'node:fs'
import { delimiter, isAbsolute, join, resolve } from 'node:path'
import type { Container, Issue, JobSet, PodSpec } from '@trainjob/api'
import { imageProgramsOf, initializerOf, mpiRoleOf, render } from '@trainjob/runtime'
import { identity, type PlannedJob } from '../../input/manifests.ts'
import { howToGet } from './how-to-get.ts'

/** Where commands would run. */
export interface Machine {
  readonly env: Readonly<Record<string, string | undefined>>
  /** Absolute. */
  readonly workspace: string
}

/** Jobs of one name and namespace: only the first could be created. */
export function duplicates(jobs: readonly PlannedJob[]): readonly Issue[] {
  const seen = new Set<string>()
  return jobs.flatMap(({ trainJob, document }) => {
    const { namespace = '', name } = trainJob.metadata
    const key = `${namespace}/${name}`
    if (name === undefined || !seen.has(key)) {
      seen.add(key)
      return []
    }
    return [
      {
        path: 'metadata.name',
        code: 'duplicate-object',
        message: `there is a TrainJob "${name}" already; give this one another name`,
        object: identity(trainJob),
        ...(document?.file === undefined
          ? {}
          : { file: document.file, line: document.positions.lineOf('metadata.name') }),
      },
    ]
  })
}

/**
 * What would keep a job's commands from starting on this machine, found before anything is started: no command where
 * the image would have brought one, or a program that is not here.
 */
export function preflight(jobs: readonly PlannedJob[], machine: Machine): readonly Issue[] {
  return jobs.flatMap((job) => commandFaults(job, machine))
}

function commandFaults({ trainJob, runtime, document }: PlannedJob, machine: Machine): Issue[] {
  const jobSet = render(trainJob, runtime).objects.find((object): object is JobSet => object.kind === 'JobSet')
  const own = trainJob.spec.trainer?.command
  const found = new Map<string, Issue>()
  for (const job of jobSet?.spec.replicatedJobs ?? []) {
    const pod = job.template.spec?.template.spec
    for (const container of [...(pod?.initContainers ?? []), ...(pod?.containers ?? [])]) {
      if (isDoneHere(container, job.template.metadata?.labels)) continue
      const fault = pod === undefined ? undefined : containerFault(container, pod, machine)
      if (fault === undefined) continue
      const isOwn = own !== undefined && container.command?.join('\0') === own.join('\0')
      const path = isOwn || fault.code === 'no-command' ? 'spec.trainer.command' : 'spec.runtimeRef'
      found.set(`${path} ${fault.message}`, {
        ...fault,
        path,
        object: identity(trainJob),
        ...(document?.file === undefined ? {} : { file: document.file, line: document.positions.lineOf(path) }),
      })
    }
  }
  return [...found.values()]
}

/** What an initializer's image does is done here without it, and so is what sshd does in an MPI worker. */
function isDoneHere(container: Container, labels: Readonly<Record<string, string>> | undefined): boolean {
  return initializerOf(container, labels) !== undefined || mpiRoleOf(container) === 'worker'
}

function containerFault(
  container: Container,
  pod: PodSpec,
  machine: Machine,
): { code: string; message: string } | undefined {
  const needed = imageProgramsOf(container)
  if (needed !== undefined) {
    return {
      code: 'image-needed',
      message: `the container "${container.name}" takes ${needed.programs} out of the image ${container.image}, and here images are not pulled; run it where they are: --runner podman, --runner docker, or a cluster`,
    }
  }
  const program = container.command?.[0]
  if (program === undefined) {
    return {
      code: 'no-command',
      message: `the container "${container.name}" names no command; here its image is not pulled, so it must be written down`,
    }
  }
  // only the running container knows
  if (program.includes('$(')) return undefined
  if (!program.includes('/')) {
    const path = container.env?.findLast(({ name }) => name === 'PATH')?.value ?? machine.env.PATH ?? ''
    const verdicts = path.split(delimiter).map((folder) => executable(join(folder === '' ? '.' : folder, program)))
    if (verdicts.includes('yes')) return undefined
    return verdicts.includes('not executable')
      ? { code: 'command-not-executable', message: `"${program}" is on PATH, but not executable` }
      : { code: 'command-not-found', message: `"${program}" is not on PATH; ${howToGet(program)}` }
  }
  // a file that an init container or a volume brings
  if ((pod.initContainers ?? []).length > 0) return undefined
  if (container.volumeMounts?.some(({ mountPath }) => isWithin(program, mountPath))) return undefined
  const file = fileHere(program, container.workingDir, machine.workspace)
  const verdict = executable(file)
  if (verdict === 'yes') return undefined
  return verdict === 'not executable'
    ? {
        code: 'command-not-executable',
        message: `"${program}" is not executable; chmod +x it, or start it with its interpreter`,
      }
    : { code: 'command-not-found', message: `there is no file "${program}" (looked at ${file})` }
}

/** The file behind a path in a container: `/workspace` is the user's folder. */
function fileHere(program: string, workingDir: string | undefined, workspace: string): string {
  const mapped = (path: string): string =>
    isWithin(path, '/workspace') ? join(workspace, path.slice('/workspace'.length)) : path
  return isAbsolute(program) ? mapped(program) : resolve(mapped(workingDir ?? '/workspace'), program)
}

function isWithin(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder.endsWith('/') ? folder : `${folder}/`)
}

function executable(file: string): 'yes' | 'no' | 'not executable' {
  try {
    if (statSync(file, { throwIfNoEntry: false })?.isFile() !== true) return 'no'
    accessSync(file, constants.X_OK)
    return 'yes'
  } catch {
    return 'not executable'
  }
}
