import { UNNAMED_MANAGER } from '@trainjob/api'
import { collectionOf, type ServedResource } from '../served-resource.ts'
import type { FieldSchema } from './field-schema.ts'
import {
  EMBEDDED_POD_SPEC,
  ENV,
  jobSpecSchema,
  METADATA,
  PATCHED_POD_SPEC,
  POD_SPEC,
  POD_STATUS,
  RESOURCES,
} from './pod-schema.ts'

const ATOMIC: FieldSchema = { atomic: true }
const SET: FieldSchema = { list: 'set' }
const CONDITIONS: FieldSchema = { list: ['type'] }

function objectSchema(fields: Readonly<Record<string, FieldSchema>>): FieldSchema {
  return { fields: { metadata: METADATA, ...fields } }
}

const JOB_SET_SPEC: FieldSchema = {
  fields: {
    replicatedJobs: {
      list: ['name'],
      items: {
        fields: {
          dependsOn: { list: ['name'] },
          template: { fields: { spec: jobSpecSchema(EMBEDDED_POD_SPEC, true) } },
        },
      },
    },
  },
}

const PATCHED_JOB_SET_SPEC: FieldSchema = {
  fields: {
    replicatedJobs: {
      list: ['name'],
      items: {
        fields: { template: { fields: { spec: { fields: { template: { fields: { spec: PATCHED_POD_SPEC } } } } } } },
      },
    },
  },
}

const RUNTIME: FieldSchema = objectSchema({
  spec: {
    fields: {
      mlPolicy: {
        fields: {
          torch: {
            fields: {
              envInjection: {
                fields: { targets: { list: ['jobName'], items: { fields: { containerNames: SET } } } },
              },
            },
          },
        },
      },
      template: { fields: { spec: JOB_SET_SPEC } },
    },
  },
})

const INITIALIZER: FieldSchema = { fields: { env: ENV, secretRef: ATOMIC } }

const SCHEMAS: Readonly<Record<string, FieldSchema>> = {
  pods: objectSchema({ spec: POD_SPEC, status: POD_STATUS }),
  'jobs.batch': objectSchema({
    spec: jobSpecSchema(POD_SPEC),
    status: { fields: { uncountedTerminatedPods: { fields: { failed: SET, succeeded: SET } } } },
  }),
  services: objectSchema({
    spec: {
      fields: { ports: { list: ['port', 'protocol'], keyDefaults: { protocol: 'TCP' } }, selector: ATOMIC },
    },
    status: { fields: { conditions: CONDITIONS } },
  }),
  nodes: objectSchema({
    spec: { fields: { podCIDRs: SET } },
    status: { fields: { addresses: { list: ['type'] }, conditions: CONDITIONS } },
  }),
  namespaces: objectSchema({ status: { fields: { conditions: CONDITIONS } } }),
  events: objectSchema({ involvedObject: ATOMIC, related: ATOMIC }),
  serviceaccounts: objectSchema({ secrets: { list: ['name'], items: ATOMIC } }),
  persistentvolumeclaims: objectSchema({
    spec: { fields: { dataSource: ATOMIC, selector: ATOMIC } },
    status: { fields: { conditions: CONDITIONS } },
  }),
  'jobsets.jobset.x-k8s.io': objectSchema({
    spec: JOB_SET_SPEC,
    status: { fields: { conditions: CONDITIONS, replicatedJobsStatus: { list: ['name'] } } },
  }),
  'trainjobs.trainer.kubeflow.org': objectSchema({
    spec: {
      fields: {
        initializer: { fields: { dataset: INITIALIZER, model: INITIALIZER } },
        trainer: { fields: { env: ENV, resourcesPerNode: RESOURCES } },
        runtimePatches: {
          list: ['manager'],
          keyDefaults: { manager: UNNAMED_MANAGER },
          items: {
            fields: { trainingRuntimeSpec: { fields: { template: { fields: { spec: PATCHED_JOB_SET_SPEC } } } } },
          },
        },
      },
    },
    status: { fields: { conditions: CONDITIONS, jobsStatus: { list: ['name'] } } },
  }),
  'trainingruntimes.trainer.kubeflow.org': RUNTIME,
  'clustertrainingruntimes.trainer.kubeflow.org': RUNTIME,
}

const ANY: FieldSchema = objectSchema({})

const WITH_METADATA = new WeakMap<FieldSchema, FieldSchema>()

const TEXTS: FieldSchema = { type: 'object', items: { type: 'string' } }

/** Metadata as it is checked where nothing else does. */
const CHECKED_METADATA: FieldSchema = {
  type: 'object',
  closed: true,
  fields: { ...METADATA.fields, annotations: TEXTS, labels: TEXTS, generateName: { type: 'string' } },
}

/** Definitions say nothing about metadata. */
function withMetadata(schema: FieldSchema): FieldSchema {
  let found = WITH_METADATA.get(schema)
  if (found === undefined) {
    found = { ...schema, fields: { ...schema.fields, metadata: CHECKED_METADATA } }
    WITH_METADATA.set(schema, found)
  }
  return found
}

/** How fields of a kind can be owned. */
export function schemaOf(resource: ServedResource): FieldSchema {
  const defined = resource.schema?.ownership()
  if (defined !== undefined) return withMetadata(defined)
  return SCHEMAS[collectionOf(resource)] ?? ANY
}

/**
 * What a new object of a built-in kind is compared with: Go's empty value has these containers, so nobody who creates
 * an object owns them.
 */
const BLANKS: Readonly<Record<string, object>> = {
  pods: { spec: { containers: null } },
  'jobs.batch': { spec: { template: { spec: { containers: null } } } },
  services: { spec: {} },
  nodes: { spec: {} },
  namespaces: { spec: {} },
  events: { involvedObject: null, source: {} },
  persistentvolumeclaims: { spec: { resources: {} } },
  'leases.coordination.k8s.io': { spec: {} },
}

/** See `BLANKS`. */
export function blankOf(resource: ServedResource): object {
  return BLANKS[collectionOf(resource)] ?? NOTHING
}

const NOTHING = {}
