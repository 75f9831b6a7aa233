import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { cpus, loadavg, totalmem } from 'node:os'
import { join } from 'node:path'
import type { Spread } from './measure.ts'

/** One row of the table. */
export interface Figure {
  bench: string
  what: string
  median: string
  range: string
  /** Relative to the bare limit of the same run. */
  ratio: string
  aim: string
}

export interface Report {
  figures: Figure[]
  /** Context that the figures need. */
  notes: string[]
}

export function figure(
  bench: string,
  what: string,
  value: Spread,
  unit: string,
  more: { ratio?: Spread | 1; aim?: string; met?: boolean; extra?: string } = {},
): Figure {
  const range = (spread: Spread) =>
    spread.min === spread.max ? '' : `${digits(spread.min)} to ${digits(spread.max)}`
  const ratio = (spread: Spread | 1 | undefined) => {
    if (spread === 1) return '1 (the limit)'
    return spread ? `${digits(spread.median)}${range(spread) && ` (${range(spread)})`}` : ''
  }
  return {
    bench,
    what,
    median: `${digits(value.median)} ${unit}${more.extra ? `, ${more.extra}` : ''}`,
    range: range(value),
    ratio: ratio(more.ratio),
    aim: more.aim ? `${more.aim}: ${more.met ? 'met' : 'MISSED'}` : '',
  }
}

/** Three digits or two decimal places, with thousands separators. */
export function digits(value: number): string {
  if (!Number.isFinite(value)) return '?'
  const places = decimalPlaces(Math.abs(value))
  return value.toLocaleString('en', { minimumFractionDigits: places, maximumFractionDigits: places })
}

function decimalPlaces(size: number): number {
  if (size >= 100 || size === 0) return 0
  return size >= 10 ? 1 : 2
}

export function table(figures: readonly Figure[]): string {
  const head: Figure = {
    bench: 'bench',
    what: 'figure',
    median: 'median',
    range: 'min to max',
    ratio: 'ratio to the limit',
    aim: 'aim',
  }
  const columns = Object.keys(head) as (keyof Figure)[]
  const widths = columns.map((column) => Math.max(...[head, ...figures].map((row) => row[column].length)))
  const line = (row: Figure) =>
    `| ${columns.map((column, i) => row[column].padEnd(widths[i] as number)).join(' | ')} |`
  return [
    line(head),
    `| ${widths.map((width) => '-'.repeat(width)).join(' | ')} |`,
    ...figures.map(line),
  ].join('\n')
}

export function machine(): string {
  const cores = cpus()
  const gigabytes = Math.round(totalmem() / 2 ** 30)
  return `${cores[0]?.model.trim() ?? 'unknown processor'}, ${cores.length} cores, ${gigabytes} GB, ${process.platform}, Node ${process.version}; load average at the start ${digits(loadAtStart)}`
}

const loadAtStart = loadavg()[0] ?? 0

/** Warns if the machine was busy: figures measured in alternating rounds suffer less than others. */
export const noise = (): string[] =>
  loadAtStart < 0.5
    ? []
    : [
        'the machine was busy with other work: this affects CPU times little, medians of ratios somewhat, and rates, latencies and the ends of ranges fully.',
      ]

const results = join(import.meta.dirname, 'results.md')

/** Appends the figures to the history. */
export function save(text: string): void {
  const before = existsSync(results)
    ? readFileSync(results, 'utf8')
    : '# Results of `npm run bench`\n\nThe newest last. `npm run bench -- --save` appends.\n'
  writeFileSync(
    results,
    `${before}\n## ${new Date().toISOString().slice(0, 10)}, commit ${commit()}\n\n${text}`,
  )
}

function commit(): string {
  try {
    const git = (...args: string[]) =>
      execFileSync('git', args, {
        cwd: import.meta.dirname,
        encoding: 'utf8',
        stdio: ['ignore', 'pipe', 'ignore'],
      }).trim()
    const dirty = git('status', '--porcelain', '--untracked-files=no', '--', ':!results.md') !== ''
    return `${git('rev-parse', '--short', 'HEAD')}${dirty ? ' with uncommitted changes' : ''}`
  } catch {
    return 'unknown'
  }
}
