import { describe, expect, it } from 'vitest'
import { matchesRule, type RuledWrite } from './rule.ts'

const pod: RuledWrite = {
  operation: 'CREATE',
  group: '',
  version: 'v1',
  plural: 'pods',
  subresource: '',
  namespaced: true,
}
const rule = { operations: ['*'], apiGroups: ['*'], apiVersions: ['*'], resources: ['*'] }

describe('a rule', () => {
  it.each<[string, object, object, boolean]>([
    ['everything', {}, {}, true],
    ['one operation', { operations: ['UPDATE'] }, {}, false],
    ['another group', { apiGroups: ['batch'] }, {}, false],
    ['the group of core', { apiGroups: [''] }, {}, true],
    ['another version', { apiVersions: ['v2'] }, {}, false],
    ['a resource', { resources: ['pods'] }, {}, true],
    ['a resource, of a subresource', { resources: ['pods'] }, { subresource: 'status' }, false],
    ['all resources, of a subresource', {}, { subresource: 'status' }, false],
    ['a subresource', { resources: ['pods/status'] }, { subresource: 'status' }, true],
    ['a subresource, of the whole', { resources: ['pods/status'] }, {}, false],
    ['a resource with its subresources', { resources: ['pods/*'] }, {}, true],
    ['a subresource of all', { resources: ['*/scale'] }, { subresource: 'scale' }, true],
    ['all of all', { resources: ['*/*'] }, { subresource: 'exec' }, true],
    ['what has a namespace', { scope: 'Namespaced' }, {}, true],
    ['what has none', { scope: 'Cluster' }, {}, false],
    ['what has none, of such a thing', { scope: 'Cluster' }, { namespaced: false }, true],
  ])('of %s', (_, change, write, expected) => {
    expect(matchesRule({ ...rule, ...change }, { ...pod, ...write })).toBe(expected)
  })
})
