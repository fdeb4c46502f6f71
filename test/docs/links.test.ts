import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, it } from 'vitest'
import { fencedBlocks } from './fenced-blocks.ts'
import { files, read, root } from './workspace.ts'

/** Paths and headings that a document links to, as written. */
function linksOf(markdown: string): string[] {
  const code = new Set(fencedBlocks(markdown).flatMap(({ line, text }) => text.split('\n').map((_, at) => line + at)))
  const prose = markdown.split('\n').filter((_, index) => !code.has(index + 1))
  return [...prose.join('\n').matchAll(/\]\(([^)\s]+)\)/g)].map(([, target = '']) => target)
}

/** As GitHub makes them of headings. */
function anchorsOf(markdown: string): string[] {
  return [...markdown.matchAll(/^#+ +(.*)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\- _]/gu, '')
      .replaceAll(' ', '-'),
  )
}

it.each(files('*.md', '{packages,examples}/*/*.md', 'test/**/*.md', 'docs/**/*.md'))(
  'links of %s lead somewhere',
  (file) => {
    for (const link of linksOf(read(file))) {
      if (/^[a-z]+:/.test(link)) continue
      const [path = '', anchor] = link.split('#')
      const target = path === '' ? file : join(dirname(file), path)
      expect.soft(existsSync(join(root, target)), link).toBe(true)
      if (anchor !== undefined) expect.soft(anchorsOf(read(target)), link).toContain(anchor)
    }
  },
)
