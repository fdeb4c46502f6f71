import type { CustomResourceDefinition, DefinedNames, DefinitionCondition } from './definition.ts'

/** Names that a definition wants and another one has. */
interface Refusal {
  readonly reason: string
  readonly message: string
}

/**
 * The status of a definition: its names are accepted unless another one of its group has them, and with them it is
 * established (source: apiextensions-apiserver, pkg/controller/{status,establish}).
 *
 * @param others the other definitions of the group
 * @param now RFC 3339
 */
export function statusOfDefinition(
  definition: CustomResourceDefinition,
  others: readonly CustomResourceDefinition[],
  now: string,
): NonNullable<CustomResourceDefinition['status']> {
  const { spec, status } = definition
  const before = status?.conditions ?? []
  const taken = new Set(others.flatMap(({ status: other }) => namesOf(other?.acceptedNames)))
  const kinds = new Set(others.flatMap(({ status: other }) => kindsOf(other?.acceptedNames)))
  const refusal = refusalOf(spec.names, taken, kinds)
  const established = before.some(({ type, status: state }) => type === 'Established' && state === 'True')
  const stored = spec.versions.find(({ storage }) => storage)?.name
  const conditions: DefinitionCondition[] = [
    refusal === undefined
      ? { type: 'NamesAccepted', status: 'True', reason: 'NoConflicts', message: 'no conflicts found' }
      : { type: 'NamesAccepted', status: 'False', ...refusal },
    // what is established stays so
    refusal === undefined || established
      ? {
          type: 'Established',
          status: 'True',
          reason: 'InitialNamesAccepted',
          message: 'the initial names have been accepted',
        }
      : { type: 'Established', status: 'False', reason: 'NotAccepted', message: 'not all names are accepted' },
  ]
  const known = status?.storedVersions ?? []
  return {
    ...status,
    conditions: [
      ...conditions.map((condition) => since(condition, before, now)),
      ...before.filter(({ type }) => type !== 'NamesAccepted' && type !== 'Established'),
    ],
    acceptedNames: refusal === undefined ? spec.names : (status?.acceptedNames ?? { plural: '', kind: '' }),
    storedVersions: stored === undefined || known.includes(stored) ? known : [...known, stored],
  }
}

function since(
  condition: DefinitionCondition,
  before: readonly DefinitionCondition[],
  now: string,
): DefinitionCondition {
  const old = before.find(({ type }) => type === condition.type)
  const lastTransitionTime = old?.status === condition.status ? (old.lastTransitionTime ?? now) : now
  return { ...condition, lastTransitionTime }
}

function namesOf(names: DefinedNames | undefined): readonly string[] {
  return [names?.plural, names?.singular, ...(names?.shortNames ?? [])].filter(
    (name) => name !== undefined && name !== '',
  ) as string[]
}

function kindsOf(names: DefinedNames | undefined): readonly string[] {
  return [names?.kind, names?.listKind].filter((name) => name !== undefined && name !== '') as string[]
}

function refusalOf(names: DefinedNames, taken: ReadonlySet<string>, kinds: ReadonlySet<string>): Refusal | undefined {
  const wanted = [
    ['PluralConflict', names.plural, taken],
    ['SingularConflict', names.singular, taken],
    ...(names.shortNames ?? []).map((name) => ['ShortNamesConflict', name, taken] as const),
    ['KindConflict', names.kind, kinds],
    ['ListKindConflict', names.listKind, kinds],
  ] as const
  for (const [reason, name, there] of wanted) {
    if (name !== undefined && there.has(name)) return { reason, message: `${JSON.stringify(name)} is already in use` }
  }
  return undefined
}
