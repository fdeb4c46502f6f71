import { execFileSync } from 'node:child_process'
import { copyFileSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { findExecutable } from '../../packages/local/src/node/process/find-executable.ts'

const TOOLS = [
  'sh',
  'cat',
  'echo',
  'seq',
  'sleep',
  'id',
  'kill',
  'setsid',
  'true',
  'env',
  'touch',
  'test',
  'head',
  'tr',
  'stty',
]

/**
 * Makes an image of a few programs of this machine and the libraries they need, so that a test needs no registry.
 * Throws with what the engine says where it cannot.
 */
export function importToolImage(engine: string, env: NodeJS.ProcessEnv, name: string): void {
  const root = mkdtempSync(join(tmpdir(), 'tj-image-'))
  try {
    for (const folder of ['bin', 'tmp', 'etc', 'dev', 'proc', 'sys', 'root']) mkdirSync(join(root, folder))
    symlinkSync('../bin', join(root, 'usr-bin'))
    writeFileSync(join(root, 'etc/passwd'), 'root:x:0:0:root:/root:/bin/sh\n')
    const copied = new Set<string>()
    for (const tool of TOOLS) {
      const found = findExecutable(tool, '/', '/usr/bin:/bin')
      // part of the shell
      if (found.kind !== 'found') continue
      copyFileSync(realpathSync(found.path), join(root, 'bin', tool))
      const libraries = execFileSync('ldd', [found.path], { encoding: 'utf8' }).matchAll(/(\/\S+) \(0x/g)
      for (const [, library = ''] of libraries) {
        if (copied.has(library)) continue
        copied.add(library)
        mkdirSync(join(root, dirname(library)), { recursive: true })
        copyFileSync(realpathSync(library), join(root, library))
      }
    }
    const archive = join(root, '..', `${name.replace(/\W/g, '-')}-${process.pid}.tar`)
    try {
      execFileSync('tar', ['-C', root, '-cf', archive, '.'])
      execFileSync(
        engine,
        ['import', '--change', 'ENV PATH=/bin', '--change', 'CMD ["/bin/echo","from the image"]', archive, name],
        {
          env,
          stdio: ['ignore', 'ignore', 'pipe'],
        },
      )
    } finally {
      rmSync(archive, { force: true })
    }
  } finally {
    rmSync(root, { recursive: true, force: true })
  }
}
