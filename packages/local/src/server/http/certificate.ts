import { generateKeyPairSync, randomBytes, sign } from 'node:crypto'
import { bitString, der, objectId, sequence, time, unsigned } from './der.ts'

/** A certificate for loopback names and its key, as PEM. */
export interface Certificate {
  readonly cert: string
  readonly key: string
}

const NAME = 'trainjob-local'
const VALID_YEARS = 10
const CRITICAL = Buffer.of(0x01, 0x01, 0xff)

/**
 * A fresh self-signed certificate for `localhost`, 127.0.0.1 and ::1 (RFC 5280). It is no CA: whoever trusts it trusts
 * this server and nothing else. (Clients that check strictly, as Python 3.13 does, refuse CAs and what they signed
 * without key identifiers, but take a certificate that is itself the one they trust.)
 *
 * Written by hand, because a cluster starts within a third of a second, and loading a library takes a tenth of that.
 */
export function createCertificate(now: number): Certificate {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const notAfter = new Date(now)
  notAfter.setUTCFullYear(notAfter.getUTCFullYear() + VALID_YEARS)
  const algorithm = sequence(objectId('1.2.840.10045.4.3.2')) // ECDSA with SHA-256
  const name = sequence(der(0x31, sequence(objectId('2.5.4.3'), der(0x0c, Buffer.from(NAME))))) // common name
  const content = sequence(
    der(0xa0, unsigned(Buffer.of(2))), // version 3
    unsigned(randomBytes(16)),
    algorithm,
    name,
    // clocks of virtual machines may be a little behind
    sequence(time(new Date(now - 3_600_000)), time(notAfter)),
    name,
    publicKey.export({ format: 'der', type: 'spki' }),
    der(0xa3, extensions()),
  )
  const signature = sign('sha256', content, privateKey)
  return {
    cert: pem('CERTIFICATE', sequence(content, algorithm, bitString(signature))),
    key: privateKey.export({ format: 'pem', type: 'pkcs8' }).toString(),
  }
}

function extensions(): Buffer {
  const extension = (id: string, value: Uint8Array, ...critical: readonly Uint8Array[]): Buffer =>
    sequence(objectId(id), ...critical, der(0x04, value))
  const loopback6 = Buffer.alloc(16)
  loopback6[15] = 1
  return sequence(
    extension('2.5.29.19', sequence(), CRITICAL), // basic constraints: no CA
    extension('2.5.29.15', der(0x03, Buffer.of(7, 0x80)), CRITICAL), // key usage: digital signature
    extension('2.5.29.37', sequence(objectId('1.3.6.1.5.5.7.3.1'))), // extended key usage: server
    extension(
      '2.5.29.17', // alternative names
      sequence(der(0x82, Buffer.from('localhost')), der(0x87, Buffer.of(127, 0, 0, 1)), der(0x87, loopback6)),
    ),
  )
}

function pem(label: string, bytes: Buffer): string {
  const lines = bytes.toString('base64').replace(/.{64}(?!$)/g, '$&\n')
  return `-----BEGIN ${label}-----\n${lines}\n-----END ${label}-----\n`
}
