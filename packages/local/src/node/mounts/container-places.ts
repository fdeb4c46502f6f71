import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Mount } from '../runner.ts'
import type { PathMapping } from './path-map.ts'
import { mapPath } from './path-map.ts'

/** Where a container finds the user's project. */
export const WORKSPACE_PATH = '/workspace'

/** How the absolute paths of a container come true. */
export interface ContainerPlaces {
  /** Mounted for real. */
  readonly mounts: readonly Mount[]
  /** Rewritten in command, args and env. */
  readonly inText: readonly PathMapping[]
  /** Rewritten in the working directory. */
  readonly inFolders: readonly PathMapping[]
  /** For temporary files. */
  readonly tmp: string
}

export interface PlacesInput {
  /** Volumes of the container. */
  readonly volumes: readonly Mount[]
  /** The user's project. */
  readonly workspace?: string | undefined
  /** The project by a path that can stand in a shell command. */
  readonly workspaceInText?: string | undefined
  /** The pod's folder for temporary files. */
  readonly tmp: string
  /** A hosts file that knows the pods of the job. */
  readonly hostsFile: () => string
  /** Whether a container can have mounts of its own. */
  readonly canMount: () => Promise<boolean>
  /** Called when paths have to be rewritten because it cannot. */
  readonly onRewrite: () => void
}

/**
 * Decides what is mounted and what is rewritten. Volumes are mounted where that is possible. The project is used where
 * it is even then, and its paths in texts are rewritten: links in it (the node_modules of a workspace, virtual
 * environments) lead out of it, and would break at another place. See docs/decisions/paths-of-containers.md.
 */
export async function containerPlaces(input: PlacesInput): Promise<ContainerPlaces> {
  const { volumes, workspace, tmp } = input
  const shadowed = volumes.some(({ target }) => target === WORKSPACE_PATH)
  const project = workspace === undefined || shadowed ? [] : [{ source: workspace, target: WORKSPACE_PATH }]
  const inText = project.map(({ target, source }) => ({ target, source: input.workspaceInText ?? source }))
  if (volumes.length === 0) return { mounts: [], inText, inFolders: project, tmp }
  if (!(await input.canMount())) {
    input.onRewrite()
    return { mounts: [], inText: [...inText, ...volumes], inFolders: [...project, ...volumes], tmp }
  }
  // A volume below /workspace is found through the project's own path too.
  const below = volumes.filter(({ target }) => project.length > 0 && target.startsWith(`${WORKSPACE_PATH}/`))
  const mirrored = below.map((mount) => ({ ...mount, target: mapPath(mount.target, project) }))
  // A volume over a folder that holds the project (`/tmp`, say) must not hide it.
  const hidden = workspace !== undefined && volumes.some(({ target }) => workspace.startsWith(`${target}/`))
  const kept = hidden ? [{ source: workspace, target: workspace }] : []
  const own = [...project, ...volumes, ...mirrored, ...kept]
  makeMountPoints(own)
  const over = volumes.find(({ target }) => tmp.startsWith(`${target}/`))
  return {
    mounts: [...own, { source: input.hostsFile(), target: '/etc/hosts' }],
    inText,
    inFolders: project,
    tmp: over?.target ?? tmp,
  }
}

/** A mount inside of another one needs a folder there. An empty one in the project stays when the run is over. */
function makeMountPoints(mounts: readonly Mount[]): void {
  for (const outer of mounts) {
    for (const { target } of mounts) {
      if (target.startsWith(`${outer.target}/`)) {
        mkdirSync(join(outer.source, target.slice(outer.target.length)), { recursive: true })
      }
    }
  }
}
