import { describe, expect, it } from 'vitest'
import { baseEnvironment } from './base-environment.ts'

describe('baseEnvironment', () => {
  it('passes on where programs, the user and certificates are', () => {
    const env = { PATH: '/opt/bin', HOME: '/home/me', LANG: 'C.UTF-8', VIRTUAL_ENV: '/venv', SSL_CERT_FILE: '/ca.pem' }
    expect(baseEnvironment(env)).toEqual(env)
  })

  it.each([
    'AWS_SECRET_ACCESS_KEY',
    'GITHUB_TOKEN',
    'HF_TOKEN',
    'KUBECONFIG',
    'SSH_AUTH_SOCK',
    'NODE_OPTIONS',
    'npm_config_registry',
    'PYTHONPATH',
  ])('keeps %s', (name) => {
    expect(baseEnvironment({ PATH: '/bin', [name]: 'secret' })).toEqual({ PATH: '/bin' })
  })

  it('passes on proxies, but no passwords', () => {
    expect(baseEnvironment({ PATH: '/bin', HTTPS_PROXY: 'http://proxy:3128' })).toMatchObject({
      HTTPS_PROXY: 'http://proxy:3128',
    })
    expect(baseEnvironment({ PATH: '/bin', HTTPS_PROXY: 'http://me:pw@proxy:3128' })).toEqual({ PATH: '/bin' })
  })

  it('finds programs also without a PATH', () => {
    expect(baseEnvironment({}).PATH).toContain('/usr/bin')
  })
})
