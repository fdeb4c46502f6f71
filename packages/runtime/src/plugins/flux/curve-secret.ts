import type { Secret } from '@trainjob/api'
import { base64 } from '../../base64.ts'
import type { Info } from '../../info.ts'
import { ownerReference } from '../../owner.ts'
import { CURVE_CERTIFICATE } from '../../templates/compiled.generated.ts'
import { template } from '../../templates/template.ts'
import { CURVE_CERTIFICATE_FILE, CURVE_SECRET_SUFFIX } from './constants.ts'

const fillCertificate = template<{ readonly name: string; readonly publicKey: string; readonly secretKey: string }>(
  CURVE_CERTIFICATE,
)

/** When nothing can make keys. */
const PLACEHOLDER = { publicKey: '0'.repeat(40), secretKey: '0'.repeat(40) }

/** The certificate by which the brokers of a job know each other: always the same one for the same uid. */
export function curveSecret({ trainJob, namespace, keys }: Info): Secret {
  const { name = '', uid = '' } = trainJob.metadata
  const certificate = fillCertificate({ name, ...(keys.curve?.(uid) ?? PLACEHOLDER) })
  return {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name: `${name}${CURVE_SECRET_SUFFIX}`, namespace, ownerReferences: [ownerReference(trainJob)] },
    data: { [CURVE_CERTIFICATE_FILE]: base64(certificate) },
  }
}
