import { expect, test } from '@jest/globals'
import fc from 'fast-check'
import { createRandom, mutated, type Random } from '../../../../test/promises/foreignBytes/mutate.ts'
import { howMany } from '../../../../test/support/full.ts'
import {
  answerId,
  madeReceipts,
  oddChanges,
  plainChanges,
  polygonCoin,
  receiptsAnswer,
} from '../../../../test/support/receiptAnswers.ts'
import { bothBlocks, isWatchedBy, watching } from '../../../../test/support/wholeReadings.ts'
import type { RpcBlock } from '../rpcTypes.ts'
import type { EvmRules } from './movements.ts'
import { textOf } from './packedTransfers.ts'
import { hashLength, type ScannedReceipts, scanReceipts } from './scanReceipts.ts'

/** Few accounts and values, those of the logs: some log the value of the transaction itself. */
const somebody = (random: Random) => `0x${'ab'.repeat(19)}0${random.below(3)}`
const transactionOf = (
  random: Random,
  receipt: { to?: unknown; type?: unknown },
  hash: string,
  index: number,
) => ({
  hash,
  from: somebody(random),
  to: receipt.to === null ? null : somebody(random),
  value: random.of(['0x0', '0x1', '0x1', '0xff', '0x01']),
  type: receipt.type,
  ...(random.chance(0.95) ? { nonce: `0x${index.toString(16)}` } : {}),
})

/**
 * Without a field of the header, so that its hash proves nothing: then receipts and transactions alone
 * decide.
 */
function blockBy(random: Random, scanned: ScannedReceipts | null, receipts: readonly object[]): RpcBlock {
  const hashes = (scanned ? textOf(scanned.hashes) : '').match(new RegExp(`.{${hashLength}}`, 'g')) ?? []
  const block = {
    number: '0x10',
    hash: scanned?.blockHash ?? `0x${'b1'.repeat(32)}`,
    parentHash: `0x${'b0'.repeat(32)}`,
    timestamp: '0x5',
    logsBloom: `0x${Buffer.from(scanned?.bloom ?? []).toString('hex')}`,
    receiptsRoot: random.chance(0.95) ? (scanned?.root ?? '0x') : `0x${'5'.repeat(64)}`,
    ...(random.chance(0.3) ? { transactionsRoot: `0x${'7'.repeat(64)}` } : {}),
    transactions: hashes.map((hash, index) => transactionOf(random, receipts[index] ?? {}, hash, index)),
  }
  return JSON.parse(
    JSON.stringify(
      random.chance(0.15) ? { ...block, transactions: mutated(block.transactions, random) } : block,
    ),
  )
}

const changes = { ...plainChanges, ...oddChanges }
const input = fc.record({
  change: fc.constantFrom(...Object.keys(changes)),
  count: fc.integer({ min: 1, max: 5 }),
  rules: fc.record({
    nativeLog: fc.constantFrom(null, polygonCoin),
    ownReceipts: fc.boolean(),
    trusted: fc.boolean(),
  }),
  seed: fc.nat(),
})

const parsedOf = (text: string | Uint8Array): { result?: unknown } => {
  try {
    return JSON.parse(Buffer.from(text).toString()) ?? {}
  } catch {
    return {}
  }
}

test('a block whose receipts are understood is the block that JavaScript reads, with any change of its answers', () => {
  const understood = new Map(Object.keys(changes).map((name) => [name, 0]))
  const seen = { refused: 0, carried: 0, logged: 0, open: 0, creations: 0 }
  const property = fc.property(input, ({ change, count, rules, seed }) => {
    const random = createRandom(seed)
    const text = changes[change]?.(receiptsAnswer(madeReceipts(random, count)), random) ?? ''
    const bytes = Buffer.from(text)
    const options = { withRoot: true, nativeLog: rules.nativeLog, whole: true }
    const { result } = parsedOf(bytes)
    const raw = blockBy(random, scanReceipts([bytes], answerId, options), Array.isArray(result) ? result : [])
    const { scanned, byParsing } = bothBlocks(rules satisfies EvmRules, raw, bytes, answerId)
    if (scanned === null) return
    understood.set(change, (understood.get(change) ?? 0) + 1)
    expect(scanned.read).toEqual(byParsing)
    if ('refused' in byParsing) {
      seen.refused++
      return
    }
    const { transfers, unproven } = byParsing
    const watched = watching(random.of([`0x${'ab'.repeat(19)}01`, ...transfers.map(({ to }) => to)]))
    expect(scanned.packed?.matching(watched).filter(isWatchedBy(watched))).toEqual(
      transfers.filter(isWatchedBy(watched)),
    )
    const own = transfers.filter(({ movementKey }) => movementKey === 'native')
    const logged = transfers.filter(
      ({ contract, movementKey }) => contract === null && movementKey !== 'native',
    )
    if (rules.nativeLog && own.length > 0 && scanned.natives > logged.length) seen.carried++
    if (logged.length > 0) seen.logged++
    if (unproven.includes('transactions')) seen.open++
    if (raw.transactions.some(({ to, hash }) => to === null && own.some(({ txId }) => txId === hash)))
      seen.creations++
  })
  fc.assert(property, { numRuns: howMany(2000, 200_000) })
  // Otherwise nothing was compared, or always the same.
  for (const name of Object.keys(plainChanges))
    expect([name, (understood.get(name) ?? 0) > 0]).toEqual([name, true])
  expect(Object.entries(seen).filter(([, times]) => times === 0)).toEqual([])
}, 1_200_000)
