import { randomInt, randomUUID } from 'node:crypto'

/** Where uids and the endings of generated names come from. */
export interface Ids {
  uid(): string
  /** Five characters behind a `generateName`. */
  suffix(): string
}

/** No vowels and none of 0, 1, 3: no words, nothing that reads like another (as apimachinery's `rand`). */
const ALPHABET = 'bcdfghjklmnpqrstvwxz2456789'

/** Random ones. */
export const randomIds: Ids = {
  uid: () => randomUUID(),
  suffix: () => {
    let text = ''
    for (let count = 0; count < 5; count++) text += ALPHABET[randomInt(ALPHABET.length)]
    return text
  },
}
