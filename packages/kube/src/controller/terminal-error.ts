import { KubeError } from '../error.ts'

/**
 * Thrown by a reconciler when another try cannot help: the key is looked at again only when something changes.
 *
 * @example
 * const error = new TerminalError('expected a runtime named in spec.runtimeRef, found none; set its name')
 * error.code // => 'terminal'
 */
export class TerminalError extends KubeError {
  override readonly name = 'TerminalError'
  constructor(message: string, options?: ErrorOptions) {
    super('terminal', message, options)
  }
}
