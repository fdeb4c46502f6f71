import { beforeAll, describe, expect, it } from 'vitest'
import { readFields } from '../http/protobuf/wire.ts'
import { RESOURCES } from '../resources.ts'
import { type TestServer, testServer } from '../testing/test-server.ts'

interface Schema {
  readonly type?: string
  readonly description?: string
  readonly allOf?: readonly { readonly $ref: string }[]
  readonly properties?: Readonly<Record<string, Schema>>
  readonly items?: Schema
  readonly [keyword: string]: unknown
}
interface Document {
  readonly paths: Readonly<
    Record<string, Record<string, { parameters?: { name: string }[] } & Record<string, unknown>>>
  >
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> }
}

let at: TestServer
beforeAll(async () => {
  at = await testServer()
})

async function document(path: string): Promise<Document> {
  const { status, body } = await at.send('GET', path)
  expect(status).toBe(200)
  return body as Document
}

describe('OpenAPI v3', () => {
  it('lists a document for every group version', async () => {
    const { paths } = (await at.send('GET', '/openapi/v3?timeout=32s')).body as { paths: Record<string, unknown> }
    expect(paths['apis/trainer.kubeflow.org/v1alpha1']).toEqual({
      serverRelativeURL: '/openapi/v3/apis/trainer.kubeflow.org/v1alpha1',
    })
    expect(Object.keys(paths)).toEqual(
      expect.arrayContaining(['api/v1', 'apis/batch/v1', 'apis/jobset.x-k8s.io/v1alpha2']),
    )
    expect((await at.send('GET', '/openapi/v3/apis/nope/v1')).status).toBe(404)
  })

  it.each(RESOURCES.map((resource) => [resource.kind, resource] as const))('describes %s', async (kind, resource) => {
    const { group, version } = resource
    const root = group === '' ? 'api/v1' : `apis/${group}/${version}`
    const { paths, components } = await document(`/openapi/v3/${root}`)
    const gvk = { group, version, kind }
    const [schema, ...more] = Object.values(components.schemas).filter((one) =>
      JSON.stringify(one['x-kubernetes-group-version-kind'] ?? []).includes(JSON.stringify(gvk)),
    )
    expect(more).toEqual([])
    expect(schema?.properties).toMatchObject({ apiVersion: { type: 'string' }, kind: { type: 'string' } })
    // without these parameters kubectl refuses to apply
    const writes = Object.values(paths).flatMap((path) => [path.patch, path.post])
    const mine = writes.filter(
      (one) => JSON.stringify(one?.['x-kubernetes-group-version-kind']) === JSON.stringify(gvk),
    )
    expect(mine.length).toBeGreaterThan(0)
    for (const write of mine) {
      expect(write?.parameters?.map(({ name }) => name)).toEqual(expect.arrayContaining(['fieldValidation', 'dryRun']))
    }
  })

  it('refers only to what is there', async () => {
    for (const path of [
      'api/v1',
      'apis/batch/v1',
      'apis/jobset.x-k8s.io/v1alpha2',
      'apis/trainer.kubeflow.org/v1alpha1',
    ]) {
      const { components } = await document(`/openapi/v3/${path}`)
      const names = Object.keys(components.schemas)
      for (const [, name = ''] of JSON.stringify(components).matchAll(/"#\/components\/schemas\/([^"]+)"/g)) {
        expect(names, path).toContain(name)
      }
    }
  })

  it('explains the trainer of a TrainJob, with types, limits and ownership', async () => {
    const { components } = await document('/openapi/v3/apis/trainer.kubeflow.org/v1alpha1')
    const { spec } = components.schemas['org.kubeflow.trainer.v1alpha1.TrainJob']?.properties ?? {}
    const trainer = spec?.properties?.trainer
    expect(trainer?.description).toContain('training process')
    expect(trainer?.properties).toMatchObject({
      numNodes: { type: 'integer', format: 'int32' },
      env: { type: 'array', 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['name'] },
      command: { type: 'array', 'x-kubernetes-list-type': 'atomic' },
    })
  })

  it('says how strategic patches merge, and the types of scalars, in pods', async () => {
    const { components } = await document('/openapi/v3/api/v1')
    const container = components.schemas['io.k8s.api.core.v1.Container']?.properties
    expect(container).toMatchObject({
      ports: { 'x-kubernetes-patch-merge-key': 'containerPort', 'x-kubernetes-patch-strategy': 'merge' },
      image: { type: 'string' },
      stdin: { type: 'boolean' },
    })
  })
})

describe('OpenAPI v2', () => {
  it('has the paths and definitions of all kinds in one document', async () => {
    const { body } = await at.send('GET', '/openapi/v2')
    const { swagger, paths, definitions } = body as {
      swagger: string
      paths: Record<string, { patch?: { parameters: { name: string }[] } }>
      definitions: Record<string, Schema>
    }
    expect(swagger).toBe('2.0')
    const job = paths['/apis/trainer.kubeflow.org/v1alpha1/namespaces/{namespace}/trainjobs/{name}']
    expect(job?.patch?.parameters.map(({ name }) => name)).toContain('fieldValidation')
    const names = new Set(Object.keys(definitions))
    for (const [, name = ''] of JSON.stringify(definitions).matchAll(/"\$ref":"#\/definitions\/([^"]+)"/g)) {
      expect(names).toContain(name)
    }
    expect(names).toContain('org.kubeflow.trainer.v1alpha1.TrainJob')
  })

  it('is a protobuf message for those who ask for one', async () => {
    const accept = 'application/com.github.proto-openapi.spec.v2@v1.0+protobuf'
    const response = await at.server.transport.request({ method: 'GET', path: '/openapi/v2', headers: { accept } })
    const chunks: Uint8Array[] = []
    for await (const chunk of response.chunks()) chunks.push(chunk)
    const fields = [...readFields(Buffer.concat(chunks))]
    expect(fields.map(({ number }) => number)).toEqual([1, 2, 8])
    const paths = [...readFields(fields[2]?.value as Uint8Array)].map(({ value }) => {
      const [name] = readFields(value as Uint8Array)
      return Buffer.from(name?.value as Uint8Array).toString()
    })
    expect(paths).toContain('/api/v1/namespaces/{namespace}/pods/{name}')
  })
})
