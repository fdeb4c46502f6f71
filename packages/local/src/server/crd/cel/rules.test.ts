import { describe, expect, it } from 'vitest'
import type { StructuralSchema } from '../structural-schema.ts'
import { compileRules } from './rules.ts'

const string: StructuralSchema = { type: 'string' }
const integer: StructuralSchema = { type: 'integer' }

const SCHEMA: StructuralSchema = {
  type: 'object',
  properties: {
    spec: {
      type: 'object',
      properties: {
        n: integer,
        ratio: { type: 'number' },
        text: string,
        empty: { type: 'string', nullable: true },
        port: { 'x-kubernetes-int-or-string': true },
        at: { type: 'string', format: 'date-time' },
        wait: { type: 'string', format: 'duration' },
        data: { type: 'string', format: 'byte' },
        'node-name': string,
        in: string,
        list: { type: 'array', items: integer },
        names: { type: 'array', 'x-kubernetes-list-type': 'set', items: string },
        map: { type: 'object', additionalProperties: integer },
        objects: { type: 'array', items: { type: 'object', properties: { a: integer, b: integer } } },
        memory: string,
        url: string,
        ip: string,
      },
    },
  },
}

const OBJECT = {
  apiVersion: 'example.com/v1',
  kind: 'Widget',
  metadata: { name: 'w-1', labels: { a: 'b' } },
  spec: {
    n: 3,
    ratio: 1.5,
    text: 'train-0.example.com',
    empty: null,
    port: 80,
    at: '2026-12-01T09:30:00Z',
    wait: '1h30m',
    data: 'aGk=',
    'node-name': 'n',
    in: 'x',
    list: [1, 2, 3],
    names: ['a', 'b'],
    map: { 'a-b': 1, c: 2 },
    objects: [{ a: 1 }],
    memory: '1.5Gi',
    url: 'https://user@example.com:8443/a%20b?x=1&x=2',
    ip: '10.1.2.3',
    undeclared: 1,
  },
}

function ask(rule: string, at: 'root' | 'spec' = 'spec', old?: unknown): readonly string[] {
  const rules = { 'x-kubernetes-validations': [{ rule }] }
  const spec = SCHEMA.properties?.spec as StructuralSchema
  const schema: StructuralSchema =
    at === 'root' ? { ...SCHEMA, ...rules } : { ...SCHEMA, properties: { spec: { ...spec, ...rules } } }
  return compileRules(schema)
    .check(OBJECT, old)
    .map(({ field, message }) => `${field}: ${message}`)
}

