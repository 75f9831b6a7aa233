import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { type Address, encodeFunctionData, parseAbi } from 'viem'
import { addressOf, keyOf } from '../../test/support/evmIntents.ts'
import { startPaying } from '../../test/support/paying.ts'
import { type Sweeping, startSweeping } from '../../test/support/sweeping.ts'
import { evmBalanceReader } from '../chains/evm/balanceReader.ts'
import type { TokenMove } from '../chains/sending.ts'
import { createMetrics } from '../platform/telemetry/metrics.ts'
import { checkChain } from '../reconciliation/checkChain.ts'
import { readRefundViews } from '../refunds/refundView.ts'
import { createIntentMetrics } from '../txmgr/intentMetrics.ts'
import { lockIntent, readIntents } from '../txmgr/intents.ts'
import { transition } from '../txmgr/transition.ts'
import { moveOutflow } from './moveOutflow.ts'
import { lockOutflow } from './outflow.ts'
import { cameBack } from './outflowEntries.ts'
import { readOutflowIntents } from './outflowIntent.ts'

/** Tether's fee is switched on after a transaction was signed: what arrives is less than what was sent. */

let sweeping: Sweeping
let paying: ReturnType<typeof startPaying>
let wallets = 7700
const million = 1_000_000n
const usdt = () => sweeping.devnet.usdt as Address
const abi = parseAbi(['function setParams(uint256, uint256)'])

/** Hundredths of a per cent, and the maximum in whole tokens. */
async function setFee(rate: bigint): Promise<void> {
  const data = encodeFunctionData({ abi, functionName: 'setParams', args: [rate, 19n] })
  await sweeping.faucet.sendTransaction({ to: usdt(), data, gas: 120_000n })
  await sweeping.node.mine()
}

/** Signs what is planned of this purpose, then switches the fee on, until that is confirmed. */
async function signedBeforeFee(purpose: 'sweep' | 'payout'): Promise<void> {
  const signed = () => readIntents(sweeping.db, 'purpose = $1 and status = $2', [purpose, 'signed'])
  for (let round = 0; round < 20; round++) {
    await paying.step()
    await sweeping.work()
    await sweeping.reconcile()
    await sweeping.sign()
    if ((await signed()).length > 0) break
    await sweeping.reconcile()
    await sweeping.node.mine(3)
    await sweeping.reconcile()
  }
  expect(await signed()).not.toEqual([])
  await setFee(10n)
  await sweeping.reconcile()
  await sweeping.node.mine(3)
  await sweeping.reconcile()
  await sweeping.work()
  await paying.step()
  await setFee(0n)
}

/** A later report of nodes about what a confirmed intent moved. */
async function reportMoves(id: string, tokenMoves: TokenMove[] | null): Promise<void> {
  await sweeping.worker.tx(async (tx) => {
    const now = await lockIntent(tx, id)
    if (now?.txId == null || now.blockHeight === null) throw new Error('it is in no block')
    const { txId, blockHeight, fee, gasUsed } = now
    const block = {
      txId,
      blockHeight,
      blockId: '0x1',
      standing: 'confirmed' as const,
      succeeded: true,
      reason: null,
      fee,
      gasUsed,
    }
    const outcome = { status: 'included' as const, ...block, tokenMoves }
    const event = {
      kind: 'reported' as const,
      outcome,
      isNoop: false,
      hasTime: false,
      usedBy: null,
      ageMs: 0,
      unminableAfterMs: 0,
    }
    await transition(sweeping.manager, tx, now, event)
  })
}

/**
 * Kinds of the entries of a cause in the order of their steps, with the amounts of these accounts in the last
 * one.
 */
async function lastEntry(cause: string, id: string) {
  const entries = await sweeping.db.query<{ id: string; kind: string }>(
    'select id, kind from ledger_entries where cause_kind = $1 and reference = $2 order by step',
    [cause, id],
  )
  const postings = await sweeping.db.query<{ name: string; asset: string; amount: string }>(
    `select a.name, p.asset, p.amount::text from ledger_postings p join ledger_accounts a on a.id = p.account_id where p.entry_id = $1
     order by p.asset desc, a.name`,
    [entries.at(-1)?.id],
  )
  return {
    kinds: entries.map(({ kind }) => kind),
    postings: postings.map(({ name, asset, amount }) => [name, asset, Number(amount)]),
  }
}

