import path from 'node:path'
import { cachedBuild } from '../go/cached-build.ts'

/** Builds the program that admits objects by CustomResourceDefinitions, or finds it. Answers its path. */
export async function buildAdmission(): Promise<string | { readonly missing: string }> {
  const folder = await cachedBuild({
    name: 'crd',
    what: 'the part of kube-apiserver that knows CustomResourceDefinitions',
    source: import.meta.dirname,
    async build(into, go) {
      await go(['build', '-trimpath', '-ldflags=-s -w', '-o', path.join(into, 'crd'), '.'])
    },
  })
  return typeof folder === 'string' ? path.join(folder, 'crd') : folder
}
