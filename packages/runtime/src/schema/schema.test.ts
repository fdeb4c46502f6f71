import { describe, expect, it } from 'vitest'
import { builtinSchema, structSchema } from './schema.ts'
import { TYPE_TABLE } from './table.ts'

describe('structSchema', () => {
  it('reads every row of the table', () => {
    for (const name of Object.keys(TYPE_TABLE)) expect([...structSchema(name).fields.keys()].join()).toBeDefined()
  })

  it('knows how the lists of a pod merge', () => {
    const { fields } = structSchema('core.PodSpec')
    const keys = Object.fromEntries(
      [...fields.values()].flatMap((field) => (field.shape === 'list' ? [[field.name, field.mergeKey]] : [])),
    )
    expect(keys).toEqual({
      volumes: 'name',
      containers: 'name',
      initContainers: 'name',
      ephemeralContainers: 'name',
      imagePullSecrets: 'name',
      hostAliases: 'ip',
      tolerations: undefined,
      readinessGates: undefined,
      schedulingGates: 'name',
      resourceClaims: 'name',
      topologySpreadConstraints: 'topologyKey',
    })
    expect(structSchema('core.Container').fields.get('ports')?.mergeKey).toBe('containerPort')
    expect(structSchema('meta.ObjectMeta').fields.get('finalizers')?.mergeKey).toBe('')
  })

  it('has recursive types', () => {
    const probe = structSchema('core.Container').fields.get('livenessProbe')?.struct
    expect(probe?.fields.get('httpGet')?.struct?.fields.get('port')?.absent).toBe(0)
  })

  it('refuses a struct that the table lacks', () => {
    expect(() => structSchema('core.Nothing')).toThrow('found core.Nothing')
  })
})

describe('builtinSchema', () => {
  it.each([
    [{ group: '', kind: 'Pod' }, 'core.Pod'],
    [{ group: 'batch', kind: 'Job' }, 'batch.Job'],
    [{ group: '', kind: 'Nothing' }, undefined],
    [{ group: 'jobset.x-k8s.io', kind: 'JobSet' }, undefined],
  ])('of %o is %s', (resource, name) => {
    expect(builtinSchema(resource)?.name).toBe(name)
  })
})