async function expectNoDrift(): Promise<void> {
  const head = Number(await sweeping.node.call('eth_blockNumber'))
  await sweeping.db.query(
    "update chain_cursors set height = $1, updated_at = now() where chain = 'ethereum'",
    [head],
  )
  const balances = evmBalanceReader(sweeping.node.ctx)
  const check = {
    db: sweeping.worker,
    chain: sweeping.chain,
    balances,
    pauseMs: 1,
    signal: new AbortController().signal,
  }
  expect((await checkChain(check, { treasury: sweeping.treasuryAddress, staking: null })).drift).toEqual([])
}

beforeAll(async () => {
  sweeping = await startSweeping('ethereum')
  const accounts = { balances: evmBalanceReader(sweeping.node.ctx), sender: sweeping.node.sender }
  paying = startPaying({ ...sweeping, accounts, finish: () => sweeping.node.mine(3) })
  await paying.putIn('ETH', await sweeping.native(sweeping.treasuryAddress))
})
afterAll(() => sweeping?.close())

test('a sweep: the treasury has what arrived, and what the token kept is a cost', async () => {
  await sweeping.enable('USDT')
  const { address } = await sweeping.deposit({ symbol: 'USDT', amount: 40n * million })
  await signedBeforeFee('sweep')
  const [sweep] = await readIntents(sweeping.db, "purpose = 'sweep'", [])
  expect(sweep).toMatchObject({
    status: 'confirmed',
    tokenKept: [{ address: sweeping.treasuryAddress, amount: 40_000n }],
  })
  expect([
    await sweeping.tokens(usdt(), address),
    await sweeping.tokens(usdt(), sweeping.treasuryAddress),
  ]).toEqual([0n, 39_960_000n])
  const accounts = ['deposits:ethereum', 'treasury:ethereum', 'network_costs'] as const
  expect(await Promise.all(accounts.map((each) => sweeping.books(each, 'USDT')))).toEqual([
    0n,
    39_960_000n,
    40_000n,
  ])
  await expectNoDrift()
})

test('a sweep of which nodes report later what the token kept: the difference is booked', async () => {
  const [sweep] = await readIntents(sweeping.db, "purpose = 'sweep'", [])
  if (!sweep) throw new Error('no sweep')
  const arrived = (amount: bigint): TokenMove[] => [
    { contract: usdt().toLowerCase(), to: sweeping.treasuryAddress, amount },
  ]
  const inBooks = async () => [
    await sweeping.books('treasury:ethereum', 'USDT'),
    await sweeping.books('network_costs', 'USDT'),
  ]
  const known = [39_960_000n, 40_000n]
  await reportMoves(sweep.id, null)
  expect(await inBooks()).toEqual(known)
  await reportMoves(sweep.id, arrived(40n * million))
  expect(await inBooks()).toEqual([40n * million, 0n])
  await reportMoves(sweep.id, arrived(39_960_000n))
  expect(await inBooks()).toEqual(known)
  expect((await lastEntry('intent', sweep.id)).kinds).toEqual([
    'sweep.posted',
    'sweep.corrected',
    'sweep.corrected',
  ])
  expect(await readIntents(sweeping.db, 'id = $1', [sweep.id])).toMatchObject([
    { tokenKept: [{ amount: 40_000n }] },
  ])
})

