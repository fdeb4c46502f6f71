/** A plain or tagged YAML scalar as a JSON value. */
export type ScalarValue = string | number | boolean | null

const CONSTANTS: ReadonlyMap<string, boolean | null> = new Map<string, boolean | null>([
  ...spellings(true, 'y', 'yes', 'true', 'on'),
  ...spellings(false, 'n', 'no', 'false', 'off'),
  ...spellings(null, 'null'),
  ['', null],
  ['~', null],
])

/** Longest of these words. */
const MAX_CONSTANT = 5

const FLOAT = /^[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?$/
const SPECIAL = /^(?:[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN))$/
const TIMESTAMP = /^\d{4}-\d{1,2}-\d{1,2}(?:[Tt ]\d{1,2}:\d{1,2}:\d{1,2}(?:\.\d*)?(?:Z|[+-]\d{2}:\d{2})?)?$/
const RADIX: readonly (readonly [RegExp, number])[] = [
  [/^0[xX][0-9a-fA-F]+$/, 16],
  [/^0[oO][0-7]+$/, 8],
  [/^0[bB][01]+$/, 2],
  [/^0[0-7]+$/, 8],
]

/**
 * What an unquoted scalar means. kubectl reads YAML 1.1: `yes`, `no`, `on`, `off`, `y` and `n` are booleans, `0644` is
 * octal, `1_000` a number, and times are texts. So do we, because the same file must mean the same to both. (YAML 1.2
 * would make `yes` a text and `0644` six hundred and forty-four.) Answers `undefined` for infinities and NaN, which
 * JSON does not have.
 *
 * Source: sigs.k8s.io/yaml v1.6.0 on go.yaml.in/yaml/v2, resolve.go.
 */
export function resolvePlainScalar(source: string): ScalarValue | undefined {
  const constant = source.length > MAX_CONSTANT ? undefined : CONSTANTS.get(source)
  if (constant !== undefined) return constant
  const first = source.charCodeAt(0)
  const isNumeric = (first >= 48 && first <= 57) || first === 43 || first === 45 || first === 46
  if (!isNumeric) return source
  if (SPECIAL.test(source)) return undefined
  if (TIMESTAMP.test(source)) return source
  const value = resolveNumber(source)
  // JSON has no -0
  return value === 0 ? 0 : (value ?? source)
}

function resolveNumber(source: string): number | undefined {
  const plain = first(source) === '.' ? source.replaceAll(/(?<=\d)_(?=\d)/g, '') : source.replaceAll('_', '')
  const sign = first(plain) === '-' ? -1 : 1
  const digits = first(plain) === '-' || first(plain) === '+' ? plain.slice(1) : plain
  for (const [form, radix] of RADIX) {
    if (form.test(digits)) return sign * parseRadix(radix === 8 || digits.length > 2 ? digits : '', radix)
  }
  if (!FLOAT.test(plain)) return undefined
  const value = Number(plain)
  // 1e999 is no number to Go either, and stays a text
  return Number.isFinite(value) ? value : undefined
}

function parseRadix(digits: string, radix: number): number {
  return Number.parseInt(digits.replace(/^0[xXoObB]/, ''), radix)
}

function first(text: string): string {
  return text.charAt(0)
}

function* spellings<T>(value: T, ...words: string[]): Iterable<[string, T]> {
  for (const word of words) {
    yield [word, value]
    yield [word.charAt(0).toUpperCase() + word.slice(1), value]
    yield [word.toUpperCase(), value]
  }
}
