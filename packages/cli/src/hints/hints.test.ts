import { describe, expect, test } from 'vitest'
import { hints } from './hints.ts'

const failed = { name: 'mnist', state: 'Failed' as const, program: 'trainjob' }

describe('hints', () => {
  test.each([
    [127, '', 'not found on PATH'],
    [126, '', 'not executable'],
    [137, 'OOMKilled', 'resourcesPerNode.limits.memory'],
    [137, 'Error', 'SIGKILL'],
    [139, '', 'SIGSEGV'],
    [143, '', 'node that failed first'],
  ])('exit code %d %s: %s', (exitCode, reason, text) => {
    expect(hints({ ...failed, failure: { exitCode, reason } })[0]).toContain(text)
  })
  test.each([
    ["ModuleNotFoundError: No module named 'torchvision'", 'pip install torchvision'],
    ["Error [ERR_MODULE_NOT_FOUND]: Cannot find package 'zod' imported from x", '"zod"'],
    ['torch.cuda.OutOfMemoryError: CUDA out of memory.', 'smaller batch'],
    ['Error: listen EADDRINUSE: address already in use 127.0.0.1:29500', 'a port is taken'],
  ])('%s', (line, text) => {
    expect(hints({ ...failed, failure: { exitCode: 1, reason: 'Error', lastLines: ['x', line] } })[0]).toContain(text)
  })
  test('a deadline, a place, an image, a suspension', () => {
    expect(hints({ ...failed, failedReason: 'DeadlineExceeded' })[0]).toContain('activeDeadlineSeconds')
    const waiting = { ...failed, state: 'Pending' as const }
    const steps = [{ node: 'node-0', reason: 'Unschedulable', message: 'Insufficient cpu' }]
    expect(hints({ ...waiting, steps })).toEqual([expect.stringContaining('Insufficient cpu')])
    expect(hints({ ...waiting, steps: [{ node: 'n', reason: 'ImagePullBackOff' }] })[0]).toContain('pull secret')
    expect(hints({ ...failed, state: 'Suspended' })).toEqual(['trainjob resume mnist'])
  })
  test('nothing to say of a job that runs', () => {
    expect(hints({ ...failed, state: 'Running', steps: [{ node: 'node-0' }] })).toEqual([])
  })
})
