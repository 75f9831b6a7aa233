import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals'
import { provers } from '../../test/support/intentKeys.ts'
import { refusing, startWalletTransfers, type WalletTransfers } from '../../test/support/walletTransfers.ts'
import type { Call, CallsSpec } from '../chains/action.ts'
import { insertRequest, readAttempts } from './attempts.ts'
import { claimExactly } from './claimNonce.ts'
import { fillGap } from './fillGap.ts'
import { insertIntent, readIntents } from './intents.ts'
import { noopOf } from './noop.ts'
import { reconcileIntent } from './reconcile.ts'
import type { Check } from './signingPolicy.ts'

/** A nonce that no transaction has, below transactions that wait. */

let wallets: WalletTransfers

beforeAll(async () => {
  wallets = await startWalletTransfers()
})
beforeEach(() => wallets.reset())
afterAll(() => wallets?.close())

type Transfer = Awaited<ReturnType<WalletTransfers['asked']>>

const intentsOf = (one: Transfer) =>
  readIntents(wallets.db, 'from_address = $1 order by created_at, id', [one.wallet.address])
const noopsOf = async (one: Transfer) =>
  (await intentsOf(one)).filter(({ purpose }) => purpose !== 'transfer')

/** Worker and treasury do all that is due for an address, some times over. */
async function workOn(one: Transfer, rounds = 1): Promise<void> {
  for (let i = 0; i < rounds; i++) {
    await wallets.db.query(
      "update intents set next_reconcile_at = now() - interval '1 s' where from_address = $1 and next_reconcile_at is not null",
      [one.wallet.address],
    )
    for (const { id } of await intentsOf(one)) await reconcileIntent(wallets.ctx, id)
    await one.treasury()
  }
}

/**
 * Transfers of one wallet, all signed; the network refuses the first `refused` of them at their first send,
 * and has the others.
 */
async function waiting(count: number, refused = 1): Promise<Transfer[]> {
  const first = await wallets.asked()
  const all = [first]
  while (all.length < count) all.push(await wallets.asked(5n, first.wallet))
  for (const each of all) await each.reconcile()
  await first.treasury()
  wallets.hooks.change = refusing('insufficient funds for gas * price + value').change
  for (const each of all.slice(0, refused)) await each.reconcile()
  wallets.reset()
  for (const each of all.slice(refused)) await each.reconcile()
  for (const [i, each] of all.entries())
    expect(await each.row()).toMatchObject(
      i < refused ? { status: 'failed', reason: 'refused' } : { status: 'broadcast' },
    )
  return all
}

test('three wait and the first is refused: the other two are mined, with no further transfer', async () => {
  const [first, ...others] = await waiting(3)
  if (!first) throw new Error('no transfer')
  for (let i = 0; i < 6; i++) {
    await workOn(first)
    await wallets.node.mine()
  }
  await wallets.node.mine(3)
  await workOn(first)
  for (const each of others) expect(await each.row()).toMatchObject({ status: 'confirmed', settled: true })
  expect(await first.count()).toBe(3n)
  expect(await noopsOf(first)).toHaveLength(1)
})

test('several missing nonces are filled one after the other', async () => {
  const [first, , third] = await waiting(3, 2)
  if (!first || !third) throw new Error('no transfer')
  for (let i = 0; i < 10; i++) {
    await workOn(first)
    await wallets.node.mine()
  }
  expect(await third.row()).toMatchObject({ status: 'confirmed' })
  expect((await noopsOf(first)).map(({ status, fee }) => [status, (fee ?? 0n) > 0n])).toEqual([
    ['confirmed', true],
    ['confirmed', true],
  ])
  expect(await first.count()).toBe(3n)
})

test('two workers that see the gap at once fill it once', async () => {
  const [first, second] = await waiting(2)
  if (!first || !second) throw new Error('no transfer')
  const row = await second.row()
  if (!row) throw new Error('no row')
  const sending = await wallets.ctx.sendingChain('bsc')
  await Promise.all([1, 2, 3].map(() => fillGap(wallets.ctx, sending, row, 0n)))
  expect(await noopsOf(first)).toHaveLength(1)
  // Nor when the no-op fails: the next one waits.
  await wallets.db.query('delete from intent_nonces where intent_id = $1', [(await noopsOf(first))[0]?.id])
  await fillGap(wallets.ctx, sending, row, 0n)
  expect(await noopsOf(first)).toHaveLength(1)
})

test('a transfer that takes the nonce meanwhile has it, and nothing fills it', async () => {
  const [first, second] = await waiting(2)
  if (!first || !second) throw new Error('no transfer')
  let third: Transfer | null = null
  wallets.hooks.inNonce = async () => {
    if (third) return
    third = await wallets.asked(5n, first.wallet)
    await third.reconcile()
  }
  await second.reconcile()
  wallets.reset()
  expect((await (third as unknown as Transfer).transactions()).map(({ nonce }) => nonce)).toEqual([0n])
  expect(await noopsOf(first)).toEqual([])
  for (let i = 0; i < 4; i++) {
    await workOn(first)
    await wallets.node.mine()
  }
  expect(await second.row()).toMatchObject({ status: 'confirmed' })
})

