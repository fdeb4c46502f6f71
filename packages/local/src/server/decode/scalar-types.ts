/** Types of scalar fields, where a wrong one would do harm; all other scalars may be any. */
export type ScalarType = 'string' | 'integer' | 'boolean'

function fields(types: Readonly<Partial<Record<ScalarType, string>>>): ReadonlyMap<string, ScalarType> {
  return new Map(
    Object.entries(types).flatMap(([type, names]) =>
      names.split(' ').map((name): [string, ScalarType] => [name, type as ScalarType]),
    ),
  )
}

/**
 * By struct, for fields whose type the wire table leaves open (sources: k8s.io/api 0.36, JobSet 0.12.0).
 */
const SCALARS: Readonly<Record<string, ReadonlyMap<string, ScalarType>>> = {
  'batch.JobSpec': fields({
    integer:
      'parallelism completions activeDeadlineSeconds backoffLimit backoffLimitPerIndex maxFailedIndexes ttlSecondsAfterFinished',
    boolean: 'suspend manualSelector',
    string: 'completionMode podReplacementPolicy managedBy',
  }),
  'batch.SuccessPolicyRule': fields({ integer: 'succeededCount', string: 'succeededIndexes' }),
  'core.ConfigMap': fields({ boolean: 'immutable' }),
  'core.Secret': fields({ boolean: 'immutable', string: 'type' }),
  'core.ServiceAccount': fields({ boolean: 'automountServiceAccountToken' }),
  'core.Event': fields({
    integer: 'count',
    string: 'reason message type action reportingComponent reportingInstance firstTimestamp lastTimestamp eventTime',
  }),
  'core.EventSeries': fields({ integer: 'count', string: 'lastObservedTime' }),
  'core.PodSpec': fields({
    integer: 'terminationGracePeriodSeconds activeDeadlineSeconds priority',
    string: 'restartPolicy nodeName hostname subdomain serviceAccountName schedulerName priorityClassName dnsPolicy',
  }),
  'core.Container': fields({ string: 'image workingDir restartPolicy imagePullPolicy', boolean: 'stdin tty' }),
  'core.ContainerPort': fields({ integer: 'containerPort hostPort', string: 'name protocol hostIP' }),
  'core.EnvVar': fields({ string: 'value' }),
  'core.EnvFromSource': fields({ string: 'prefix' }),
  'core.Probe': fields({
    integer: 'initialDelaySeconds timeoutSeconds periodSeconds successThreshold failureThreshold',
  }),
  'core.VolumeMount': fields({ string: 'subPath subPathExpr', boolean: 'readOnly' }),
  'core.PersistentVolumeClaimVolumeSource': fields({ string: 'claimName' }),
  'jobset.JobSetSpec': fields({ integer: 'ttlSecondsAfterFinished', boolean: 'suspend', string: 'managedBy' }),
  'jobset.ReplicatedJob': fields({ integer: 'replicas', string: 'groupName' }),
  'jobset.FailurePolicy': fields({ integer: 'maxRestarts', string: 'restartStrategy' }),
  'jobset.Network': fields({ boolean: 'enableDNSHostnames publishNotReadyAddresses', string: 'subdomain' }),
  'jobset.Coordinator': fields({ integer: 'jobIndex podIndex' }),
}

/** Lists of numbers; lists of all other scalars hold texts. */
const INTEGER_LISTS = new Set([
  'batch.PodFailurePolicyOnExitCodesRequirement.values',
  'core.ContainerRestartRuleOnExitCodes.values',
  'core.PodSecurityContext.supplementalGroups',
  'jobset.ReplicatedJobStatus.jobRestarts',
  'jobset.ReplicatedJobStatus.jobRestartsCountTowardsMax',
])

/** Type of a scalar field; `undefined` when any will do. */
export function scalarTypeOf(struct: string, field: string): ScalarType | undefined {
  return SCALARS[struct]?.get(field)
}

/** Type of the items of a list of scalars. */
export function itemTypeOf(struct: string, field: string): ScalarType {
  return INTEGER_LISTS.has(`${struct}.${field}`) ? 'integer' : 'string'
}
