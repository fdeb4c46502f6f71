import { createPrivateKey, X509Certificate } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createCertificate } from './certificate.ts'
import { objectId, time, unsigned } from './der.ts'

describe('the certificate of the server', () => {
  const now = Date.parse('2026-12-01T12:00:00.900Z')
  const { cert, key } = createCertificate(now)
  const read = new X509Certificate(cert)

  it('is signed by its own key, and is no CA', () => {
    expect(read.checkPrivateKey(createPrivateKey(key))).toBe(true)
    expect(read.verify(read.publicKey)).toBe(true)
    expect(read.ca).toBe(false)
    expect(read.keyUsage).toEqual(['1.3.6.1.5.5.7.3.1'])
    expect(read.subject).toBe('CN=trainjob-local')
    expect(read.issuer).toBe('CN=trainjob-local')
  })

  it('is for this machine only', () => {
    expect(read.subjectAltName).toBe('DNS:localhost, IP Address:127.0.0.1, IP Address:0:0:0:0:0:0:0:1')
    expect(read.checkHost('example.org')).toBeUndefined()
    expect(read.checkIP('127.0.0.1')).toBe('127.0.0.1')
  })

  it('is valid for ten years, and was an hour ago', () => {
    expect(read.validFromDate.toISOString()).toBe('2026-12-01T11:00:00.000Z')
    expect(read.validToDate.toISOString()).toBe('2036-12-01T12:00:00.000Z')
    const later = new X509Certificate(createCertificate(Date.parse('2045-01-01T00:00:00Z')).cert)
    expect(later.validToDate.toISOString()).toBe('2055-01-01T00:00:00.000Z')
  })

  it('is another one each time', () => {
    const second = new X509Certificate(createCertificate(now).cert)
    expect(second.serialNumber).not.toBe(read.serialNumber)
    expect(second.fingerprint256).not.toBe(read.fingerprint256)
  })
})

describe('DER', () => {
  it.each([
    ['2.5.29.17', '0603551d11'],
    ['1.2.840.10045.4.3.2', '06082a8648ce3d040302'],
    ['1.3.6.1.5.5.7.3.1', '06082b06010505070301'],
  ])('writes the identifier %s', (dotted, hex) => {
    expect(objectId(dotted).toString('hex')).toBe(hex)
  })

  it('writes numbers in as few bytes as they need, and never as negative ones', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 1, maxLength: 20 }), (bytes) => {
        const [tag, length, ...value] = unsigned(bytes)
        expect(tag).toBe(2)
        expect(length).toBe(value.length)
        const hex = Buffer.from(value).toString('hex')
        expect(BigInt(`0x${hex}`)).toBe(BigInt(`0x${Buffer.from(bytes).toString('hex')}`))
        expect((value[0] ?? 0) < 0x80).toBe(true)
        if (value.length > 1) expect((value[0] === 0 && (value[1] ?? 0) < 0x80) === false).toBe(true)
      }),
    )
  })

  it('writes the years from 2050 on with four digits', () => {
    expect(time(new Date('2049-12-31T23:59:59Z')).subarray(2).toString()).toBe('491231235959Z')
    expect(time(new Date('2050-01-01T00:00:00Z')).subarray(2).toString()).toBe('20500101000000Z')
  })
})
