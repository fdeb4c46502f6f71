import type { Issue } from '@trainjob/api'
import { issueLine } from './issue-line.ts'

/** Warnings as they are shown beside a result, one a line. What was translated is one line a file. */
export function warningLines(warnings: readonly Issue[], program: string): readonly string[] {
  const translated = new Map<string, number>()
  const lines: string[] = []
  for (const warning of warnings) {
    const { code, file = 'the input' } = warning
    if (code === 'translated') translated.set(file, (translated.get(file) ?? 0) + 1)
    else lines.push(`warning: ${issueLine(warning)}`)
  }
  for (const [file, count] of translated) {
    const fields = count === 1 ? 'one field was' : `${count} fields were`
    const input = file === 'the input' || file === 'stdin' ? 'FILE' : file
    lines.push(
      `note: ${file} is not in canonical form, ${fields} translated; see them with ${program} lint -f ${input}`,
    )
  }
  return lines
}
