import { appendFileSync, existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import type { LedgerRecord } from './history.ts'

/*
 * The chain on disk: one line per closed ledger, and one per reorg. The state follows from the ledgers'
 * changes, so nothing more is saved, and a crash loses at most an incomplete line.
 */

type Line = { ledger: LedgerRecord } | { dropAbove: number }

const encode = (line: Line): string =>
  `${JSON.stringify(line, (_, value: unknown) => (typeof value === 'bigint' ? { $bigint: value.toString() } : value))}\n`

function revive(_: string, value: unknown): unknown {
  return typeof value === 'object' && value !== null && '$bigint' in value
    ? BigInt(String(value.$bigint))
    : value
}

export interface Journal {
  /** The file's ledgers, in order. */
  ledgers: LedgerRecord[]
  append(ledger: LedgerRecord): void
  dropAbove(sequence: number): void
}

/** @param file null: nothing is saved */
export function openJournal(file: string | null): Journal {
  if (!file) return { ledgers: [], append: () => {}, dropAbove: () => {} }
  const ledgers = existsSync(file) ? read(file) : []
  // Rewritten atomically, without dropped ledgers and without an incomplete line.
  writeFileSync(`${file}.new`, ledgers.map((ledger) => encode({ ledger })).join(''))
  renameSync(`${file}.new`, file)
  return {
    ledgers,
    append: (ledger) => appendFileSync(file, encode({ ledger })),
    dropAbove: (sequence) => appendFileSync(file, encode({ dropAbove: sequence })),
  }
}

function read(file: string): LedgerRecord[] {
  let ledgers: LedgerRecord[] = []
  for (const text of readFileSync(file, 'utf8').split('\n')) {
    const line = parse(text)
    if (!line) continue
    if ('ledger' in line) ledgers.push(line.ledger)
    else ledgers = ledgers.filter(({ sequence }) => sequence <= line.dropAbove)
  }
  return ledgers
}

/** Null for the empty end of the file, and for an incomplete last line. */
function parse(text: string): Line | null {
  try {
    return text === '' ? null : (JSON.parse(text, revive) as Line)
  } catch {
    return null
  }
}
