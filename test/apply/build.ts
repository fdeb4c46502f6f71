import path from 'node:path'
import { cachedBuild } from '../go/cached-build.ts'

/** Builds the program that tracks owners as kube-apiserver does, or finds it. Answers its path. */
export async function buildApply(): Promise<string | { readonly missing: string }> {
  const folder = await cachedBuild({
    name: 'apply',
    what: 'the part of kube-apiserver that applies and tracks who owns what',
    source: import.meta.dirname,
    async build(into, go) {
      await go(['build', '-trimpath', '-ldflags=-s -w', '-o', path.join(into, 'apply'), '.'])
    },
  })
  return typeof folder === 'string' ? path.join(folder, 'apply') : folder
}
