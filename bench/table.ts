import type { BenchmarkRow, Spread } from './row.ts'

/** The rows for people: medians with the spread, and how the ratio stands to its target. */
export function table(rows: readonly BenchmarkRow[]): string {
  const lines = [
    ['benchmark', 'ours', 'peer', 'unit', 'ratio', 'target', ''],
    ...rows.map(({ name, unit, ours, peer, ratio, target, met }) => [
      name,
      figures(ours),
      `${figures(peer)} ${peer.name} ${peer.version}`,
      unit,
      `${ratio.toFixed(1)}×`,
      `${target}×`,
      met ? 'met' : 'MISSED',
    ]),
  ]
  const widths = lines.reduce<number[]>((all, line) => line.map((cell, i) => Math.max(all[i] ?? 0, cell.length)), [])
  return lines
    .map(
      (line) =>
        `${line
          .map((cell, i) => cell.padEnd(widths[i] ?? 0))
          .join('  ')
          .trimEnd()}\n`,
    )
    .join('')
}

function figures({ min, median, max }: Spread): string {
  return `${short(median)} (${short(min)}–${short(max)})`
}

function short(figure: number): string {
  return figure >= 100 ? figure.toFixed(0) : figure.toPrecision(3)
}
