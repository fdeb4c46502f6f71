import { isConflict, isNamespaceTerminating, isNotFound } from '@trainjob/kube'

/**
 * The answer of a call that names an object by its uid or version, or `undefined` when that object is not there any more:
 * its name is free, or taken by another one or a newer version, or its whole namespace is going.
 */
export async function unlessGone<T>(call: Promise<T>): Promise<T | undefined> {
  try {
    return await call
  } catch (error) {
    if (isNotFound(error) || isConflict(error) || isNamespaceTerminating(error)) return undefined
    throw error
  }
}
