import { type Translation, toCanonical } from '../dialect/to-canonical.ts'
import type { FieldPath } from '../field-path.ts'
import type { Findings, Issue } from '../issue.ts'
import type { KubernetesObject } from '../kubernetes/meta.ts'
import { checkTranslated } from '../validate/check-translated.ts'
import { findingsOf, identityOf, issueOf } from '../validate/findings.ts'
import { withoutNulls } from '../validate/object-rules.ts'
import { describeValue } from '../validate/violation.ts'
import { type Positions, partsOf, positionsAsWritten, positionsBelow, untranslated } from './positions.ts'
import { readJson } from './read-json.ts'
import { readSimpleYaml } from './read-simple-yaml.ts'
import { type ReadDocument, readYaml } from './read-yaml.ts'
import { splitJson } from './split-json.ts'
import { splitYaml } from './split-yaml.ts'
import type { TextFault } from './syntax-faults.ts'

/** An object as it was read, in canonical form, and where it stands. */
export interface ManifestDocument {
  readonly object: KubernetesObject
  /** What was translated into the canonical form, and what could not be. */
  readonly translation: Omit<Translation<unknown>, 'object'>
  /** As given to `readManifests`. */
  readonly file?: string
  /** Line on which the object begins; the first is 1. */
  readonly line: number
  readonly positions: Positions
}

/** What was read from a text, and everything that is wrong with it, in the order of the text. */
export interface ParsedManifests extends Findings {
  readonly documents: readonly ManifestDocument[]
}

/** How to read. */
export interface ParseOptions {
  /** Named in every issue. */
  readonly file?: string
}

/**
 * Reads multi-document YAML, JSON (also several values in a row) and `kind: List`, and checks every object. All faults
 * of all documents are found at once, each with its line; a broken document does not hide those of the others.
 *
 * An object is among the documents also when it has errors: look at `errors` before using it.
 *
 * @example
 * const text = `
 * apiVersion: trainer.kubeflow.org/v1alpha1
 * kind: TrainJob
 * metadata: { name: mnist }
 * spec:
 *   runtimeRef: { name: torch-distributed }
 *   trainer: { nodes: 4 }
 * `
 * const { documents, errors } = parseManifests(text, { file: 'job.yaml' })
 * documents.length // => 1
 * errors.map(({ path, line }) => ({ path, line })) // => [{ path: 'spec.trainer.nodes', line: 7 }]
 * errors[0]?.message // => 'unknown field "nodes"; did you mean `numNodes`?'
 */
export function parseManifests(text: string, options: ParseOptions = {}): ParsedManifests {
  const { documents, errors, warnings } = readManifests(text, options)
  const findings = validateDocuments(documents)
  return {
    documents,
    errors: inOrder([...errors, ...findings.errors]),
    warnings: inOrder([...warnings, ...findings.warnings]),
  }
}

/**
 * Checks objects that were read by `readManifests`, with file and line in every issue. What was translated is a warning
 * with the code `translated`.
 *
 * @example
 * const { documents } = readManifests('apiVersion: trainer.kubeflow.org/v1alpha1\nkind: TrainJob\n')
 * validateDocuments(documents).errors.map(({ path, code }) => [path, code]) // => [['metadata', 'required'], ['spec', 'required']]
 */
export function validateDocuments(documents: readonly ManifestDocument[]): Findings {
  const errors: Issue[] = []
  const warnings: Issue[] = []
  for (const { object, translation, file, positions } of documents) {
    const source = { lineOf: positions.lineOf, ...named(file) }
    const { canonical, written } = checkTranslated(object, translation)
    for (const findings of [
      findingsOf(canonical, object, source),
      findingsOf(written, object, { ...source, lineOf: positions.lineOfWritten }),
    ]) {
      errors.push(...findings.errors)
      warnings.push(...findings.warnings)
    }
  }
  return { errors, warnings }
}

/**
 * Reads objects without looking at what they say; the errors are those of the text.
 *
 * @example
 * const { documents } = readManifests('kind: TrainJob\n---\nkind: Pod\n', { file: 'all.yaml' })
 * documents.map(({ object, line }) => [object.kind, line]) // => [['TrainJob', 1], ['Pod', 3]]
 */
