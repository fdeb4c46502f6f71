/** The form in which a client wants objects. */
export type AcceptedForm = 'plain' | 'table' | 'metadata'

/** The first form of an `Accept` header that this server has: `as=Table`, `as=PartialObjectMetadata(List)`, or plain. */
export function acceptedForm(accept: string | undefined): AcceptedForm {
  if (accept === undefined || !accept.includes('as=')) return 'plain'
  for (const range of accept.split(',')) {
    const [type = '', ...parameters] = range.split(';').map((part) => part.trim())
    if (type !== 'application/json' && type !== '*/*' && type !== 'application/*') continue
    const given = new Map(parameters.map((part) => part.split('=', 2) as [string, string]))
    const as = given.get('as')
    if (as === undefined) return 'plain'
    if (given.get('g') !== 'meta.k8s.io' || given.get('v') !== 'v1') continue
    if (as === 'Table') return 'table'
    if (as === 'PartialObjectMetadata' || as === 'PartialObjectMetadataList') return 'metadata'
  }
  return 'plain'
}
