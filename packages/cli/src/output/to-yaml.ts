/**
 * Plain JSON as YAML that every reader understands alike: words that YAML 1.1 takes for booleans (`yes`, `on`) or
 * numbers (`1_000`), or YAML 1.2 for numbers (`0o7`), are quoted; long lines stay whole.
 */
export async function toYaml(value: unknown): Promise<string> {
  const { Document, visit } = await import('yaml')
  const document = new Document(value, { version: '1.1', aliasDuplicateObjects: false })
  visit(document, {
    Scalar: (_, node) => {
      if (typeof node.value === 'string' && /^0o[0-7]+$/.test(node.value)) node.type = 'QUOTE_DOUBLE'
    },
  })
  return document.toString({ lineWidth: 0, directives: false })
}
