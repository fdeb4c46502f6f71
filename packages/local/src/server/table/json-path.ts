/** One step of a path: answers what it finds in a value. */
type Step = (value: unknown) => readonly unknown[]

const FIELD = /^\.?([A-Za-z_$][\w$-]*)/
const QUOTED = /^\['((?:[^'\\]|\\.)*)'\]/
const ALL = /^(?:\[\*\]|\.\*)/
const INDEX = /^\[(-?\d+)\]/
const SLICE = /^\[(-?\d*):(-?\d*)\]/
const FILTER = /^\[\?\(\s*@((?:\.[A-Za-z_$][\w$-]*)+)\s*(==|!=)\s*(?:"([^"]*)"|'([^']*)'|([^)\s]+))\s*\)\]/

/**
 * Reads a JSONPath as printer columns write it: `.a.b`, `['a']`, `[0]`, `[-1:]`, `[*]`, `[?(@.type=="Ready")]`. The
 * function that comes back answers all that the path finds. Throws `TypeError` for other forms.
 */
export function parseJsonPath(text: string): (value: unknown) => readonly unknown[] {
  const steps: Step[] = []
  let rest = text.replace(/^\{(.*)\}$/, '$1').replace(/^\$/, '')
  while (rest !== '' && rest !== '.') {
    const [step, length] = stepOf(rest, text)
    steps.push(step)
    rest = rest.slice(length)
  }
  return (value) => steps.reduce<readonly unknown[]>((found, step) => found.flatMap(step), [value])
}

function stepOf(rest: string, whole: string): [Step, number] {
  const all = ALL.exec(rest)
  if (all !== null) return [childrenOf, all[0].length]
  const name = FIELD.exec(rest) ?? QUOTED.exec(rest)
  if (name !== null) {
    const key = (name[1] ?? '').replaceAll(/\\(.)/g, '$1')
    return [(value) => fieldOf(value, key), name[0].length]
  }
  const index = INDEX.exec(rest)
  if (index !== null) {
    const at = Number(index[1])
    return [(value) => (Array.isArray(value) && value.at(at) !== undefined ? [value.at(at)] : []), index[0].length]
  }
  const slice = SLICE.exec(rest)
  if (slice !== null) {
    const from = slice[1] === '' ? 0 : Number(slice[1])
    const to = slice[2] === '' ? undefined : Number(slice[2])
    return [(value) => (Array.isArray(value) ? value.slice(from, to) : []), slice[0].length]
  }
  const filter = FILTER.exec(rest)
  if (filter !== null) return [filterStep(filter), filter[0].length]
  throw new TypeError(`Expected a JSONPath like .status.phase or .items[0].name, found "${whole}" (at "${rest}")`)
}

function filterStep([, path = '', operator, double, single, bare]: RegExpExecArray): Step {
  const keys = path.slice(1).split('.')
  const wanted = double ?? single ?? bare
  return (value) =>
    childrenOf(value).filter((item) => {
      const [found] = keys.reduce<readonly unknown[]>(
        (values, key) => values.flatMap((one) => fieldOf(one, key)),
        [item],
      )
      return (String(found) === wanted) === (operator === '==')
    })
}

function fieldOf(value: unknown, key: string): readonly unknown[] {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return []
  const child = (value as Record<string, unknown>)[key]
  return child === undefined ? [] : [child]
}

function childrenOf(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value
  return typeof value === 'object' && value !== null ? Object.values(value) : []
}
