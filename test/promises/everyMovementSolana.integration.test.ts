import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import type { Transfer } from '../../src/chains/chain.ts'
import { startRecordedSolana } from '../support/recordedSolana.ts'
import { countGains, countLosses, type Gain, linesOf } from './counting/solana/countGains.ts'
import { rawParsedTransactions } from './counting/solana/rawParsed.ts'
import { rawTransactions } from './counting/solana/rawSolana.ts'
import { openReader } from './openReader.ts'
import { print } from './readRecorded.ts'

// Our reader goes by the balances before and after each transaction. The count goes by the instructions alone, those that programs called
// included: what they did is done over again. The two have to find the same.

const wholeBlock = 'block-254170887.json'
const newAccount = 'block_new_token_account.json'
const encodings = ['json', 'base64'] as const

const gainOf = ({ txId, to, contract, amount }: Transfer): Gain => ({ txId, owner: to, mint: contract, amount })
const lossOf = (transfer: Transfer): Gain => ({ ...gainOf(transfer), owner: transfer.from })
/** What each owner lost in each transaction: of a movement that several receive, the sum. */
function lossesOf(transfers: readonly Transfer[]): Gain[] {
  const losses = Map.groupBy(transfers.filter(({ only }) => only !== 'in').map(lossOf), ({ txId, owner, mint }) => [txId, owner, mint].join(' '))
  return [...losses.values()].flatMap(([first, ...others]) =>
    first ? [{ ...first, amount: others.reduce((sum, each) => sum + each.amount, first.amount) }] : [],
  )
}
const gainsOf = (transfers: readonly Transfer[]): Gain[] => transfers.filter(({ only }) => only !== 'out').map(gainOf)

async function read(file: string, encoding: (typeof encodings)[number]) {
  const node = await startRecordedSolana(file, encoding)
  const { reader, close } = await openReader('solana', node.url)
  try {
    const block = await reader.block(node.slot)
    const [light] = await reader.blocks(node.slot, node.slot)
    if (!block || !light) throw new Error(`slot ${node.slot} is not there`)
    return { block, light }
  } finally {
    await close()
    await node.close()
  }
}

describe('every movement of a recorded slot is found, as it was counted by the instructions', () => {
  let counted: Gain[] = []
  const rows: string[][] = []

  beforeAll(() => {
    const transactions = rawTransactions(wholeBlock)
    counted = transactions.flatMap(countGains)
    const failed = transactions.filter((each) => each.failed).length
    const instructions = transactions.filter((each) => !each.failed).reduce((sum, each) => sum + each.instructions.length, 0)
    rows.push(
      ['solana', 'transactions', 'failed', 'instructions', 'tokens', 'native'],
      ['counted by instructions', `${transactions.length}`, `${failed}`, `${instructions}`, ...sums(counted)],
    )
  })
  afterAll(() => {
    print(rows)
    print([['nothing was left out: wrapped SOL and lamports are counted by instructions, as all else']])
  })

  const sums = (gains: readonly Gain[]) => [true, false].map((isToken) => `${gains.filter(({ mint }) => (mint !== null) === isToken).length}`)

  test.each(encodings)('its transactions in %s', async (encoding) => {
    const { block } = await read(wholeBlock, encoding)
    const found = gainsOf(block.transfers)
    expect(linesOf(found)).toEqual(linesOf(counted))
    const tokens = found.filter(({ mint }) => mint !== null)
    expect(tokens.length).toBeGreaterThan(0)
    expect(found.length - tokens.length).toBeGreaterThan(0)
    expect(new Set(block.transfers.map(({ txId, movementKey }) => `${txId} ${movementKey}`)).size).toBe(block.transfers.length)
    rows.push([`found, ${encoding}`, '', '', '', ...sums(found)])
  })

  test('also what each owner lost: without the fee', async () => {
    const { block } = await read(wholeBlock, 'json')
    const lost = rawTransactions(wholeBlock).flatMap(countLosses)
    expect(linesOf(lossesOf(block.transfers))).toEqual(linesOf(lost))
    for (const each of sums(lost)) expect(Number(each)).toBeGreaterThan(0)
    rows.push(['lost', '', '', '', ...sums(lost)])
  })

  // The recorded block holds one transaction whose fee payer receives 4268 lamports and pays 6001, and one that receives 3853755 and pays 155000.
  test.each([4268n, 3853755n])('the %s lamports that reach an account which pays the fee, whatever the fee', async (amount) => {
    const { block } = await read(wholeBlock, 'json')
    expect(gainsOf(block.transfers).filter((each) => each.mint === null && each.amount === amount)).toHaveLength(1)
  })

  test('read without its instructions, nobody who received or sent something is left out', async () => {
    const { light, block } = await read(wholeBlock, 'json')
    expect({ id: light.id, parentId: light.parentId, time: light.time }).toEqual({ id: block.id, parentId: block.parentId, time: block.time })
    expect(light.transfers).toEqual([])
    const unread = new Set(light.unread)
    expect(counted.filter(({ owner }) => !unread.has(owner))).toEqual([])
    expect(block.transfers.filter(({ from, only }) => only !== 'in' && !unread.has(from))).toEqual([])
    // Or it would be of no use.
    const accounts = new Set(rawTransactions(wholeBlock).flatMap(({ lamportsBefore }) => [...lamportsBefore.keys()]))
    expect(unread.size).toBeLessThan(accounts.size)
    rows.push(['told of as perhaps concerned', '', '', '', `${unread.size} of ${accounts.size} accounts`])
  })

  test('also where an account is opened and closed in between', async () => {
    const byInstructions = rawParsedTransactions(newAccount).flatMap(countGains)
    const { block } = await read(newAccount, 'json')
    const found = gainsOf(block.transfers)
    // One token account was there before by its lamports, and its balance before was taken out of the recording: a reader has to take it
    // for a new one that now holds 3000. By the instructions it paid.
    const takenOut = found.filter(({ mint, amount }) => mint === 'Fishy64jCaa3ooqXw7BHtKvYD8BTkSyAPh6RNE3xZpcN' && amount === 3000n)
    expect(takenOut).toHaveLength(1)
    expect(linesOf(found.filter((gain) => !takenOut.includes(gain)))).toEqual(linesOf(byInstructions))
    for (const each of sums(byInstructions)) expect(Number(each)).toBeGreaterThan(0)
    rows.push(['trimmed, with a new account', '1', '0', '', ...sums(byInstructions)])
  })

  // Of the second one the inner instructions were not recorded: what cannot be counted can still be read in two ways.
  test.each([newAccount, 'block_with_versioned_tx.json'])('and of %s the same owners are told of with and without amounts', async (file) => {
    const { block, light } = await read(file, 'json')
    expect(block.transfers.length).toBeGreaterThan(0)
    const unread = new Set(light.unread)
    expect(block.transfers.filter(({ from, to, only }) => (only !== 'out' && !unread.has(to)) || (only !== 'in' && !unread.has(from)))).toEqual([])
  })
})