describe('a rule', () => {
  it.each([
    'self.n + 1 == 4 && self.n > 2',
    '!has(self.parts) && has(self.map.c) && !has(self.map.d) && "has(self.n)".size() == 11',
    'has(self.objects[0].a) && !has(self.objects[0].b) && self.objects.exists_one(o, has(o.a))',
    'self.ratio * 2.0 == 3.0',
    'self.n > 1.5',
    'has(self.text) && !has(self.absent)',
    'self.empty == null',
    'type(self.port) == int ? self.port < 100 : self.port == "http"',
    'self.at < timestamp("2027-01-01T00:00:00Z")',
    'self.wait == duration("90m")',
    'size(self.data) == 2',
    'self.node__dash__name == "n" && self.__in__ == "x"',
    'self.list.isSorted() && self.list.sum() == 6 && self.list.max() == 3 && self.list.indexOf(2) == 1',
    'self.list.all(x, x > 0) && self.list.exists_one(x, x == 2) && self.list.filter(x, x > 1).size() == 2',
    'sets.contains(self.names, ["a"]) && sets.intersects(self.names, ["b", "z"]) && sets.equivalent(self.names, ["b", "a"])',
    'self.map["a-b"] == 1 && self.map.all(key, self.map[key] > 0)',
    'self.text.find("[0-9]+") == "0" && self.text.findAll("[a-z]m").size() == 2',
    'self.text.split(".").size() == 3 && self.text.replace("train", "run").startsWith("run-0")',
    'self.?absent.orValue("none") == "none"',
    'quantity(self.memory).isGreaterThan(quantity("1Gi")) && quantity("1024Mi") == quantity("1Gi")',
    'isQuantity("3M") && !isQuantity("three")',
    'quantity("1").add(quantity("500m")).asApproximateFloat() == 1.5',
    'isURL(self.url) && url(self.url).getHost() == "example.com:8443" && url(self.url).getPort() == "8443"',
    'url(self.url).getScheme() == "https" && url(self.url).getEscapedPath() == "/a%20b" && url(self.url).getQuery()["x"].size() == 2',
    'isIP(self.ip) && ip(self.ip).family() == 4 && cidr("10.0.0.0/8").containsIP(self.ip)',
    '!isIP("10.1.2") && !isCIDR("10.0.0.0/33")',
    'cel.bind(x, self.n, x + x == 6)',
  ])('%s holds', (rule) => {
    expect(ask(rule)).toEqual([])
  })

  it('of the root sees the name of the object and nothing else of its metadata', () => {
    expect(ask('self.metadata.name.startsWith("w-") && self.kind == "Widget"', 'root')).toEqual([])
    expect(ask('has(self.metadata.labels)', 'root')).toEqual([
      '<nil>: Invalid value: failed rule: has(self.metadata.labels)',
    ])
  })

  it.each([
    ['self.n > 5', 'spec: Invalid value: failed rule: self.n > 5'],
    ['self.undeclared == 1', 'spec: Invalid value: No such key: undeclared evaluating rule: self.undeclared == 1'],
    ['self.list[9] == 1', expect.stringContaining('evaluating rule: self.list[9] == 1')],
    ['quantity("x").isInteger()', expect.stringContaining('evaluating rule')],
  ])('%s does not hold', (rule, said) => {
    expect(ask(rule)).toEqual([said])
  })

  it('about a change is asked only when there was something before', () => {
    const rule = 'self.n >= oldSelf.n'
    expect(ask(rule)).toEqual([])
    expect(ask(rule, 'spec', { spec: { n: 3 } })).toEqual([])
    expect(ask(rule, 'spec', { spec: { n: 4 } })).toEqual([`spec: Invalid value: failed rule: ${rule}`])
    const schema: StructuralSchema = {
      type: 'object',
      'x-kubernetes-validations': [{ rule: 'oldSelf.hasValue() || self.kind == "Gadget"', optionalOldSelf: true }],
    }
    expect(compileRules(schema).check(OBJECT)).toHaveLength(1)
    expect(compileRules(schema).check(OBJECT, { kind: 'Widget' })).toEqual([])
  })

  it('of an item of a keyed list compares it with the one of that key', () => {
    const schema: StructuralSchema = {
      type: 'object',
      properties: {
        parts: {
          type: 'array',
          'x-kubernetes-list-type': 'map',
          'x-kubernetes-list-map-keys': ['name'],
          items: {
            type: 'object',
            properties: { name: string, n: integer },
            'x-kubernetes-validations': [
              { rule: 'self.n >= oldSelf.n', messageExpression: '"was " + string(oldSelf.n)' },
            ],
          },
        },
      },
    }
    const old = {
      parts: [
        { name: 'a', n: 1 },
        { name: 'b', n: 5 },
      ],
    }
    const now = {
      parts: [
        { name: 'b', n: 4 },
        { name: 'new', n: 0 },
        { name: 'a', n: 2 },
      ],
    }
    expect(compileRules(schema).check(now, old)).toEqual([
      { reason: 'FieldValueInvalid', field: 'parts[0]', message: 'Invalid value: was 5' },
    ])
  })

  it('that an update does not touch is not asked again', () => {
    const rule = 'self.n > 5'
    expect(ask(rule, 'spec', structuredClone(OBJECT))).toEqual([])
  })
})
