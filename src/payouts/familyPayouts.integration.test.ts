import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { Keypair, Operation } from '@stellar/stellar-sdk'
import { assetOf, sendOnStellar } from '../../test/devnets/customers/stellar.ts'
import { solanaNode, stellarNode, tronNode } from '../../test/support/familyNodes.ts'
import { type FamilySweeping, seedOfTests, startFamilySweeping } from '../../test/support/familySweeping.ts'
import { startPaying } from '../../test/support/paying.ts'
import { waitFor } from '../../test/support/waitFor.ts'
import { keyDerivers } from '../chains/keyDerivers.ts'
import { readOutflowIntents } from '../outflows/outflowIntent.ts'
import { checkChain } from '../reconciliation/checkChain.ts'
import { readIntents } from '../txmgr/intents.ts'

/** Outflows to wallets on solana, tron and stellar, with the rights of worker and treasury. */

const payingOn = (sweeping: FamilySweeping) =>
  startPaying({
    ...sweeping,
    chain: sweeping.node.chain,
    accounts: sweeping.node.accounts,
    finish: () => sweeping.node.finish(),
  })

/** The books and the chain agree. */
async function expectNoDrift({ node, db, worker, treasuryAddress }: FamilySweeping): Promise<void> {
  await db.query('update chain_cursors set updated_at = now() where chain = $1', [node.chain.name])
  const context = {
    db: worker,
    chain: node.chain,
    balances: node.accounts.balances,
    pauseMs: 1,
    signal: new AbortController().signal,
  }
  expect((await checkChain(context, { treasury: treasuryAddress, staking: null })).drift).toEqual([])
}

/** An address that no one uses. */
const address = async (sweeping: FamilySweeping, index: number) => {
  const seed = Buffer.alloc(64, index)
  return keyDerivers[sweeping.node.chain.family].deriveDeposit(seed, index).address
}

/** A payout and a refund of one float: exact amounts, known costs, books as the chain. */
async function expectPaid(sweeping: FamilySweeping, token: string, to: string): Promise<void> {
  const { node, db, treasuryAddress } = sweeping
  const { native } = node.chain
  const paying = payingOn(sweeping)
  const one = 10n ** BigInt(node.chain.tokens.find(({ symbol }) => symbol === token)?.decimals ?? 0)
  await paying.owe(token, 50n * one)
  const [before, had] = [
    await sweeping.held(treasuryAddress, token),
    await sweeping.held(treasuryAddress, native.symbol),
  ]
  const costs = await sweeping.books('network_costs', native.symbol)
  const payout = await paying.payout({ token, amount: 20n * one, fee: one / 4n, address: to })
  const refund = await paying.payout({ kind: 'refund', token, amount: 3n * one, address: to })
  await paying.step()
  for (const step of [sweeping.reconcile, sweeping.sign, sweeping.reconcile]) await step()
  await expectNoDrift(sweeping)
  const done = await paying.run([payout.id, refund.id], 60)
  expect(done.map(({ status, reason }) => [status, reason])).toEqual([
    ['completed', null],
    ['completed', null],
  ])
  const sent = 23n * one - one / 4n
  expect([await sweeping.held(to, token), await sweeping.held(treasuryAddress, token)]).toEqual([
    sent,
    before - sent,
  ])
  const intents = await readIntents(db, 'id = any($1::uuid[])', [done.map(({ intentId }) => intentId)])
  const fees = intents.reduce((sum, { fee }) => sum + (fee ?? 0n), 0n)
  expect(fees).toBeGreaterThan(0n)
  // Fees, and on Solana the rent of an account that was opened.
  const cost = (await sweeping.books('network_costs', native.symbol)) - costs
  expect(cost).toBe(had - (await sweeping.held(treasuryAddress, native.symbol)))
  expect(cost).toBeGreaterThanOrEqual(fees)
  const shown = await readOutflowIntents(db, done)
  expect([...shown.values()]).toEqual(
    ['19.75', '3'].map((amountReceived) => ({
      txHash: expect.any(String),
      networkCost: { amount: expect.stringMatching(/^[0-9.]+$/), token: native.symbol },
      arrived: { amountReceived, tokenFee: '0' },
    })),
  )
  expect([
    await paying.fees(token),
    await paying.balance('payouts_held', token),
    await paying.balance('available', token),
  ]).toEqual([one / 4n, 0n, 27n * one])
  await expectNoDrift(sweeping)
}

describe('solana', () => {
  let sweeping: FamilySweeping
  beforeAll(async () => {
    sweeping = await startFamilySweeping(await solanaNode())
    await sweeping.fund('SOL', 1_000_000_000n)
    await sweeping.fund('USDC', 50_000_000n)
  })
  afterAll(() => sweeping?.close())

  test('a payout and a refund arrive exactly, though the account of the token must be opened', async () =>
    expectPaid(sweeping, 'USDC', await address(sweeping, 7)))
})

describe('tron', () => {
  let sweeping: FamilySweeping
  beforeAll(async () => {
    sweeping = await startFamilySweeping(await tronNode())
    await sweeping.fund('TRX', 1_000_000_000n)
    await sweeping.fund('USDT', 50_000_000n)
  })
  afterAll(() => sweeping?.close())

  test('a payout and a refund arrive exactly', async () =>
    expectPaid(sweeping, 'USDT', await address(sweeping, 8)))
})

describe('stellar', () => {
  const start = async () => startFamilySweeping(await stellarNode(await seedOfTests()))
  let sweeping: Awaited<ReturnType<typeof start>>
  beforeAll(async () => {
    sweeping = await start()
    await sweeping.capital('XLM', await sweeping.held(sweeping.treasuryAddress, 'XLM'))
    await sweeping.fund('USDC', 50_000_000n * 10n)
  })
  afterAll(() => sweeping?.close())

  /** An account, that takes the token or does not. */
  async function account(takes: boolean): Promise<string> {
    const pair = Keypair.random()
    const asset = assetOf(sweeping.contractOf('USDC') ?? '')
    const trust = takes ? [Operation.changeTrust({ asset, source: pair.publicKey() })] : []
    await sendOnStellar(
      sweeping.node.devnet,
      [Operation.createAccount({ destination: pair.publicKey(), startingBalance: '10' }), ...trust],
      undefined,
      takes ? [pair] : [],
    )
    await waitFor(
      'the account',
      async () => (await sweeping.held(pair.publicKey(), 'XLM').catch(() => 0n)) > 0n,
    )
    return pair.publicKey()
  }

  test('a payout and a refund arrive exactly', async () => expectPaid(sweeping, 'USDC', await account(true)))

  test('a payout to an account without a trustline fails with that reason, and its money is back', async () => {
    const paying = payingOn(sweeping)
    await paying.owe('USDC', 10_000_000n)
    const available = await paying.balance('available', 'USDC')
    const made = await paying.payout({ token: 'USDC', amount: 10_000_000n, address: await account(false) })
    const [failed] = await paying.run([made.id])
    expect(failed).toMatchObject({ status: 'failed', reason: 'recipient_without_trustline', nextAt: null })
    expect([await paying.balance('available', 'USDC'), await paying.balance('payouts_held', 'USDC')]).toEqual(
      [available, 0n],
    )
    await expectNoDrift(sweeping)
  })
})
