/** A certificate for loopback names and its key, as PEM. */
export interface Certificate {
  readonly cert: string
  readonly key: string
}

const VALID_YEARS = 10

/**
 * A fresh self-signed certificate for `localhost`, 127.0.0.1 and ::1. It is no CA: whoever trusts it trusts this server
 * and nothing else. (Clients that check strictly, as Python 3.13 does, refuse CAs and what they signed without key
 * identifiers, but take a certificate that is itself the one they trust.)
 */
export async function createCertificate(now: number): Promise<Certificate> {
  const { generate } = await import('selfsigned')
  const notAfter = new Date(now)
  notAfter.setUTCFullYear(notAfter.getUTCFullYear() + VALID_YEARS)
  const made = await generate([{ name: 'commonName', value: 'trainjob-local' }], {
    keyType: 'ec',
    curve: 'P-256',
    algorithm: 'sha256',
    // clocks of virtual machines may be a little behind
    notBeforeDate: new Date(now - 3_600_000),
    notAfterDate: notAfter,
    extensions: [
      { name: 'basicConstraints', cA: false, critical: true },
      { name: 'keyUsage', digitalSignature: true, critical: true },
      { name: 'extKeyUsage', serverAuth: true },
      {
        name: 'subjectAltName',
        altNames: [
          { type: 2, value: 'localhost' },
          { type: 7, ip: '127.0.0.1' },
          { type: 7, ip: '::1' },
        ],
      },
    ],
  })
  return { cert: made.cert, key: made.private }
}
