import { createHash, createPrivateKey, createPublicKey, generateKeyPairSync, type JsonWebKey } from 'node:crypto'
import type { CurveKeys, KeySource, SshKeys } from '@trainjob/runtime'

/**
 * Keys for the Secrets of jobs, made with Node's own cryptography.
 * Source: kubeflow/trainer v2.3.0, plugins/mpi/mpi.go (`buildSSHAuthSecret`) and plugins/flux/flux.go (`buildCurveSecret`).
 *
 * @example
 * nodeKeys.curve('9f1c0a4e').publicKey.length // => 40
 */
export const nodeKeys: KeySource = { ssh: sshKeys, curve: curveKeys }

/** ECDSA on P-521, as upstream has it. */
function sshKeys(): SshKeys {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'secp521r1' })
  return {
    privateKey: privateKey.export({ type: 'sec1', format: 'pem' }).toString(),
    publicKey: `ecdsa-sha2-nistp521 ${wireForm(publicKey.export({ format: 'jwk' })).toString('base64')}\n`,
  }
}

/** Name of the algorithm, of the curve, and the point, each after its length (RFC 5656 §3.1). */
function wireForm({ x = '', y = '' }: JsonWebKey): Buffer {
  const point = Buffer.concat([Buffer.of(4), Buffer.from(x, 'base64url'), Buffer.from(y, 'base64url')])
  return Buffer.concat([Buffer.from('ecdsa-sha2-nistp521'), Buffer.from('nistp521'), point].flatMap(withLength))
}

function withLength(part: Buffer): readonly [Buffer, Buffer] {
  const length = Buffer.alloc(4)
  length.writeUInt32BE(part.length)
  return [length, part]
}

/** Of PKCS #8: everything before the 32 bytes of an X25519 key. */
const X25519_PREFIX = Buffer.from('302e020100300506032b656e04220420', 'hex')

/** The secret key is the hash of the uid. */
function curveKeys(uid: string): CurveKeys {
  const secret = createHash('sha256').update(uid).digest()
  const key = createPrivateKey({ key: Buffer.concat([X25519_PREFIX, secret]), format: 'der', type: 'pkcs8' })
  const { x = '' } = createPublicKey(key).export({ format: 'jwk' })
  return { publicKey: z85(Buffer.from(x, 'base64url')), secretKey: z85(secret) }
}

const Z85 = '0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ.-:+=^!/*?&<>()[]{}@%$#'

/** ZeroMQ's Base 85 of a multiple of four bytes (https://rfc.zeromq.org/spec/32). */
function z85(bytes: Buffer): string {
  let text = ''
  for (let at = 0; at < bytes.length; at += 4) {
    const value = bytes.readUInt32BE(at)
    for (let power = 4; power >= 0; power--) text += Z85[Math.floor(value / 85 ** power) % 85]
  }
  return text
}
