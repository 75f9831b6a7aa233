import { appendFileSync, existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import type { LedgerRecord } from './history.ts'

/*
 * The chain on disk: a line for each ledger, written as it closes, and one for each reorg. The state follows from
 * the changes in the ledgers, so nothing else is kept, and an end that was not orderly loses at most half a line.
 */

type Line = { ledger: LedgerRecord } | { dropAbove: number }

const encode = (line: Line): string =>
  `${JSON.stringify(line, (_, value: unknown) => (typeof value === 'bigint' ? { $bigint: value.toString() } : value))}\n`

function revive(_: string, value: unknown): unknown {
  return typeof value === 'object' && value !== null && '$bigint' in value ? BigInt(String(value.$bigint)) : value
}

export interface Journal {
  /** The ledgers that the file held, in order. */
  ledgers: LedgerRecord[]
  append(ledger: LedgerRecord): void
  dropAbove(sequence: number): void
}

/** @param file none: nothing is kept */
export function openJournal(file: string | null): Journal {
  if (!file) return { ledgers: [], append: () => {}, dropAbove: () => {} }
  const ledgers = existsSync(file) ? read(file) : []
  // Written anew, atomically: without what was dropped, and without a line that was not finished.
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

/** Null for the empty end of the file, and for a last line that was cut off. */
function parse(text: string): Line | null {
  try {
    return text === '' ? null : (JSON.parse(text, revive) as Line)
  } catch {
    return null
  }
}
