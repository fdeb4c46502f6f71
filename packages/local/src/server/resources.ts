import {
  ClusterTrainingRuntimes,
  ConfigMaps,
  Events,
  JobSets,
  Jobs,
  Namespaces,
  Nodes,
  Pods,
  Secrets,
  Services,
  TrainingRuntimes,
  TrainJobs,
} from '@trainjob/api'
import { PRIORITY_CLASS_SCHEMA, PriorityClasses } from '../scheduler/priority-class.ts'
import { CLEANUP_FINALIZER } from './crd/cleanup-finalizer.ts'
import { CustomResourceDefinitions } from './crd/definition.ts'
import { DEFINITION_SCHEMA } from './crd/definition-schema.ts'
import { EVENT_NAMES } from './kinds/event-names.ts'
import type { ServedResource } from './served-resource.ts'
import type { PrinterColumn } from './table/column.ts'
import { MutatingWebhookConfigurations, ValidatingWebhookConfigurations } from './webhooks/configuration.ts'
import { configurationSchema } from './webhooks/configuration-schema.ts'
import { MUTATING, VALIDATING } from './webhooks/webhook-schema.ts'

const core = { group: '', version: 'v1', namespaced: true } as const
const all = ['all']
/** Built-in kinds whose status starts empty. */
const EMPTY = {}

