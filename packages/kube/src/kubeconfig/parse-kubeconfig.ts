import { dirname, isAbsolute, join } from 'node:path'
import { KubeError } from '../error.ts'
import type { Kubeconfig, NamedCluster, NamedContext, NamedUser } from './kubeconfig.ts'

const PATHS = ['certificate-authority', 'client-certificate', 'client-key', 'tokenFile'] as const

/**
 * Reads a kubeconfig, in YAML or JSON. Relative paths in it mean the folder of `file`. JSON needs no parser to be
 * loaded. Throws `KubeError` (`config`) that names the file and the place.
 */
export async function parseKubeconfig(text: string, file: string): Promise<Kubeconfig> {
  const value = await parseText(text, file)
  if (value === null || value === undefined) return { clusters: [], contexts: [], users: [] }
  if (typeof value !== 'object' || Array.isArray(value)) {
    throw new KubeError(
      'config',
      `expected a kubeconfig in ${file}, found ${describe(value)}; does the path name the right file?`,
    )
  }
  const fields = value as Record<string, unknown>
  const current = fields['current-context']
  const folder = dirname(file)
  return {
    clusters: entries<NamedCluster>(fields, 'clusters', 'cluster', file, folder),
    contexts: entries<NamedContext>(fields, 'contexts', 'context', file, folder),
    users: entries<NamedUser>(fields, 'users', 'user', file, folder),
    ...(typeof current === 'string' && current !== '' && { 'current-context': current }),
  }
}

async function parseText(text: string, file: string): Promise<unknown> {
  if (text.trimStart().startsWith('{')) {
    try {
      return JSON.parse(text)
    } catch {
      // flow-style YAML looks like JSON; the YAML parser also says better what is wrong
    }
  }
  const { parse } = await import('yaml')
  try {
    return parse(text)
  } catch (error) {
    throw new KubeError('config', `expected YAML in ${file}, found a fault: ${(error as Error).message}`, {
      cause: error,
    })
  }
}

function entries<T>(fields: Record<string, unknown>, list: string, part: string, file: string, folder: string): T[] {
  const value = fields[list]
  if (value === undefined || value === null) return []
  if (!Array.isArray(value)) {
    throw new KubeError('config', `expected a list in ${list} of ${file}, found ${describe(value)}`)
  }
  return value.map((entry: unknown, index) => {
    const { name, [part]: content } = (entry ?? {}) as Record<string, unknown>
    if (typeof name !== 'string') {
      throw new KubeError('config', `expected a name in ${list}[${index}] of ${file}, found ${describe(name)}`)
    }
    if (content !== undefined && content !== null && typeof content !== 'object') {
      throw new KubeError(
        'config',
        `expected a map in ${list}[${index}].${part} of ${file}, found ${describe(content)}`,
      )
    }
    return { name, [part]: absolutePaths((content ?? {}) as Record<string, unknown>, folder) } as T
  })
}

function absolutePaths(content: Record<string, unknown>, folder: string): Record<string, unknown> {
  const resolved = { ...content }
  for (const field of PATHS) {
    const path = resolved[field]
    if (typeof path === 'string' && path !== '' && !isAbsolute(path)) resolved[field] = join(folder, path)
  }
  return resolved
}

function describe(value: unknown): string {
  if (value === undefined || value === null) return 'nothing'
  if (Array.isArray(value)) return 'a list'
  return typeof value === 'object' ? 'a map' : JSON.stringify(value)
}