test('a no-op that was not signed in time keeps its nonce; where a transfer has it then, the no-op ends', async () => {
  const [first, second] = await waiting(2)
  if (!first || !second) throw new Error('no transfer')
  await second.reconcile()
  const late = "update intent_attempts set created_at = now() - interval '1 hour' where intent_id = $1"
  const noop = async () => (await noopsOf(first))[0]
  const reconcile = async () => {
    const id = (await noop())?.id ?? ''
    await wallets.db.query("update intents set next_reconcile_at = now() - interval '1 s' where id = $1", [
      id,
    ])
    await reconcileIntent(wallets.ctx, id)
    return readAttempts(wallets.db, id)
  }
  await wallets.db.query(late, [(await noop())?.id])
  await reconcile()
  expect((await reconcile()).map(({ nonce, isVoid }) => [nonce, isVoid])).toEqual([
    [0n, true],
    [0n, false],
  ])
  await wallets.db.query(late, [(await noop())?.id])
  await reconcile()
  const third = await wallets.asked(5n, first.wallet)
  await third.reconcile()
  await reconcile()
  expect(await noop()).toMatchObject({ status: 'failed', reason: 'sequence_used', settled: true })
  expect((await third.transactions()).map(({ nonce }) => nonce)).toEqual([0n])
})

test('no no-op is made for a key that is not stored, nor with too little balance: the gap is counted', async () => {
  const [first, second] = await waiting(2)
  if (!first || !second) throw new Error('no transfer')
  const row = await second.row()
  if (!row) throw new Error('no row')
  const counted: string[] = []
  const ctx = { ...wallets.ctx, observe: (step: string) => void counted.push(step) }
  const sending = await wallets.ctx.sendingChain('bsc')
  await fillGap(ctx, sending, { ...row, signer: 'caller' }, 0n)
  await wallets.node.fund(first.wallet.address, 1000n)
  await fillGap(ctx, sending, row, 0n)
  expect([await noopsOf(first), counted]).toEqual([[], ['gap', 'gap']])
  await wallets.node.fund(first.wallet.address, 10n ** 18n)
  await fillGap(ctx, sending, row, 0n)
  expect([(await noopsOf(first)).length, counted.at(-1)]).toEqual([1, 'filled'])
})

describe('the treasury', () => {
  /** Stores a no-op with its request, by the worker's key, as `fillGap` does; with changes. */
  async function forged(
    of: Transfer,
    nonce: bigint,
    action: CallsSpec = noopOf(of.wallet.address),
  ): Promise<string> {
    const wanted = {
      businessId: (await of.row())?.businessId ?? '',
      purpose: 'noop',
      chain: 'bsc',
      signer: 'wallet',
      walletId: of.wallet.id,
    } as const
    return wallets.db.tx(async (tx) => {
      const row = await insertIntent(
        wallets.ctx,
        tx,
        { ...wanted, action, symbol: null, decimals: null },
        60_000,
        provers.worker,
      )
      await tx.query('delete from intent_nonces where chain = $1 and address = $2 and nonce = $3', [
        'bsc',
        action.from,
        nonce.toString(),
      ])
      await claimExactly(tx, { chain: 'bsc', address: action.from, intentId: row.id }, nonce)
      const terms = { gas: '60000', maxFeePerGas: '900000000', maxPriorityFeePerGas: '900000000', l1Fee: '0' }
      await insertRequest(tx, row, { nonce, terms }, provers.worker)
      return row.id
    })
  }
  const messageOf = async (id: string) => (await readIntents(wallets.db, 'id = $1', [id]))[0]?.message
  const isSigned = async (id: string) =>
    (await wallets.db.query('select 1 from treasury_signatures where intent_id = $1', [id])).length > 0

  const calls = (from: string, change: Partial<Call>) => ({
    ...noopOf(from),
    calls: [{ to: from, data: '0x', value: 0n, accounts: [], ...change }],
  })
  const flow = (from: string) => ({ address: from, token: null, amount: 5n })
  const forgeries: [what: string, forge: (first: Transfer) => Promise<string>, check: Check, why: RegExp][] =
    [
      [
        'that calls another address',
        (of) => forged(of, 0n, calls(of.wallet.address, { to: wallets.recipient })),
        'action',
        /not what its purpose/,
      ],
      [
        'with data',
        (of) => forged(of, 0n, calls(of.wallet.address, { data: '0x01' })),
        'action',
        /not what its purpose/,
      ],
      [
        'with value',
        (of) =>
          forged(of, 0n, { ...calls(of.wallet.address, { value: 5n }), spends: [flow(of.wallet.address)] }),
        'action',
        /not what its purpose/,
      ],
      [
        'with nothing of its own behind',
        (of) => forged(of, 2n),
        'policy',
        /no transaction that the treasury signed waits behind/,
      ],
      [
        'at the nonce of a payment that waits',
        async (of) => forged(of, 1n),
        'policy',
        /a transaction that the treasury signed has its nonce/,
      ],
    ]
  test.each(forgeries)(
    'refuses a no-op %s; with that check off it signs it',
    async (what, forge, check, why) => {
      const [first, second] = await waiting(what.includes('payment') ? 3 : 2)
      if (!first || !second) throw new Error('no transfer')
      const id = await forge(first)
      await first.treasury()
      expect([await isSigned(id), await messageOf(id)]).toEqual([false, expect.stringMatching(why)])
      const again = await forge(first)
      await first.treasury([check])
      expect(await isSigned(again)).toBe(true)
    },
  )

  test('refuses a no-op with the proof of the api, and signs one of an archived wallet', async () => {
    const [first] = await waiting(2)
    if (!first) throw new Error('no transfer')
    const id = await forged(first, 0n)
    await wallets.db.query('update intents set proof = $2 where id = $1', [
      id,
      provers.api.prove(Buffer.from('any')),
    ])
    await wallets.db.query('update wallets set archived_at = now() where id = $1', [first.wallet.id])
    await first.treasury()
    expect([await isSigned(id), await messageOf(id)]).toEqual([
      false,
      expect.stringMatching(/proof is not of the worker/),
    ])
    const genuine = await forged(first, 0n)
    await first.treasury()
    expect(await isSigned(genuine)).toBe(true)
  })
})
