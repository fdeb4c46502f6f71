import { describe, expect, it } from 'vitest'
import { rendezvousEnv } from './rendezvous-env.ts'

const meeting = { PET_RDZV_BACKEND: 'c10d', PET_RDZV_ENDPOINT: 'job-node-0-0.job:29500' }
const of = (env: Record<string, string>, hostname: string) =>
  rendezvousEnv(new Map(Object.entries(env)), hostname, '127.64.0.1')

describe('the meeting of torchrun', () => {
  it('is kept by the node that it is named after, and by no other', () => {
    expect(of(meeting, 'job-node-0-0')).toEqual({ PET_RDZV_CONF: 'is_host=true', PET_LOCAL_ADDR: '127.64.0.1' })
    expect(of(meeting, 'job-node-0-1')).toMatchObject({ PET_RDZV_CONF: 'is_host=false' })
  })

  it('keeps what the job says of it', () => {
    const own = { ...meeting, PET_RDZV_CONF: 'last_call_timeout=5', PET_LOCAL_ADDR: '10.0.0.1' }
    expect(of(own, 'job-node-0-0')).toEqual({ PET_RDZV_CONF: 'last_call_timeout=5,is_host=true' })
    expect(of({ ...own, PET_RDZV_CONF: 'a=1, is_host=0' }, 'job-node-0-0')).toEqual({})
  })

  it.each([{}, { PET_RDZV_ENDPOINT: 'job-node-0-0.job:29500' }, { ...meeting, PET_RDZV_BACKEND: 'etcd' }])(
    'is none of our business with %j',
    (env) => {
      expect(of(env, 'job-node-0-0')).toEqual({})
    },
  )
})
