import type { Environment } from '@marcbachmann/cel-js'
import { equal } from '../../../object/equal.ts'
import { compilePattern } from '../pattern.ts'

type Comparable = string | number | bigint | boolean | Date

/** Lists, sets and texts (sources: k8s.io/apiserver, pkg/cel/library/{lists,regex}.go; cel-go, ext/{sets,strings}.go). */
export function registerLists(environment: Environment): Environment {
  const has = (list: readonly unknown[], item: unknown) => list.some((one) => equal(one, item))
  const covers = (a: readonly unknown[], b: readonly unknown[]) => b.every((item) => has(a, item))
  return environment
    .registerFunction('list.isSorted(): bool', (list: readonly Comparable[]) =>
      list.every((item, index) => index === 0 || (list[index - 1] as Comparable) <= item),
    )
    .registerFunction('list.sum(): dyn', sum)
    .registerFunction('list.min(): dyn', (list: readonly Comparable[]) => extreme(list, 'min', (a, b) => a < b))
    .registerFunction('list.max(): dyn', (list: readonly Comparable[]) => extreme(list, 'max', (a, b) => a > b))
    .registerFunction('list.indexOf(dyn): int', (list: readonly unknown[], item: unknown) =>
      BigInt(list.findIndex((one) => equal(one, item))),
    )
    .registerFunction('list.lastIndexOf(dyn): int', (list: readonly unknown[], item: unknown) =>
      BigInt(list.findLastIndex((one) => equal(one, item))),
    )
    .registerFunction('list.distinct(): list', (list: readonly unknown[]) =>
      list.filter((item, index) => list.findIndex((one) => equal(one, item)) === index),
    )
    .registerConstant('sets', 'Sets', new Sets())
    .registerFunction('Sets.contains(list, list): bool', (_: Sets, a, b) => covers(a, b))
    .registerFunction('Sets.equivalent(list, list): bool', (_: Sets, a, b) => covers(a, b) && covers(b, a))
    .registerFunction('Sets.intersects(list, list): bool', (_: Sets, a: unknown[], b) => a.some((item) => has(b, item)))
    .registerFunction('string.find(string): string', (text: string, pattern: string) => {
      return compilePattern(pattern).exec(text)?.[0] ?? ''
    })
    .registerFunction('string.findAll(string): list<string>', (text: string, pattern: string) => {
      const { source, flags } = compilePattern(pattern)
      return Array.from(text.matchAll(new RegExp(source, `${flags}g`)), ([found]) => found)
    })
    .registerFunction('string.charAt(int): string', (text: string, index: bigint) => {
      const characters = [...text]
      if (index < 0n || index > BigInt(characters.length)) throw new RangeError(`index out of range: ${index}`)
      return characters[Number(index)] ?? ''
    })
    .registerFunction('string.replace(string, string): string', (text: string, from: string, to: string) =>
      text.replaceAll(from, () => to),
    )
    .registerFunction('string.replace(string, string, int): string', replaceSome)
    .registerFunction('string.reverse(): string', (text: string) => [...text].reverse().join(''))
}

/** What the functions of `sets` are called on. */
export class Sets {}

function sum(list: readonly (number | bigint)[]): unknown {
  if (list.length === 0) return 0n
  return list.every((item) => typeof item === 'bigint')
    ? list.reduce((total, item) => total + item, 0n)
    : list.reduce<number>((total, item) => total + Number(item), 0)
}

function extreme(
  list: readonly Comparable[],
  name: string,
  better: (a: Comparable, b: Comparable) => boolean,
): Comparable {
  const [first, ...rest] = list
  if (first === undefined) throw new RangeError(`${name} called on empty list`)
  return rest.reduce((best, item) => (better(item, best) ? item : best), first)
}

function replaceSome(text: string, from: string, to: string, count: bigint): string {
  let left = count < 0n ? Number.POSITIVE_INFINITY : Number(count)
  return text.replaceAll(from, (found) => (left-- > 0 ? to : found))
}
