import type { Stack } from '../support/stack.ts'
import { metric } from './metric.ts'

// Shared by the suites about false answers of one chain's providers.

/**
 * Slower than the first provider, which makes the order certain; two requests stay within the grace time of
 * simultaneous requests.
 */
export const behindMs = 60
/** Blocks that a lagging provider is behind. */
export const lag = 3

/** Faults of one of two providers that must not prevent a payment from being credited once. */
export const providerFaults: [name: string, flags: object][] = [
  ['HTTP 429 after a few requests a second', { throttle: 5 }],
  ['a lagging head', { lagBlocks: lag }],
  ['HTTP 503', { down: true }],
  // `othersBehindProxies` has answers after the timeout.
  ['slow answers', { slowMs: 1300 }],
]

/** Rounds in which no provider gave a usable answer. */
export const failuresOf = (stack: Stack) =>
  metric(stack.processes.get('indexer'), 'cowry_chain_read_failures_total')

/** Height of the stack's only chain. */
export const cursorOf = async ({ db }: Stack): Promise<number> =>
  Number((await db.query<{ height: string }>('select height from chain_cursors'))[0]?.height)

/** The recorded id at a height. */
export const idIn = async ({ db }: Stack, height: number): Promise<string | undefined> =>
  (await db.query<{ id: string }>('select id from blocks where height = $1 and canonical', [height]))[0]?.id

/** How often credited money was reverted. */
export const reversalsIn = async ({ db }: Stack): Promise<number> =>
  (await db.query("select 1 from ledger_entries where kind = 'deposit.reverted'")).length
