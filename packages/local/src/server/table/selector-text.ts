interface Expression {
  readonly key: string
  readonly operator: string
  readonly values?: readonly string[]
}

interface Selector {
  readonly matchLabels?: Readonly<Record<string, string>>
  readonly matchExpressions?: readonly unknown[]
}

/** A label selector as kubectl writes it: `a=b,c in (d,e),!f`; `<none>` without one. */
export function selectorText(selector: Selector | undefined): string {
  const parts = [
    ...Object.entries(selector?.matchLabels ?? {}).map(([key, value]) => `${key}=${value}`),
    ...((selector?.matchExpressions ?? []) as readonly Expression[]).map(({ key, operator, values = [] }) => {
      if (operator === 'Exists') return key
      if (operator === 'DoesNotExist') return `!${key}`
      return `${key} ${operator.toLowerCase()} (${values.join(',')})`
    }),
  ]
  return parts.length === 0 ? '<none>' : parts.toSorted().join(',')
}
