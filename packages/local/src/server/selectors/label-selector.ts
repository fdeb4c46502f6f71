type Labels = Readonly<Record<string, string>>

/** A label selector as objects hold it (`metav1.LabelSelector`); an empty one selects everything. */
export interface LabelSelector {
  readonly matchLabels?: Labels
  readonly matchExpressions?: readonly LabelRequirement[]
}

/** What a label must be. */
export interface LabelRequirement {
  readonly key: string
  /** `In`, `NotIn`, `Exists` or `DoesNotExist`. */
  readonly operator: string
  readonly values?: readonly string[]
}

/** Whether labels satisfy a selector. */
export function matchesLabels(
  { matchLabels = {}, matchExpressions = [] }: LabelSelector,
  labels: Labels = {},
): boolean {
  return (
    Object.entries(matchLabels).every(([key, value]) => textOf(labels, key) === value) &&
    matchExpressions.every((requirement) => meets(requirement, labels))
  )
}

function meets({ key, operator, values = [] }: LabelRequirement, labels: Labels): boolean {
  const value = textOf(labels, key)
  switch (operator) {
    case 'In':
      return value !== undefined && values.includes(value)
    case 'NotIn':
      return value === undefined || !values.includes(value)
    case 'Exists':
      return value !== undefined
    default:
      return value === undefined
  }
}

function textOf(labels: Labels, key: string): string | undefined {
  return Object.hasOwn(labels, key) ? labels[key] : undefined
}
