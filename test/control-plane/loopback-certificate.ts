import { generate } from 'selfsigned'

/** PEM of a certificate and of its key. */
export interface CertificatePair {
  readonly cert: string
  readonly key: string
}

/** A certificate for servers of this machine, signed by itself. */
export async function loopbackCertificate(name: string): Promise<CertificatePair> {
  const { cert, private: key } = await generate([{ name: 'commonName', value: name }], {
    keyType: 'ec',
    curve: 'P-256',
    algorithm: 'sha256',
    extensions: [
      { name: 'keyUsage', digitalSignature: true, critical: true },
      { name: 'extKeyUsage', serverAuth: true },
      {
        name: 'subjectAltName',
        altNames: [
          { type: 2, value: 'localhost' },
          { type: 7, ip: '127.0.0.1' },
        ],
      },
    ],
  })
  return { cert, key }
}