export function readManifests(text: string, { file }: ParseOptions = {}): ParsedManifests {
  const errors: Issue[] = []
  const documents: ManifestDocument[] = []
  const report = ({ code, line, message }: TextFault, object: unknown = undefined): void => {
    errors.push(issueOf({ path: [], code, message }, identityOf(object), { ...named(file), lineOf: () => line }))
  }
  for (const { value, positions, faults } of readAll(text, report)) {
    for (const fault of faults) report(fault, value)
    if (value === undefined || value === null) continue
    for (const { item, path } of itemsOf(value)) {
      const below = positionsBelow(positions, path)
      if (typeof item === 'object' && item !== null && !Array.isArray(item)) {
        documents.push(documentOf(accept(item as KubernetesObject), below, file))
      } else {
        const message = `expected an object with apiVersion, kind and metadata, found ${describeValue(item)}`
        report({ code: 'wrong-type', line: below.lineOf([]), message })
      }
    }
  }
  return { documents, errors: inOrder(errors), warnings: [] }
}

/** The one door through which every object from a text comes, in whatever form it was written. */
function accept(object: KubernetesObject): Translation<KubernetesObject> {
  const { object: canonical, ...translation } = toCanonical(object)
  return { object: withoutNulls(canonical), ...translation }
}

function documentOf(
  { object, ...translation }: Translation<KubernetesObject>,
  written: Positions,
  file: string | undefined,
): ManifestDocument {
  const positions = positionsAsWritten(written, translation.moves)
  return {
    object,
    translation,
    ...named(file),
    positions,
    // on demand, because finding a line in JSON takes longer than reading it
    get line() {
      return positions.lineOf([])
    },
  }
}

function* readAll(source: string, report: (fault: TextFault) => void): Iterable<ReadDocument> {
  const text = source.charCodeAt(0) === BYTE_ORDER_MARK ? source.slice(1) : source
  const first = /\S/.exec(text)?.[0]
  if (first === '{' || first === '[') {
    for (const chunk of splitJson(text)) yield readJson(chunk)
    return
  }
  const { chunks, faults } = splitYaml(text)
  for (const { line, message } of faults) report({ code: 'yaml-syntax', line, message })
  for (const { text: document, line } of chunks) {
    const read = readSimple(document, line) ?? (isBlank(document) ? undefined : readYaml(document, line))
    if (read !== undefined) yield read
  }
}

/** Most documents are read fast; where their parts stand is found out when somebody asks. */
function readSimple(text: string, firstLine: number): ReadDocument | undefined {
  const simple = readSimpleYaml(text)
  if (simple === undefined) return undefined
  const lineOf: Positions['lineOf'] = (path) =>
    firstLine + (path.length === 0 ? simple.line : simple.lineOf(partsOf(path)))
  return { value: simple.value, positions: untranslated(lineOf), faults: [] }
}

const BYTE_ORDER_MARK = 0xfeff

/** Only comments and directives, like `%YAML 1.1` before the first `---`. */
function isBlank(text: string): boolean {
  for (const line of text.split('\n')) {
    const content = line.trim()
    if (content !== '' && content !== '...' && !content.startsWith('#') && !line.startsWith('%')) return false
  }
  return true
}

/** The objects in a value: the items of a list (also of lists in lists), or the value itself. */
function* itemsOf(value: unknown, path: FieldPath = []): Iterable<{ item: unknown; path: FieldPath }> {
  const { kind, items, apiVersion } = value as { kind?: unknown; items?: unknown; apiVersion?: unknown }
  if (typeof kind !== 'string' || !kind.endsWith('List') || !Array.isArray(items)) {
    yield { item: value, path }
    return
  }
  for (const [index, item] of items.entries()) {
    const below = [...path, 'items', index]
    if (typeof item !== 'object' || item === null || Array.isArray(item)) yield { item, path: below }
    else yield* itemsOf(kind === 'List' ? item : withType(item, apiVersion, kind), below)
  }
}

/** Items of a typed list, like a `TrainJobList`, need not say what they are. */
function withType(item: object, apiVersion: unknown, listKind: string): object {
  const { kind } = item as { kind?: unknown }
  return kind === undefined ? { apiVersion, kind: listKind.slice(0, -'List'.length), ...item } : item
}

function named(file: string | undefined): { file?: string } {
  return file === undefined ? {} : { file }
}

function inOrder(issues: readonly Issue[]): Issue[] {
  return issues.toSorted((a, b) => (a.line ?? 0) - (b.line ?? 0))
}
