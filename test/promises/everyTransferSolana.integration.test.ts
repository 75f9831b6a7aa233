import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import type { Transfer } from '../../src/chains/chain.ts'
import { startRecordedSolana } from '../support/recordedSolana.ts'
import { countGains, countLosses, type Gain, linesOf } from './counting/solana/countGains.ts'
import { rawParsedTransactions } from './counting/solana/rawParsed.ts'
import { rawTransactions } from './counting/solana/rawSolana.ts'
import { openReader } from './openReader.ts'
import { print } from './readRecorded.ts'

// Our reader uses the balances before and after each transaction. The count replays the instructions alone,
// including those called by programs. Both must find the same transfers.

const wholeBlock = 'block-254170887.json'
const newAccount = 'block_new_token_account.json'
const encodings = ['json', 'base64'] as const

const gainOf = ({ txId, to, contract, amount }: Transfer): Gain => ({
  txId,
  owner: to,
  mint: contract,
  amount,
})
const lossOf = (transfer: Transfer): Gain => ({ ...gainOf(transfer), owner: transfer.from })
/** Each owner's loss in each transaction: for a transfer with several recipients, the sum. */
function lossesOf(transfers: readonly Transfer[]): Gain[] {
  const losses = Map.groupBy(
    transfers.filter(({ only }) => only !== 'in').map(lossOf),
    ({ txId, owner, mint }) => [txId, owner, mint].join(' '),
  )
  return [...losses.values()].flatMap(([first, ...others]) =>
    first ? [{ ...first, amount: others.reduce((sum, each) => sum + each.amount, first.amount) }] : [],
  )
}
const gainsOf = (transfers: readonly Transfer[]): Gain[] =>
  transfers.filter(({ only }) => only !== 'out').map(gainOf)

async function read(file: string, encoding: (typeof encodings)[number]) {
  const node = await startRecordedSolana(file, encoding)
  const { reader, close } = await openReader('solana', node.url)
  try {
    const block = await reader.block(node.slot)
    const [light] = await reader.blocks(node.slot, node.slot)
    if (!block || !light) throw new Error(`slot ${node.slot} not found`)
    return { block, light }
  } finally {
    await close()
    await node.close()
  }
}

describe('every transfer of a recorded slot is found, as in the count by instructions', () => {
  let counted: Gain[] = []
  const rows: string[][] = []

  beforeAll(() => {
    const transactions = rawTransactions(wholeBlock)
    counted = transactions.flatMap(countGains)
    const failed = transactions.filter((each) => each.failed).length
    const instructions = transactions
      .filter((each) => !each.failed)
      .reduce((sum, each) => sum + each.instructions.length, 0)
    rows.push(
      ['solana', 'transactions', 'failed', 'instructions', 'tokens', 'native'],
      ['counted by instructions', `${transactions.length}`, `${failed}`, `${instructions}`, ...sums(counted)],
    )
  })
  afterAll(() => {
    print(rows)
    print([['nothing is excluded: wrapped SOL and lamports are counted by instructions, too']])
  })

  const sums = (gains: readonly Gain[]) =>
    [true, false].map((isToken) => `${gains.filter(({ mint }) => (mint !== null) === isToken).length}`)

  test.each(encodings)('transactions in %s', async (encoding) => {
    const { block } = await read(wholeBlock, encoding)
    const found = gainsOf(block.transfers)
    expect(linesOf(found)).toEqual(linesOf(counted))
    const tokens = found.filter(({ mint }) => mint !== null)
    expect(tokens.length).toBeGreaterThan(0)
    expect(found.length - tokens.length).toBeGreaterThan(0)
    expect(new Set(block.transfers.map(({ txId, movementKey }) => `${txId} ${movementKey}`)).size).toBe(
      block.transfers.length,
    )
    rows.push([`found, ${encoding}`, '', '', '', ...sums(found)])
  })

  test('losses of each owner, without the fee, match too', async () => {
    const { block } = await read(wholeBlock, 'json')
    const lost = rawTransactions(wholeBlock).flatMap(countLosses)
    expect(linesOf(lossesOf(block.transfers))).toEqual(linesOf(lost))
    for (const each of sums(lost)) expect(Number(each)).toBeGreaterThan(0)
    rows.push(['lost', '', '', '', ...sums(lost)])
  })

  // Two of the recorded block's fee payers also receive lamports: one receives 4268 and pays 6001, one
  // receives 3853755 and pays 155000.
  test.each([4268n, 3853755n])(
    '%s lamports received by a fee payer are found, for any fee',
    async (amount) => {
      const { block } = await read(wholeBlock, 'json')
      expect(
        gainsOf(block.transfers).filter((each) => each.mint === null && each.amount === amount),
      ).toHaveLength(1)
    },
  )

  test('reading without instructions omits no sender or recipient', async () => {
    const { light, block } = await read(wholeBlock, 'json')
    expect({ id: light.id, parentId: light.parentId, time: light.time }).toEqual({
      id: block.id,
      parentId: block.parentId,
      time: block.time,
    })
    expect(light.transfers).toEqual([])
    const unread = new Set(light.unread)
    expect(counted.filter(({ owner }) => !unread.has(owner))).toEqual([])
    expect(block.transfers.filter(({ from, only }) => only !== 'in' && !unread.has(from))).toEqual([])
    // Listing all accounts would be useless.
    const accounts = new Set(
      rawTransactions(wholeBlock).flatMap(({ lamportsBefore }) => [...lamportsBefore.keys()]),
    )
    expect(unread.size).toBeLessThan(accounts.size)
    rows.push(['listed as possibly concerned', '', '', '', `${unread.size} of ${accounts.size} accounts`])
  })

  test('an account opened and closed within a transaction is found', async () => {
    const byInstructions = rawParsedTransactions(newAccount).flatMap(countGains)
    const { block } = await read(newAccount, 'json')
    const found = gainsOf(block.transfers)
    // One token account existed before, by its lamports, but its balance before was removed from the
    // recording: a reader must take it for a new one that now holds 3000. By the instructions it paid.
    const trimmed = found.filter(
      ({ mint, amount }) => mint === 'Fishy64jCaa3ooqXw7BHtKvYD8BTkSyAPh6RNE3xZpcN' && amount === 3000n,
    )
    expect(trimmed).toHaveLength(1)
    expect(linesOf(found.filter((gain) => !trimmed.includes(gain)))).toEqual(linesOf(byInstructions))
    for (const each of sums(byInstructions)) expect(Number(each)).toBeGreaterThan(0)
    rows.push(['trimmed, with a new account', '1', '0', '', ...sums(byInstructions)])
  })

  // The second one was recorded without inner instructions: it cannot be counted, but can be read in both
  // ways.
  test.each([newAccount, 'block_with_versioned_tx.json'])(
    'the same owners of %s are found with and without amounts',
    async (file) => {
      const { block, light } = await read(file, 'json')
      expect(block.transfers.length).toBeGreaterThan(0)
      const unread = new Set(light.unread)
      expect(
        block.transfers.filter(
          ({ from, to, only }) => (only !== 'out' && !unread.has(to)) || (only !== 'in' && !unread.has(from)),
        ),
      ).toEqual([])
    },
  )
})
