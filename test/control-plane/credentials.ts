import { generateKeyPairSync, randomBytes } from 'node:crypto'
import { mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { loopbackCertificate } from './loopback-certificate.ts'

/** What the parts prove themselves to each other with, as files. */
export interface Credentials {
  /** Of every server of the control plane: signed by itself, for loopback. Whoever trusts it trusts these servers. */
  readonly cert: string
  readonly key: string
  /** The certificate as PEM text. */
  readonly ca: string
  /** The key that signs service account tokens, and its public half. */
  readonly accountKey: string
  readonly accountPublicKey: string
  /** Bearer token of an administrator, and the file that tells the API server of it. */
  readonly token: string
  readonly tokens: string
}

/** Makes fresh credentials in `folder`. */
export async function makeCredentials(folder: string): Promise<Credentials> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const put = async (name: string, text: string): Promise<string> => {
    const file = path.join(folder, name)
    await writeFile(file, text, { mode: 0o600 })
    return file
  }
  const made = await loopbackCertificate('control-plane')
  const account = generateKeyPairSync('rsa', {
    modulusLength: 2048,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs1', format: 'pem' },
  })
  const token = randomBytes(16).toString('hex')
  return {
    cert: await put('tls.crt', made.cert),
    key: await put('tls.key', made.key),
    ca: made.cert,
    accountKey: await put('account.key', account.privateKey),
    accountPublicKey: await put('account.pub', account.publicKey),
    token,
    tokens: await put('tokens.csv', `${token},admin,admin,system:masters\n`),
  }
}
