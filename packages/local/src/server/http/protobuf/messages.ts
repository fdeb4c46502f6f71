/** How a field of a message becomes JSON. */
export interface MessageField {
  readonly name: string
  readonly type: 'string' | 'bytes' | 'int' | 'bool' | Message
  /** `map`: entries of key (a text) and value of the type. */
  readonly repeated?: 'list' | 'map'
}

/** Fields of a message by their numbers. */
export interface Message {
  readonly [number: number]: MessageField
}

function text(name: string): MessageField {
  return { name, type: 'string' }
}
function int(name: string): MessageField {
  return { name, type: 'int' }
}
function bool(name: string): MessageField {
  return { name, type: 'bool' }
}
function texts(name: string): MessageField {
  return { name, type: 'string', repeated: 'list' }
}
function list(name: string, type: Message): MessageField {
  return { name, type, repeated: 'list' }
}
function map(name: string, type: 'string' | 'bytes'): MessageField {
  return { name, type, repeated: 'map' }
}
function message(name: string, type: Message): MessageField {
  return { name, type }
}

const METADATA: MessageField = message('metadata', {
  1: text('name'),
  2: text('generateName'),
  3: text('namespace'),
  5: text('uid'),
  6: text('resourceVersion'),
  11: map('labels', 'string'),
  12: map('annotations', 'string'),
})

const NOTHING: Message = {}

/** What `kubectl create job` fills in; whatever else a client says is refused, not lost. */
const CONTAINER: Message = {
  1: text('name'),
  2: text('image'),
  3: texts('command'),
  4: texts('args'),
  5: text('workingDir'),
  7: list('env', { 1: text('name'), 2: text('value') }),
  8: message('resources', NOTHING),
  13: text('terminationMessagePath'),
  14: text('imagePullPolicy'),
  16: bool('stdin'),
  17: bool('stdinOnce'),
  18: bool('tty'),
  20: text('terminationMessagePolicy'),
}

const POD_SPEC: Message = {
  2: list('containers', CONTAINER),
  3: text('restartPolicy'),
  4: int('terminationGracePeriodSeconds'),
  6: text('dnsPolicy'),
  7: map('nodeSelector', 'string'),
  8: text('serviceAccountName'),
  10: text('nodeName'),
  19: text('schedulerName'),
}

const JOB: Message = {
  1: METADATA,
  2: message('spec', {
    1: int('parallelism'),
    2: int('completions'),
    3: int('activeDeadlineSeconds'),
    6: message('template', { 1: METADATA, 2: message('spec', POD_SPEC) }),
    7: int('backoffLimit'),
    8: int('ttlSecondsAfterFinished'),
    9: text('completionMode'),
    10: bool('suspend'),
  }),
}

/** `kubectl drain` sends them. */
const DELETE_OPTIONS: Message = {
  1: int('gracePeriodSeconds'),
  2: message('preconditions', { 1: text('uid'), 2: text('resourceVersion') }),
  3: bool('orphanDependents'),
  4: text('propagationPolicy'),
  5: texts('dryRun'),
}

/**
 * The messages that kubectl sends where it knows the Go type, by kind: it does so for some of its commands although
 * everything else is JSON (source: generated.proto of k8s.io/api v0.36).
 */
export const MESSAGES: Readonly<Record<string, Message>> = {
  ConfigMap: { 1: METADATA, 2: map('data', 'string'), 3: map('binaryData', 'bytes'), 4: bool('immutable') },
  Secret: {
    1: METADATA,
    2: map('data', 'bytes'),
    3: text('type'),
    4: map('stringData', 'string'),
    5: bool('immutable'),
  },
  Namespace: { 1: METADATA },
  ServiceAccount: { 1: METADATA },
  Job: JOB,
  TokenRequest: {
    1: METADATA,
    2: message('spec', {
      1: texts('audiences'),
      3: message('boundObjectRef', { 1: text('kind'), 2: text('apiVersion'), 3: text('name'), 4: text('uid') }),
      4: int('expirationSeconds'),
    }),
  },
  SelfSubjectAccessReview: {
    1: METADATA,
    2: message('spec', {
      1: message('resourceAttributes', {
        1: text('namespace'),
        2: text('verb'),
        3: text('group'),
        4: text('version'),
        5: text('resource'),
        6: text('subresource'),
        7: text('name'),
      }),
      2: message('nonResourceAttributes', { 1: text('path'), 2: text('verb') }),
    }),
  },
  SelfSubjectRulesReview: { 1: METADATA, 2: message('spec', { 1: text('namespace') }) },
  SelfSubjectReview: { 1: METADATA },
  PriorityClass: {
    1: METADATA,
    2: int('value'),
    3: bool('globalDefault'),
    4: text('description'),
    5: text('preemptionPolicy'),
  },
  DeleteOptions: DELETE_OPTIONS,
  Eviction: { 1: METADATA, 2: message('deleteOptions', DELETE_OPTIONS) },
}
