import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { type Address, encodeFunctionData, parseAbi } from 'viem'
import { addressOf, keyOf } from '../../test/support/evmIntents.ts'
import { startPaying } from '../../test/support/paying.ts'
import { type Sweeping, startSweeping } from '../../test/support/sweeping.ts'
import { evmBalanceReader } from '../chains/evm/balanceReader.ts'
import { createMetrics } from '../platform/metrics.ts'
import { checkChain } from '../reconciliation/checkChain.ts'
import { createIntentMetrics } from '../txmgr/intentMetrics.ts'
import { readIntents } from '../txmgr/intents.ts'
import { hasLeft } from './outflowEntries.ts'
import { readOutflowIntents } from './outflowIntent.ts'
import { readRefundViews } from './refundView.ts'

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

async function expectNoDrift(): Promise<void> {
  const head = Number(await sweeping.node.call('eth_blockNumber'))
  await sweeping.db.query("update chain_cursors set height = $1, updated_at = now() where chain = 'ethereum'", [head])
  const balances = evmBalanceReader(sweeping.node.ctx)
  const check = { db: sweeping.worker, chain: sweeping.chain, balances, pauseMs: 1, signal: new AbortController().signal }
  expect((await checkChain(check, sweeping.treasuryAddress)).drift).toEqual([])
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
  expect(sweep).toMatchObject({ status: 'confirmed', tokenKept: [{ address: sweeping.treasuryAddress, amount: 40_000n }] })
  expect([await sweeping.tokens(usdt(), address), await sweeping.tokens(usdt(), sweeping.treasuryAddress)]).toEqual([0n, 39_960_000n])
  const accounts = ['deposits:ethereum', 'treasury:ethereum', 'network_costs'] as const
  expect(await Promise.all(accounts.map((each) => sweeping.books(each, 'USDT')))).toEqual([0n, 39_960_000n, 40_000n])
  await expectNoDrift()
})

test('a payout and a refund: the books have what left, and their views what arrived', async () => {
  const before = await sweeping.books('network_costs', 'USDT')
  await paying.owe('USDT', 30n * million)
  const kinds = ['payout', 'refund'] as const
  const made = []
  for (const kind of kinds) made.push(await paying.payout({ kind, token: 'USDT', amount: 10n * million, address: addressOf(keyOf(wallets++)) }))
  await signedBeforeFee('payout')
  const done = await paying.run(made.map(({ id }) => id))
  expect(done.map(({ status }) => status)).toEqual(['completed', 'completed'])
  const shown = await readOutflowIntents(sweeping.db, done)
  const fees = [...shown.values()].map(({ arrived }) => arrived?.tokenFee)
  expect(fees.sort()).toContain('0.01')
  for (const { id, wallet } of done) {
    const { arrived } = shown.get(id) ?? {}
    expect(await sweeping.tokens(usdt(), wallet?.address ?? '')).toBe(BigInt(Math.round(Number(arrived?.amountReceived) * 1e6)))
  }
  const [refund] = await readRefundViews(sweeping.db, 'id = $1 and business_id = $2', [made[1]?.id, sweeping.businessId])
  expect(refund).toMatchObject({ status: 'completed', amount: '10', ...shown.get(made[1]?.id ?? '')?.arrived })
  expect(await sweeping.books('network_costs', 'USDT')).toBe(before)
  await expectNoDrift()
})

test('a top-up: the partner has what arrived', async () => {
  const [intent] = await readIntents(sweeping.db, "purpose = 'payout' and token_kept <> '[]'", [])
  const [payout] = await sweeping.db.query<{ id: string }>('select id from outflows where intent_id = $1', [intent?.id])
  const bank = { partner: 'yellowcard', networkId: 'account', currency: 'USD', price: null }
  const outflow = { ...(await paying.read(payout?.id ?? '')), kind: 'top_up' as const, businessId: null, bank }
  const [entry] = await sweeping.db.tx((tx) => hasLeft(tx, outflow))
  expect(entry?.postings.map(({ account, amount }) => [account.name, account.asset, amount])).toEqual([
    ['exchange', 'ethereum:USDT', 9_990_000n],
    ['network_costs', 'ethereum:USDT', 10_000n],
    ['treasury:ethereum', 'ethereum:USDT', -10_000_000n],
    ['partner:yellowcard', 'USD', 9_990_000n],
    ['exchange', 'USD', -9_990_000n],
  ])
})

test('the operator sees it', async () => {
  const metrics = createMetrics('worker')
  createIntentMetrics(metrics, sweeping.worker, [])
  const [kept] = await sweeping.db.query<{ n: number }>("select count(*)::int as n from intents where token_kept <> '[]'")
  expect(kept?.n).toBeGreaterThan(1)
  expect(await metrics.exposition()).toMatch(new RegExp(`cowry_token_fee_kept_transactions\\{chain="ethereum"[^}]*\\} ${kept?.n}\\n`))
})