test('a payout and a refund: the books have what left, and their views what arrived', async () => {
  const before = await sweeping.books('network_costs', 'USDT')
  await paying.owe('USDT', 30n * million)
  const kinds = ['payout', 'refund'] as const
  const made = []
  for (const kind of kinds)
    made.push(
      await paying.payout({
        kind,
        token: 'USDT',
        amount: 10n * million,
        address: addressOf(keyOf(wallets++)),
      }),
    )
  await signedBeforeFee('payout')
  const done = await paying.run(made.map(({ id }) => id))
  expect(done.map(({ status }) => status)).toEqual(['completed', 'completed'])
  const shown = await readOutflowIntents(sweeping.db, done)
  const fees = [...shown.values()].map(({ arrived }) => arrived?.tokenFee)
  expect(fees.sort()).toContain('0.01')
  for (const { id, wallet } of done) {
    const { arrived } = shown.get(id) ?? {}
    expect(await sweeping.tokens(usdt(), wallet?.address ?? '')).toBe(
      BigInt(Math.round(Number(arrived?.amountReceived) * 1e6)),
    )
  }
  const [refund] = await readRefundViews(sweeping.db, 'id = $1 and business_id = $2', [
    made[1]?.id,
    sweeping.businessId,
  ])
  expect(refund).toMatchObject({
    status: 'completed',
    amount: '10',
    ...shown.get(made[1]?.id ?? '')?.arrived,
  })
  expect(await sweeping.books('network_costs', 'USDT')).toBe(before)
  await expectNoDrift()
})

test('a top-up: the partner has what arrived, also by a later report; a fork takes all of it back', async () => {
  const [intent] = await readIntents(sweeping.db, "purpose = 'payout' and token_kept <> '[]'", [])
  const [payout] = await sweeping.db.query<{ id: string }>(
    'update outflows set intent_id = null where intent_id = $1 returning id',
    [intent?.id],
  )
  if (!intent || !payout) throw new Error('no payout')
  const bank = { partner: 'yellowcard', networkId: 'account', currency: 'USD', price: null }
  const address = intent.action.kind === 'transfer' ? intent.action.to : ''
  const platform = { kind: 'top_up' as const, businessId: null, bank }
  const { id } = await paying.payout({ ...platform, token: 'USDT', amount: 10n * million, address })
  const move = (change: Parameters<typeof moveOutflow>[3]) =>
    sweeping.db.tx(async (tx) => {
      const row = await lockOutflow(tx, id)
      if (row) await moveOutflow(paying.ctx, tx, row, change)
    })
  await move({ status: 'processing', intentId: intent.id, nextInMs: null })
  await move({ status: 'completed', nextInMs: null })
  expect(await lastEntry('top_up', id)).toEqual({
    kinds: ['top_up.posted'],
    postings: [
      ['exchange', 'ethereum:USDT', 9_990_000],
      ['network_costs', 'ethereum:USDT', 10_000],
      ['treasury:ethereum', 'ethereum:USDT', -10_000_000],
      ['exchange', 'USD', -9_990_000],
      ['partner:yellowcard', 'USD', 9_990_000],
    ],
  })
  await reportMoves(intent.id, [{ contract: usdt().toLowerCase(), to: address, amount: 9_980_000n }])
  expect(await lastEntry('top_up', id)).toEqual({
    kinds: ['top_up.posted', 'top_up.corrected'],
    postings: [
      ['exchange', 'ethereum:USDT', -10_000],
      ['network_costs', 'ethereum:USDT', 10_000],
      ['exchange', 'USD', 10_000],
      ['partner:yellowcard', 'USD', -10_000],
    ],
  })
  const returned = await sweeping.db.tx(async (tx) => cameBack(tx, await paying.read(id)))
  expect(returned).toMatchObject([{ kind: 'top_up.returned', step: 3 }])
  const amounts = returned.flatMap(({ postings }) =>
    postings.map(({ account, amount }) => [account.name, account.asset, Number(amount)]),
  )
  expect(amounts).toContainEqual(['network_costs', 'ethereum:USDT', -20_000])
  expect(amounts).toContainEqual(['partner:yellowcard', 'USD', -9_980_000])
  await sweeping.db.query('update outflows set intent_id = null where id = $1', [id])
  await sweeping.db.query('update outflows set intent_id = $2 where id = $1', [payout.id, intent.id])
})

test('the operator sees it', async () => {
  const metrics = createMetrics('worker')
  createIntentMetrics(metrics, sweeping.worker, [])
  const [kept] = await sweeping.db.query<{ n: number }>(
    "select count(*)::int as n from intents where token_kept <> '[]'",
  )
  expect(kept?.n).toBeGreaterThan(1)
  expect(await metrics.exposition()).toMatch(
    new RegExp(`cowry_token_fee_kept_transactions\\{chain="ethereum"[^}]*\\} ${kept?.n}\\n`),
  )
})
