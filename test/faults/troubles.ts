import type { Stack } from '../support/stack.ts'
import { metric } from './metric.ts'

// What the suites about lying providers of one chain have in common.

/** Slower than the first, so that the order of the two is certain; and two requests take less than those who are asked together wait for each other. */
export const behindMs = 60
/** Blocks that a provider lags behind, where it does. */
export const lag = 3

/** Troubles that one of two providers may have: none keeps a payment from being credited once. */
export const troubles: [name: string, flags: object][] = [
  ['HTTP 429 after a few requests a second', { throttle: 5 }],
  ['a head that stays behind', { lagBlocks: lag }],
  ['HTTP 503', { down: true }],
  ['answers that come too late', { slowMs: 1300 }],
]

/** Rounds in which no provider gave a usable answer. */
export const failuresOf = (stack: Stack) => metric(stack.processes.get('indexer'), 'cowry_chain_read_failures_total')

/** Of the stack's one chain. */
export const cursorOf = async ({ db }: Stack): Promise<number> =>
  Number((await db.query<{ height: string }>('select height from chain_cursors'))[0]?.height)

/** The id that is recorded at a height. */
export const idIn = async ({ db }: Stack, height: number): Promise<string | undefined> =>
  (await db.query<{ id: string }>('select id from blocks where height = $1 and canonical', [height]))[0]?.id

/** How often credited money was taken back. */
export const reversalsIn = async ({ db }: Stack): Promise<number> =>
  (await db.query("select 1 from ledger_entries where kind = 'deposit.reverted'")).length
