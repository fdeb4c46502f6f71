import { type Pod, Pods } from '@trainjob/api'
import type { AdmissionHook } from '@trainjob/controller'
import { issueList } from '../issue-list.ts'
import { forbidden } from '../server/failures.ts'
import { HIGHEST_PRIORITY, type PriorityClass, PriorityClasses, SYSTEM_CLASSES } from './priority-class.ts'

/** The classes of a cluster, as it knows them now. */
export interface KnownClasses {
  get(key: { readonly name: string }): PriorityClass | undefined
  list(): readonly PriorityClass[]
}

const PREEMPT = 'PreemptLowerPriority'

/**
 * Gives pods the priority of the class that they name, or of the one that is meant for all (source: kubernetes,
 * plugin/pkg/admission/priority).
 *
 * @param onMissing told of a class that is not here: the pod then has priority 0; it is refused when this is left out
 */
export function podPriorityAdmission(
  classes: KnownClasses,
  onMissing?: (priorityClass: string) => void,
): AdmissionHook<Pod> {
  return {
    resource: Pods,
    async mutate({ object, oldObject, operation, subresource }) {
      if (subresource !== undefined && subresource !== '') return object
      if (operation === 'UPDATE' && oldObject !== undefined) return withPriorityOf(oldObject, object)
      if (operation !== 'CREATE') return object
      const { spec, metadata } = object
      const refuse = (text: string): Error => forbidden(Pods, metadata.name ?? '', text)
      const named = spec.priorityClassName
      const found = named ? classes.get({ name: named }) : defaultOf(classes)
      if (named && found === undefined) {
        if (onMissing === undefined) throw refuse(`no PriorityClass with name ${named} was found`)
        onMissing(named)
      }
      const { value: priority = 0, preemptionPolicy = PREEMPT } = found ?? {}
      if (spec.priority !== undefined && spec.priority !== priority) {
        throw refuse(
          `the integer value of priority (${spec.priority}) must not be provided in pod spec; priority admission controller computed ${priority} from the given PriorityClass name`,
        )
      }
      if (spec.preemptionPolicy !== undefined && spec.preemptionPolicy !== preemptionPolicy) {
        throw refuse(
          `the string value of PreemptionPolicy (${spec.preemptionPolicy}) must not be provided in pod spec; priority admission controller computed ${preemptionPolicy} from the given PriorityClass name`,
        )
      }
      const name = found?.metadata.name ?? named
      return { ...object, spec: { ...spec, ...(name && { priorityClassName: name }), priority, preemptionPolicy } }
    },
  }
}

/** Whoever sends the pod as it was applied does not know what was added. */
function withPriorityOf({ spec: old }: Pod, pod: Pod): Pod {
  const { priority = old.priority, preemptionPolicy = old.preemptionPolicy } = pod.spec
  if (priority === pod.spec.priority && preemptionPolicy === pod.spec.preemptionPolicy) return pod
  return { ...pod, spec: { ...pod.spec, priority, preemptionPolicy } }
}

/** Defaulting and validation of the classes themselves (source: pkg/apis/scheduling/validation). */
export function priorityClassAdmission(classes: KnownClasses): AdmissionHook<PriorityClass> {
  return {
    resource: PriorityClasses,
    async mutate({ object, operation }) {
      if (operation === 'DELETE') return object
      const { value = 0, preemptionPolicy = PREEMPT } = object
      return { ...object, value, preemptionPolicy }
    },
    async validate({ object, oldObject, operation }) {
      if (operation === 'DELETE') return { errors: [], warnings: [] }
      const { name = '' } = object.metadata
      const issues = issueList(object)
      validateValue(object, issues)
      if (object.preemptionPolicy !== PREEMPT && object.preemptionPolicy !== 'Never') {
        const message = `expected Never or ${PREEMPT}, found ${JSON.stringify(object.preemptionPolicy)}`
        issues.add('preemptionPolicy', 'not-supported', message)
      }
      if (oldObject !== undefined) {
        for (const field of ['value', 'preemptionPolicy'] as const) {
          if (object[field] !== oldObject[field]) issues.add(field, 'forbidden', 'may not be changed in an update.')
        }
      }
      const other = object.globalDefault === true ? defaultOf(classes) : undefined
      if (other !== undefined && other.metadata.name !== name) {
        const text = `PriorityClass ${other.metadata.name} is already marked as default. Only one default can exist`
        throw forbidden(PriorityClasses, name, text)
      }
      return { errors: issues.issues, warnings: [] }
    },
  }
}

function validateValue(object: PriorityClass, issues: ReturnType<typeof issueList>): void {
  const { value, metadata } = object
  if (!Number.isInteger(value)) {
    issues.add('value', 'invalid-type', `expected a whole number, found ${JSON.stringify(value)}`)
    return
  }
  const system = SYSTEM_CLASSES.find((one) => one.metadata.name === metadata.name)
  if (metadata.name?.startsWith('system-') === true) {
    if (system !== undefined && system.value === value) return
    const message = "priority class names with 'system-' prefix are reserved for system use only"
    issues.add('metadata.name', 'forbidden', message)
  } else if ((value as number) > HIGHEST_PRIORITY) {
    const message = `maximum allowed value of a user defined priority is ${HIGHEST_PRIORITY}`
    issues.add('value', 'forbidden', message)
  }
}

/** Of several, which only a race can bring about, the lowest. */
function defaultOf(classes: KnownClasses): PriorityClass | undefined {
  let found: PriorityClass | undefined
  for (const one of classes.list()) {
    if (one.globalDefault !== true) continue
    if (found === undefined || (one.value ?? 0) < (found.value ?? 0)) found = one
  }
  return found
}
