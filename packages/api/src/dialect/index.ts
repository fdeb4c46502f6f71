export { type DialectContext, type Translation, toCanonical } from './to-canonical.ts'
export { type Move, writtenPath } from './written-path.ts'
