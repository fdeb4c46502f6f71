import { compareSegments } from './list-keys.ts'

/**
 * A set of field paths in the form of `FieldsV1`: `f:name` descends into a map, `k:{…}` into the list item with these
 * keys, `v:…` to the item with this value. A node without children is a member; a node with children is one when it
 * holds `.`. The root is never a member; empty, it is the empty set. Sets are never changed.
 */
export interface FieldSet {
  readonly [segment: string]: FieldSet
}

/** A member without members below it; as a root, the empty set. */
export const LEAF: FieldSet = Object.freeze({})

/** A node from its parts; `undefined` when neither it nor anything below it is a member. */
export function node(member: boolean, children: FieldSet): FieldSet | undefined {
  if (isEmpty(children)) return member ? LEAF : undefined
  return member ? { '.': LEAF, ...children } : children
}

/** Whether the root of a set has no members. */
export function isEmpty(set: FieldSet): boolean {
  for (const _ in set) return false
  return true
}

/** Whether a node (not the root) is itself a member. */
export function isMember(set: FieldSet): boolean {
  return set['.'] !== undefined || isEmpty(set)
}

/** The members of either. */
export function union(a: FieldSet, b: FieldSet): FieldSet {
  if (a === b || isEmpty(b)) return a
  if (isEmpty(a)) return b
  const result: Record<string, FieldSet> = { ...a }
  for (const segment in b) {
    if (segment === '.') continue
    const mine = a[segment]
    const theirs = b[segment] as FieldSet
    result[segment] = mine === undefined ? theirs : unionOfNodes(mine, theirs)
  }
  return result
}

function unionOfNodes(a: FieldSet, b: FieldSet): FieldSet {
  return node(isMember(a) || isMember(b), union(childrenOf(a), childrenOf(b))) ?? LEAF
}

/** The members of `a` that `b` does not have; `a` itself when they have none in common. */
export function difference(a: FieldSet, b: FieldSet): FieldSet {
  let result: Record<string, FieldSet> | undefined
  for (const segment in b) {
    if (segment === '.') continue
    const mine = a[segment]
    if (mine === undefined) continue
    const theirs = b[segment] as FieldSet
    const left = differenceOfNodes(mine, theirs)
    if (left === mine) continue
    result ??= { ...a }
    if (left === undefined) delete result[segment]
    else result[segment] = left
  }
  return result ?? a
}

function differenceOfNodes(a: FieldSet, b: FieldSet): FieldSet | undefined {
  const member = isMember(a)
  const taken = member && isMember(b)
  const left = difference(a, b)
  return left === a && !taken ? a : node(member && !taken, childrenOf(left))
}

/** The members of both. */
export function intersection(a: FieldSet, b: FieldSet): FieldSet {
  const result: Record<string, FieldSet> = {}
  for (const segment in a) {
    const theirs = segment === '.' ? undefined : b[segment]
    if (theirs === undefined) continue
    const mine = a[segment] as FieldSet
    const both = node(isMember(mine) && isMember(theirs), intersection(childrenOf(mine), childrenOf(theirs)))
    if (both !== undefined) result[segment] = both
  }
  return result
}

/** The members as segments from the root: those of a container, then those below its parts. */
export function pathsOf(set: FieldSet): string[][] {
  const paths: string[][] = []
  collect(set, [], paths)
  return paths
}

function collect(set: FieldSet, prefix: readonly string[], paths: string[][]): void {
  const segments = Object.keys(set)
    .filter((segment) => segment !== '.')
    .sort(compareSegments)
  for (const segment of segments) {
    if (isMember(set[segment] as FieldSet)) paths.push([...prefix, segment])
  }
  for (const segment of segments) collect(set[segment] as FieldSet, [...prefix, segment], paths)
}

/** What lies below a node. */
export function childrenOf(set: FieldSet): FieldSet {
  if (set['.'] === undefined) return set
  const { '.': _, ...children } = set
  return children
}
