import type { Issue } from '@trainjob/api'

/** `train.yaml:12: TrainJob default/mnist: spec.trainer.numNode: unknown field … (unknown-field)` */
export function issueLine({ file, line, object, path, message, code }: Issue): string {
  const place = file === undefined ? '' : line === undefined ? `${file}: ` : `${file}:${line}: `
  const name = [object.namespace, object.name].filter((part) => part !== '').join('/')
  const subject = [object.kind, name].filter((part) => part !== '').join(' ')
  const field = path === '' ? '' : `${path}: `
  return `${place}${subject === '' ? '' : `${subject}: `}${field}${message} (${code})`
}
