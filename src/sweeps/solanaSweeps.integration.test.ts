import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { solanaNode } from '../../test/support/familyNodes.ts'
import { startFamilySweeping } from '../../test/support/familySweeping.ts'

/** Sweeps on Solana, step by step, with the rights of worker and treasury. */

const start = async () => startFamilySweeping(await solanaNode())
let sweeping: Awaited<ReturnType<typeof start>>

beforeAll(async () => {
  sweeping = await start()
  await sweeping.fund('SOL', 1_000_000_000n)
  for (const token of ['USDC', 'USDT']) await sweeping.enable(token)
}, 60_000)
afterAll(() => sweeping?.close())

/** Of a token account (Solana docs, "Rent"). */
const rentOf = async () => BigInt(await sweeping.node.connection.getMinimumBalanceForRentExemption(165))

test('every asset of several addresses reaches the treasury exactly, in shared transactions; the books have fees and rent', async () => {
  const before = await sweeping.held(sweeping.treasuryAddress, 'SOL')
  const deposits = [
    await sweeping.deposit({ symbol: 'USDC', amount: 5_000_000n }, { symbol: 'USDT', amount: 7_000_000n }, { symbol: 'SOL', amount: 40_000_000n }),
    await sweeping.deposit({ symbol: 'USDC', amount: 11_000_000n }),
    await sweeping.deposit({ symbol: 'SOL', amount: 30_000_000n }),
  ]
  await sweeping.run()
  const rows = await sweeping.rows()
  expect(rows.map(({ symbol, status }) => `${symbol} ${status}`).toSorted()).toEqual(['SOL done', 'SOL done', 'USDC done', 'USDC done', 'USDT done'])
  const intents = await sweeping.intents()
  expect(intents.length).toBeLessThan(rows.length)
  for (const { address } of deposits)
    for (const symbol of ['USDC', 'USDT', 'SOL']) expect([symbol, await sweeping.held(address, symbol)]).toEqual([symbol, 0n])
  expect(await sweeping.held(sweeping.treasuryAddress, 'USDC')).toBe(16_000_000n)
  expect(await sweeping.held(sweeping.treasuryAddress, 'USDT')).toBe(7_000_000n)
  const fees = intents.reduce((sum, { fee }) => sum + (fee ?? 0n), 0n)
  // Three accounts were closed, two were opened.
  const rent = await rentOf()
  expect(await sweeping.held(sweeping.treasuryAddress, 'SOL')).toBe(before + 70_000_000n - fees + rent)
  expect(await sweeping.books('treasury:solana', 'SOL')).toBe(await sweeping.held(sweeping.treasuryAddress, 'SOL'))
  expect(await sweeping.books('network_costs', 'SOL')).toBe(fees - rent)
  const cost = await sweeping.db.query<{ amount: string }>(
    `select sum(l.amount)::text as amount from ledger_entries e join ledger_postings l on l.entry_id = e.id join ledger_accounts a on a.id = l.account_id
     where a.name = 'network_costs' and e.kind = 'sweep.posted'`,
  )
  expect(cost).toEqual([{ amount: String(fees) }])
  for (const symbol of ['USDC', 'USDT'])
    expect(await sweeping.books('treasury:solana', symbol)).toBe(await sweeping.held(sweeping.treasuryAddress, symbol))
  for (const symbol of ['USDC', 'USDT', 'SOL']) expect(await sweeping.books('deposits:solana', symbol)).toBe(0n)
})
