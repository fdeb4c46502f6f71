import { cp, stat } from 'node:fs/promises'
import path from 'node:path'
import { cachedBuild } from '../go/cached-build.ts'

/** Releases of Kubeflow Trainer that the oracle is built with; each has a Go module file. */
export const TRAINER_VERSIONS = { '2.3.0': 'go.mod', '2.2.1': 'trainer-2.2.1.mod' } as const
export type TrainerVersion = keyof typeof TRAINER_VERSIONS

/** The oracle of one release, built. */
export interface BuiltOracle {
  readonly version: TrainerVersion
  readonly binary: string
  /** Folder of the release's CustomResourceDefinitions. */
  readonly crds: string
  /** Folder of the release's runtimes, as YAML. */
  readonly runtimes: string
  /** Folder of the release's examples, as YAML. */
  readonly examples: string
}

/** What of upstream the generated cases are meant to reach. */
export const MEASURED_PACKAGES = ['pkg/runtime', 'pkg/webhooks'] as const

const MODULE = 'github.com/kubeflow/trainer/v2'

/**
 * Builds the oracle into the user's cache, or finds it there. With a folder in `GOCOVERDIR` it is one that writes there
 * which statements of upstream it ran, when its input ends.
 */
export async function buildOracle(version: TrainerVersion): Promise<BuiltOracle | { readonly missing: string }> {
  const coverage = process.env.GOCOVERDIR !== undefined
  const folder = await cachedBuild({
    name: `oracle/${version}${coverage ? '-cover' : ''}`,
    what: `the oracle of Kubeflow Trainer ${version}`,
    source: import.meta.dirname,
    async build(into, go) {
      const modfile = `-modfile=${TRAINER_VERSIONS[version]}`
      // without the program itself among them, Go writes nothing down
      const measured = ['trainjob.dev/oracle', ...MEASURED_PACKAGES.map((folder) => `${MODULE}/${folder}/...`)].join(
        ',',
      )
      const cover = coverage ? ['-cover', `-coverpkg=${measured}`] : []
      await go(['build', modfile, ...cover, '-trimpath', '-ldflags=-s -w', '-o', path.join(into, 'oracle'), '.'])
      const module = (await go(['list', modfile, '-m', '-f', '{{.Dir}}', MODULE])).trim()
      await cp(path.join(module, 'manifests/base/crds'), path.join(into, 'crds'), { recursive: true })
      await cp(path.join(module, 'manifests/base/runtimes'), path.join(into, 'runtimes'), { recursive: true })
      await cp(path.join(module, 'examples'), path.join(into, 'examples'), { recursive: true, filter: isYamlOrFolder })
    },
  })
  if (typeof folder !== 'string') return folder
  return {
    version,
    binary: path.join(folder, 'oracle'),
    crds: path.join(folder, 'crds'),
    runtimes: path.join(folder, 'runtimes'),
    examples: path.join(folder, 'examples'),
  }
}

async function isYamlOrFolder(file: string): Promise<boolean> {
  return file.endsWith('.yaml') || (await stat(file)).isDirectory()
}
