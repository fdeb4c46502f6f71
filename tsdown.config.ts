import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { defineConfig, type UserConfig } from 'tsdown'

interface Manifest {
  readonly name: string
  /** From the sources. */
  readonly exports: Readonly<Record<string, string>>
  readonly publishConfig: {
    /** What the tarball has instead. */
    readonly exports: Readonly<Record<string, string | { readonly default: string }>>
  }
}

/** One entry per public path of a package, named so that it lands where `publishConfig` says. */
function entriesOf({ name, exports, publishConfig }: Manifest): Record<string, string> {
  const entries: Record<string, string> = {}
  for (const [path, published] of Object.entries(publishConfig.exports)) {
    if (typeof published === 'string') continue
    const source = exports[path]
    if (source === undefined) throw new Error(`${name} publishes ${path}, but has no source for it`)
    entries[published.default.replace(/^\.\/dist\//, '').replace(/\.mjs$/, '')] = source
  }
  return entries
}

const shared: UserConfig = {
  dts: true,
  format: 'esm',
  platform: 'node',
  target: 'node22.19',
  fixedExtension: true,
  logLevel: 'warn',
}

/**
 * What is loaded together is one file, because each file costs half a millisecond at every start, however small it is.
 * The first group that a module fits takes it, with all that it imports.
 */
const groups: readonly { readonly name: string; readonly test: RegExp }[] = [
  { name: 'yaml', test: /node_modules[\\/]yaml[\\/]/ },
  // every start, also for help
  { name: 'start', test: /packages[\\/]cli[\\/]src[\\/](launch\.ts|help[\\/])/ },
  // every command
  {
    name: 'command',
    test: /packages[\\/]cli[\\/]src[\\/](run-process|output[\\/]color|commands[\\/]validate[\\/]print-verdict)\.ts/,
  },
  // small, and used by nearly everything
  { name: 'facts', test: /packages[\\/]api[\\/]src[\\/](trainer|kubernetes|names|quantity)[\\/]/ },
  // the SDK uses it without the checks
  { name: 'dialect', test: /packages[\\/]api[\\/]src[\\/](dialect[\\/]|field-path\.ts)/ },
  // a cluster renders long before it checks anything
  { name: 'render', test: /packages[\\/]runtime[\\/]src[\\/]/ },
  // commands that read manifests
  {
    name: 'check',
    test: /packages[\\/](api[\\/]src[\\/](parse|schema|validate)|cli[\\/]src[\\/]input[\\/](manifests|read-files)\.ts)/,
  },
  // commands that talk to a cluster
  {
    name: 'client',
    test: /packages[\\/](kube[\\/]src[\\/]create-client\.ts|cli[\\/]src[\\/](connect[\\/]|commands[\\/]get[\\/]get\.ts))/,
  },
]

/** The program starts fast because each command is a few files with all that it needs in them, libraries included. */
const program: UserConfig = {
  entry: { index: './src/index.ts', trainjob: './bin/trainjob.js' },
  // needed only for kubeconfigs with credential programs, and large
  deps: { neverBundle: ['@kubernetes/client-node'], onlyBundle: false },
  // half the text is half the time to read it; messages may show the names of classes
  minify: {
    compress: { keepNames: { class: true, function: false } },
    mangle: { keepNames: { class: true, function: false } },
    codegen: { removeWhitespace: true },
  },
  outputOptions: {
    codeSplitting: { groups: groups.map((group, at) => ({ ...group, priority: groups.length - at })) },
  },
}

const packages = readdirSync('packages')
  .toSorted()
  .map((folder) => {
    const cwd = join('packages', folder)
    const manifest = JSON.parse(readFileSync(join(cwd, 'package.json'), 'utf8')) as Manifest
    const own = manifest.name === 'trainjob' ? program : { entry: entriesOf(manifest) }
    return { ...shared, ...own, cwd } satisfies UserConfig
  })

const config: UserConfig[] = defineConfig(packages)
export default config
