import { ApiError, ConnectionError } from '@trainjob/kube'
import { TrainerError } from '@trainjob/sdk'
import { describe, expect, test } from 'vitest'
import { CliError } from './cli-error.ts'
import { reportError } from './report-error.ts'
import { capturedIO } from './testing/captured-io.ts'

const notFound = new ApiError({
  kind: 'Status',
  apiVersion: 'v1',
  metadata: {},
  status: 'Failure',
  reason: 'NotFound',
  message: 'trainjobs.trainer.kubeflow.org "x" not found',
  code: 404,
})
const invalid = new ApiError({
  kind: 'Status',
  apiVersion: 'v1',
  metadata: {},
  status: 'Failure',
  reason: 'Invalid',
  message: 'it is invalid',
  code: 422,
  details: {
    causes: [
      { field: 'spec.a', message: 'too large' },
      { field: 'spec.b', message: 'missing' },
    ],
  },
})
const issue = {
  path: 'spec.x',
  code: 'required',
  message: 'm',
  object: { kind: 'TrainJob', namespace: 'd', name: 'a' },
  file: 'f',
  line: 2,
}

function report(error: unknown, json = false) {
  const captured = capturedIO()
  const exitCode = reportError(error, captured.io, json)
  return { exitCode, stdout: captured.stdout(), stderr: captured.stderr() }
}

describe('errors', () => {
  test.each([
    [notFound, 1, 'Error from server (NotFound): trainjobs.trainer.kubeflow.org "x" not found\n'],
    [
      new TrainerError('not-found', 'could not read it', { cause: notFound }),
      1,
      'Error from server (NotFound): trainjobs.trainer.kubeflow.org "x" not found\n',
    ],
    [invalid, 1, 'Error from server (Invalid): it is invalid\n  spec.a: too large\n  spec.b: missing\n'],
    [new ConnectionError('no answer'), 1, 'error: no answer\n'],
    [new CliError('usage', 'wrong'), 2, 'error: wrong\n'],
    [new CliError('input', 'bad:', { issues: [issue] }), 2, 'error: bad:\n  f:2: TrainJob d/a: spec.x: m (required)\n'],
    [new Error('boom'), 1, 'error: unexpected: boom\n'],
    ['text', 1, 'error: text\n'],
  ])('%s', (error, exitCode, stderr) => {
    expect(report(error)).toEqual({ exitCode, stdout: '', stderr })
  })
  test('with json, stdout is JSON with a code, the message and the issues', () => {
    expect(JSON.parse(report(new CliError('input', 'bad', { issues: [issue] }), true).stdout)).toEqual({
      error: { code: 'input', message: 'bad', issues: [issue] },
    })
    expect(JSON.parse(report(notFound, true).stdout).error.code).toBe('not-found')
  })
})
