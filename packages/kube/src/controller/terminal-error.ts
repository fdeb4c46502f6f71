import { KubeError } from '../error.ts'

/**
 * Thrown by a reconciler when another try cannot help: the key is looked at again only when something changes.
 *
 * @example
 * throw new TerminalError('the runtime names a plugin that does not exist; correct spec.runtimeRef')
 */
export class TerminalError extends KubeError {
  override readonly name = 'TerminalError'
  constructor(message: string, options?: ErrorOptions) {
    super('terminal', message, options)
  }
}
