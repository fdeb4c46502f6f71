import type { KubeObject } from '@trainjob/kube'

/** Gives what is different each time (uids, random suffixes of pods, times) a name that is not. */
export interface Aliases {
  /** `Kind/name`, without a random suffix. */
  nameOf(object: KubeObject): string
  /** Must be told of every object before a text that may mention it is read. */
  learn(object: KubeObject): void
  /** A copy in which everything random is replaced. */
  replace(value: unknown): unknown
}

const UID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g
const GENERATED_NAME = /[a-z0-9][a-z0-9-]*-[bcdfghjklmnpqrstvwxz2456789]{5}(?![a-z0-9])/g
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/

export function createAliases(): Aliases {
  const uids = new Map<string, string>()
  const names = new Map<string, string>()

  function ownName({ metadata: { name = '', generateName } }: KubeObject): string {
    return generateName === undefined ? name : `${generateName}*`
  }

  function replaceText(text: string): string {
    if (TIME.test(text)) return '<time>'
    return text
      .replace(UID, (uid) => `<uid of ${uids.get(uid) ?? '?'}>`)
      .replace(GENERATED_NAME, (name) => names.get(name) ?? name)
  }

  function replace(value: unknown): unknown {
    if (typeof value === 'string') return replaceText(value)
    if (Array.isArray(value)) return value.map(replace)
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, replace(item)]))
  }

  return {
    nameOf: (object) => `${object.kind}/${ownName(object)}`,
    learn(object) {
      const { name = '', uid = '', generateName } = object.metadata
      uids.set(uid, `${object.kind}/${ownName(object)}`)
      if (generateName !== undefined) names.set(name, ownName(object))
    },
    replace,
  }
}
