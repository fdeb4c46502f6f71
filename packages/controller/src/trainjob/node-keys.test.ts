import { createPrivateKey, createPublicKey } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { nodeKeys } from './node-keys.ts'

describe('keys', () => {
  it('of ssh are an ECDSA pair, another one each time', () => {
    const { privateKey, publicKey } = nodeKeys.ssh()
    expect(privateKey).toMatch(/^-----BEGIN EC PRIVATE KEY-----\n/)
    expect(publicKey).toMatch(/^ecdsa-sha2-nistp521 [A-Za-z0-9+/=]+\n$/)
    const { x, y } = createPublicKey(createPrivateKey(privateKey)).export({ format: 'jwk' })
    const wire = Buffer.from(publicKey.split(' ')[1] ?? '', 'base64')
    expect(wire.length).toBe(4 + 19 + 4 + 8 + 4 + 133)
    expect(wire.subarray(-132)).toEqual(
      Buffer.concat([Buffer.from(x ?? '', 'base64url'), Buffer.from(y ?? '', 'base64url')]),
    )
    expect(nodeKeys.ssh().publicKey).not.toBe(publicKey)
  })

  it('of curve follow from the uid', () => {
    expect(nodeKeys.curve('u')).toEqual(nodeKeys.curve('u'))
    expect(nodeKeys.curve('u')).not.toEqual(nodeKeys.curve('v'))
    for (const key of Object.values(nodeKeys.curve('u'))) expect(key).toMatch(/^[!-~]{40}$/)
  })
})
