import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { ApiError, ConnectionError } from '../error.ts'
import { failure } from '../testing/memory-server.suite.ts'
import { nextReflectorState, REFLECTOR_START, type ReflectorInput, type ReflectorState } from './state.ts'

const api = (code: number, retryAfterSeconds?: number) => new ApiError(failure(code, 'Test', retryAfterSeconds))
const cut = new ConnectionError('cut')
const list = (over: object = {}): ReflectorState => ({ phase: 'list', resourceVersion: '0', attempts: 0, ...over })
const watch = (over: object = {}): ReflectorState => ({
  phase: 'watch',
  resourceVersion: '7',
  progressed: false,
  attempts: 0,
  ...over,
})
const pause = (ms: number, next: ReflectorState) => ({ phase: 'pause', ms, next })
const failed = (error: unknown, openMs = 0): ReflectorInput => ({ type: 'failed', error, openMs })
const ended = (openMs: number): ReflectorInput => ({ type: 'ended', openMs })
const page = (next?: string): ReflectorInput => ({ type: 'page', resourceVersion: '9', continue: next })

const cases: [name: string, from: ReflectorState, input: ReflectorInput, to: object][] = [
  ['starts with a list of whatever the server has', REFLECTOR_START, page('p2'), list({ continue: 'p2' })],
  ['goes on with the next page', list({ continue: 'p2' }), page('p3'), list({ continue: 'p3' })],
  ['watches from the version of the last page', list({ continue: 'p3' }), page(), watch({ resourceVersion: '9' })],
  [
    'asks for the same page again after a broken connection',
    list({ continue: 'p2' }),
    failed(cut),
    pause(800, list({ continue: 'p2', attempts: 1 })),
  ],
  [
    'lists the newest state when the server forgot the version between two pages',
    list({ continue: 'p2' }),
    failed(api(410)),
    pause(800, list({ resourceVersion: '', attempts: 1 })),
  ],
  [
    'starts the list anew when its token is refused',
    list({ continue: 'p2', resourceVersion: '' }),
    failed(api(400)),
    pause(800, list({ resourceVersion: '', attempts: 1 })),
  ],
  ['keeps trying what it may not read', list(), failed(api(403)), pause(800, list({ attempts: 1 }))],
  [
    'takes the version of every event',
    watch(),
    { type: 'event', resourceVersion: '8' },
    watch({ resourceVersion: '8', progressed: true }),
  ],
  [
    'watches again at once when the server ended a long watch',
    watch({ attempts: 2 }),
    ended(5_000),
    watch({ attempts: 2 }),
  ],
  ['watches again at once after events', watch({ progressed: true }), ended(10), watch()],
  ['pauses after a watch that ended at once', watch(), ended(10), pause(800, watch({ attempts: 1 }))],
  ['pauses longer each time', watch({ attempts: 3 }), ended(10), pause(6_400, watch({ attempts: 4 }))],
  ['never longer than half a minute', watch({ attempts: 60 }), ended(10), pause(30_000, watch({ attempts: 61 }))],
  [
    'forgets its failures after a healthy period',
    watch({ attempts: 5 }),
    failed(cut, 31_000),
    pause(800, watch({ attempts: 1 })),
  ],
  ['keeps its version when the connection broke', watch(), failed(cut), pause(800, watch({ attempts: 1 }))],
  ['keeps its version when the server is overloaded', watch(), failed(api(429)), pause(800, watch({ attempts: 1 }))],
  ['waits as long as the server asks', watch(), failed(api(429, 20)), pause(20_000, watch({ attempts: 1 }))],
  [
    'lists anew at once when its version is forgotten',
    watch(),
    failed(api(410)),
    list({ resourceVersion: '', attempts: 1 }),
  ],
  [
    'but pauses when that happens again and again',
    watch({ attempts: 1 }),
    failed(api(410)),
    pause(1_600, list({ resourceVersion: '', attempts: 2 })),
  ],
  [
    'lists anew when the kind is gone or forbidden',
    watch(),
    failed(api(404)),
    pause(800, list({ resourceVersion: '', attempts: 1 })),
  ],
]

describe('a reflector', () => {
  for (const [name, from, input, to] of cases) {
    test(name, () => expect(nextReflectorState(from, input, 0)).toEqual(to))
  }

  test('never stops, and pauses 0.8 to 30 s unless it is told to wait', () => {
    const error = fc.oneof(
      fc.constant(cut),
      fc.constant(new TypeError('odd')),
      fc.constantFrom(400, 401, 403, 404, 410, 429, 500, 503).map((code) => api(code)),
    )
    const input: fc.Arbitrary<ReflectorInput> = fc.oneof(
      fc.record({
        type: fc.constant('page' as const),
        resourceVersion: fc.constant('5'),
        continue: fc.option(fc.constant('p'), { nil: undefined }),
      }),
      fc.record({ type: fc.constant('event' as const), resourceVersion: fc.constant('6') }),
      fc.record({ type: fc.constant('ended' as const), openMs: fc.nat(40_000) }),
      fc.record({ type: fc.constant('failed' as const), error, openMs: fc.nat(40_000) }),
    )
    fc.assert(
      fc.property(fc.array(fc.tuple(input, fc.double({ min: 0, max: 0.999, noNaN: true }))), (inputs) => {
        let state = REFLECTOR_START
        for (const [each, random] of inputs) {
          state = nextReflectorState(state, each, random)
          if (state.phase === 'pause') {
            expect(state.ms).toBeGreaterThanOrEqual(800)
            expect(state.ms).toBeLessThanOrEqual(30_000)
            state = nextReflectorState(state, { type: 'rested' }, random)
          }
          expect(['list', 'watch']).toContain(state.phase)
        }
      }),
    )
  })

  test('reaches an idle server from any series of quick failures at most 30 s later', () => {
    let state = REFLECTOR_START
    for (let i = 0; i < 2001; i++) state = nextReflectorState(state, failed(cut), 0.5)
    expect(state.phase === 'pause' ? state.ms : Number.NaN).toBe(30_000)
  })
})