const AGE: PrinterColumn = { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' }

function textColumn(name: string, jsonPath: string): PrinterColumn {
  return { name, type: 'string', jsonPath }
}

const JOB_SET_COLUMNS: readonly PrinterColumn[] = [
  textColumn('TerminalState', '.status.terminalState'),
  textColumn('Restarts', '.status.restarts'),
  textColumn('Completed', '.status.conditions[?(@.type=="Completed")].status'),
  textColumn('Suspended', '.spec.suspend'),
  AGE,
]

function podGroups(apiVersion: string): ServedResource {
  const [group = '', version = ''] = apiVersion.split('/')
  return {
    group,
    version,
    plural: 'podgroups',
    kind: 'PodGroup',
    namespaced: true,
    singular: 'podgroup',
    subresources: ['status'],
    generation: true,
    custom: true,
  }
}

/** What can be selected by of a reference to an object. */
function fieldsOf(reference: string): readonly string[] {
  const fields = ['kind', 'namespace', 'name', 'uid', 'apiVersion', 'resourceVersion', 'fieldPath']
  return fields.map((field) => `${reference}.${field}`)
}

/** A question that is asked by creating an object, which is not kept. */
function reviewKind(group: string, kind: string): ServedResource {
  const singular = kind.toLowerCase()
  return { group, version: 'v1', plural: `${singular}s`, kind, namespaced: false, singular, verbs: ['create'] }
}

/**
 * The kinds of an embedded cluster. Short names, categories and subresources as kube-apiserver 1.36 and the CRDs of
 * Trainer 2.3.0 and JobSet 0.12.0 have them.
 */
export const RESOURCES: readonly ServedResource[] = [
  {
    ...Pods,
    singular: 'pod',
    shortNames: ['po'],
    categories: all,
    subresources: ['attach', 'binding', 'eviction', 'exec', 'log', 'portforward', 'status'],
    generation: true,
    fieldSelectors: [
      'spec.nodeName',
      'spec.restartPolicy',
      'spec.schedulerName',
      'spec.serviceAccountName',
      'status.phase',
      'status.podIP',
      'status.nominatedNodeName',
    ],
    initialStatus: { phase: 'Pending' },
  },
  {
    ...Services,
    singular: 'service',
    shortNames: ['svc'],
    categories: all,
    subresources: ['status'],
    initialStatus: { loadBalancer: {} },
  },
  { ...ConfigMaps, singular: 'configmap', shortNames: ['cm'] },
  { ...Secrets, singular: 'secret', fieldSelectors: ['type'] },
  {
    ...Events,
    singular: 'event',
    shortNames: ['ev'],
    fieldSelectors: [...fieldsOf('involvedObject'), 'reason', 'reportingComponent', 'source', 'type'],
    sharesStorage: true,
  },
  {
    ...Namespaces,
    singular: 'namespace',
    shortNames: ['ns'],
    subresources: ['finalize', 'status'],
    fieldSelectors: ['status.phase'],
    initialStatus: { phase: 'Active' },
  },
  {
    ...Nodes,
    singular: 'node',
    shortNames: ['no'],
    subresources: ['status'],
    fieldSelectors: ['spec.unschedulable'],
  },
  {
    ...core,
    plural: 'serviceaccounts',
    kind: 'ServiceAccount',
    singular: 'serviceaccount',
    shortNames: ['sa'],
    subresources: ['token'],
  },
  {
    ...core,
    plural: 'persistentvolumeclaims',
    kind: 'PersistentVolumeClaim',
    singular: 'persistentvolumeclaim',
    shortNames: ['pvc'],
    subresources: ['status'],
    initialStatus: { phase: 'Pending' },
  },
  {
    ...Jobs,
    singular: 'job',
    categories: all,
    subresources: ['scale', 'status'],
    // kube-apiserver has none for Jobs any more; here `kubectl scale` works
    scale: { spec: '.spec.parallelism', status: '.status.active' },
    generation: true,
    fieldSelectors: ['status.successful'],
    initialStatus: EMPTY,
    orphansByDefault: true,
  },
  {
    ...Events,
    group: 'events.k8s.io',
    singular: 'event',
    shortNames: ['ev'],
    fieldSelectors: [...fieldsOf('regarding'), 'reason', 'reportingController', 'type'],
    sharesStorage: true,
    storedAs: Events,
    fieldNames: EVENT_NAMES,
  },
  {
    group: 'coordination.k8s.io',
    version: 'v1',
    plural: 'leases',
    kind: 'Lease',
    namespaced: true,
    singular: 'lease',
  },
  {
    ...PriorityClasses,
    singular: 'priorityclass',
    shortNames: ['pc'],
    generation: true,
    openApiSchema: PRIORITY_CLASS_SCHEMA,
  },
  reviewKind('authorization.k8s.io', 'SelfSubjectAccessReview'),
  reviewKind('authorization.k8s.io', 'SelfSubjectRulesReview'),
  reviewKind('authorization.k8s.io', 'SubjectAccessReview'),
  { ...reviewKind('authorization.k8s.io', 'LocalSubjectAccessReview'), namespaced: true },
  reviewKind('authentication.k8s.io', 'SelfSubjectReview'),
  reviewKind('authentication.k8s.io', 'TokenReview'),
  {
    ...CustomResourceDefinitions,
    singular: 'customresourcedefinition',
    shortNames: ['crd', 'crds'],
    categories: ['api-extensions'],
    subresources: ['status'],
    generation: true,
    initialStatus: { conditions: [], acceptedNames: { plural: '', kind: '' }, storedVersions: [] },
    schema: DEFINITION_SCHEMA,
    cleanupFinalizer: CLEANUP_FINALIZER,
  },
  {
    ...MutatingWebhookConfigurations,
    singular: 'mutatingwebhookconfiguration',
    categories: ['api-extensions'],
    generation: true,
    schema: configurationSchema(MUTATING),
    openApiSchema: MUTATING,
  },
  {
    ...ValidatingWebhookConfigurations,
    singular: 'validatingwebhookconfiguration',
    categories: ['api-extensions'],
    generation: true,
    schema: configurationSchema(VALIDATING),
    openApiSchema: VALIDATING,
  },
  // the groups of gang schedulers are kept, so that jobs that ask for one run here; there is none that reads them
  ...(['scheduling.x-k8s.io/v1alpha1', 'scheduling.volcano.sh/v1beta1'] as const).map(podGroups),
  {
    ...JobSets,
    singular: 'jobset',
    subresources: ['status'],
    generation: true,
    custom: true,
    printerColumns: JOB_SET_COLUMNS,
  },
  {
    ...TrainJobs,
    singular: 'trainjob',
    subresources: ['status'],
    generation: true,
    custom: true,
    printerColumns: [textColumn('State', '.status.conditions[-1:].type'), AGE],
  },
  { ...TrainingRuntimes, singular: 'trainingruntime', generation: true, custom: true },
  { ...ClusterTrainingRuntimes, singular: 'clustertrainingruntime', generation: true, custom: true },
]
