import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import {
  Account,
  Asset,
  AuthRequiredFlag,
  AuthRevocableFlag,
  Keypair,
  MuxedAccount,
  Operation,
} from '@stellar/stellar-sdk'
import { one, openStellarSending, type StellarSending } from '../../../test/support/stellarSending.ts'
import { formatUnits } from '../../money/amount.ts'
import type { TransferSpec } from '../action.ts'
import { knownChain } from '../registry.ts'
import { ActionRefusedError, RecipientNotReadyError } from '../sending.ts'
import { planTransfer } from './planTransfer.ts'
import { encodeStrKey } from './strkey.ts'
import type { TransferFacts } from './transferFacts.ts'

let stellar: StellarSending
let payer: Keypair
let payee: Keypair
let issuer: Keypair
let strict: { contract: string; symbol: string; decimals: number }

beforeAll(async () => {
  stellar = await openStellarSending()
  payer = await stellar.holder({ ...stellar.usdc, amount: '100' })
  payee = await stellar.holder(stellar.usdc)
  // A token whose issuer must authorize each trustline.
  issuer = await stellar.holder()
  await stellar.does(issuer, Operation.setOptions({ setFlags: (AuthRequiredFlag | AuthRevocableFlag) as 1 }))
  strict = { contract: `STRICT:${issuer.publicKey()}`, symbol: 'STRICT', decimals: 7 }
})
afterAll(() => stellar?.close())

const muxed = (account: string) => new MuxedAccount(new Account(account, '0'), '5').accountId()
const plan = (transfer: TransferSpec) => stellar.sender.plan(transfer)
async function refusal(transfer: TransferSpec): Promise<Partial<ActionRefusedError>> {
  try {
    await plan(transfer)
  } catch (error) {
    if (!(error instanceof ActionRefusedError)) throw error
    return { reason: error.reason, field: error.field, message: error.message }
  }
  throw new Error('it was not refused')
}
const usdc = (amount: bigint, to: string, memo: TransferSpec['memo'] = null) =>
  stellar.intentOf(payer, to, amount, { token: stellar.usdc, memo })
const lumens = (amount: bigint, to: string, memo: TransferSpec['memo'] = null) =>
  stellar.intentOf(payer, to, amount, { memo })
const allow = (trustor: Keypair, authorized: boolean) =>
  stellar.does(
    issuer,
    Operation.setTrustLineFlags({
      trustor: trustor.publicKey(),
      asset: stellar.assetOf(strict.contract),
      flags: { authorized },
    }),
  )

describe('a plan', () => {
  test('has five minutes of the network’s own time, the recent fee, and no other costs', async () => {
    const { height } = await stellar.mine()
    const { closed_at: closed } = (await stellar.network.horizon
      .ledgers()
      .ledger(height)
      .call()) as unknown as { closed_at: string }
    const maxTime = Date.parse(closed) / 1000 + 300
    const fee = { expected: 100n, max: 100n }
    const common = { fee, otherCosts: 0n, shortages: [] }
    expect(await plan(usdc(one, payee.publicKey()))).toEqual({
      ...common,
      terms: { fee: '100', minTime: 0, maxTime, creates: false },
    })
    expect(await plan(lumens(one, Keypair.random().publicKey()))).toMatchObject({
      ...common,
      terms: { creates: true },
    })
  })
})

describe('a transfer is refused', () => {
  test('to an account that does not exist and that it cannot open', async () => {
    const newAccount = Keypair.random().publicKey()
    const field = 'toAddress'
    expect(await refusal(usdc(one, newAccount))).toMatchObject({ reason: 'recipient_not_found', field })
    expect(await refusal(lumens(10n * one, muxed(newAccount)))).toMatchObject({
      reason: 'recipient_not_found',
      field,
    })
    expect(await refusal(lumens(one - 1n, newAccount))).toMatchObject({
      reason: 'below_minimum_balance',
      field: 'amount',
      message: expect.stringContaining('at least 1 '),
    })
    expect(await refusal(lumens(one, encodeStrKey('contract', new Uint8Array(32))))).toMatchObject({
      reason: 'recipient_not_found',
      field,
    })
  })

  test('to a recipient that cannot hold the token', async () => {
    const [without, little] = [await stellar.holder(), await stellar.holder()]
    await stellar.does(
      little,
      Operation.changeTrust({ asset: stellar.assetOf(stellar.usdc.contract), limit: '2' }),
    )
    const common = { reason: 'recipient_without_trustline', field: 'toAddress' }
    expect(await refusal(usdc(one, without.publicKey()))).toMatchObject({
      ...common,
      message: expect.stringContaining('no trustline'),
    })
    expect(await refusal(usdc(2n * one + 1n, little.publicKey()))).toMatchObject({
      ...common,
      message: expect.stringContaining('limit'),
    })
    expect((await plan(usdc(2n * one, little.publicKey()))).shortages).toEqual([])
  })

  test('unless it becomes a claimable balance, whose reserves its sender must have; one that waits is refused apart', async () => {
    const [without, until] = [await stellar.holder(), new Date(Date.now() + 60_000)]
    const baseReserve = one / 2n
    const claimable = (transfer: TransferSpec): TransferSpec => ({
      ...transfer,
      ifNoTrustline: { kind: 'claimable' },
    })
    for (const to of [without.publicKey(), Keypair.random().publicKey()])
      expect(await plan(claimable(usdc(one, to)))).toMatchObject({
        terms: { claimable: true, creates: false },
        otherCosts: one,
        shortages: [],
      })
    expect((await plan(claimable(usdc(one, payee.publicKey())))).terms).not.toHaveProperty('claimable')
    expect(await refusal(claimable(usdc(one, muxed(without.publicKey()))))).toMatchObject({
      reason: 'recipient_without_trustline',
    })
    // The reserve of two claimants, to the last stroop: the account keeps two reserves, and one for its
    // trustline.
    const poor = await stellar.holder({ ...stellar.usdc, amount: '5' })
    const transfer = claimable(stellar.intentOf(poor, without.publicKey(), one, { token: stellar.usdc }))
    const free = async () =>
      BigInt((await stellar.balances(poor.publicKey())).native?.replace('.', '') ?? 0) - 3n * baseReserve
    const keep = 2n * baseReserve + 100n
    const leaves = (await free()) - keep - 100n
    await stellar.does(
      poor,
      Operation.payment({
        destination: payee.publicKey(),
        asset: Asset.native(),
        amount: formatUnits(leaves, 7),
      }),
    )
    expect([await free(), (await plan(transfer)).shortages]).toEqual([keep, []])
    const { signed } = await stellar.prepared(poor, transfer)
    expect(await refusal({ ...transfer, ifNoTrustline: { kind: 'wait', until } })).toMatchObject({
      reason: 'recipient_without_trustline',
    })
    await expect(plan({ ...transfer, ifNoTrustline: { kind: 'wait', until } })).rejects.toBeInstanceOf(
      RecipientNotReadyError,
    )
    expect((await stellar.broadcast(signed)).status).toBe('accepted')
    await stellar.mine()
    // The reserves are kept until it is claimed: another one lacks them.
    expect((await plan(transfer)).shortages).toEqual([
      { kind: 'native', symbol: 'XLM', decimals: 7, required: keep, available: 0n },
    ])
  })

  test('to the token’s issuer, which would burn it', async () => {
    const [, by = ''] = stellar.usdc.contract.split(':')
    for (const to of [by, muxed(by)])
      expect(await refusal(usdc(one, to))).toMatchObject({ reason: 'recipient_is_token', field: 'toAddress' })
    expect((await plan(lumens(one, by))).shortages).toEqual([])
  })

  test('to an account that can have no key, also by a muxed address of it', async () => {
    const account = encodeStrKey('account', new Uint8Array(32))
    for (const to of [account, muxed(account)])
      for (const transfer of [usdc(one, to), lumens(2n * one, to)])
        expect(await refusal(transfer)).toMatchObject({ reason: 'recipient_without_key', field: 'toAddress' })
  })

  test('without a memo if the recipient requires one', async () => {
    const shop = await stellar.holder(stellar.usdc)
    await stellar.does(shop, Operation.manageData({ name: 'config.memo_required', value: '1' }))
    const to = shop.publicKey()
    for (const transfer of [usdc(one, to), lumens(one, to)])
      expect(await refusal(transfer)).toMatchObject({ reason: 'memo_required', field: 'memo' })
    for (const transfer of [usdc(one, to, { type: 'id', value: '7' }), lumens(one, muxed(to))])
      expect((await plan(transfer)).shortages).toEqual([])
    await stellar.does(shop, Operation.manageData({ name: 'config.memo_required', value: '0' }))
    expect((await plan(usdc(one, to))).shortages).toEqual([])
  })

  test('if the issuer has not authorized both sides', async () => {
    const [from, to] = [await stellar.holder(strict), await stellar.holder(strict)]
    const transfer = stellar.intentOf(from, to.publicKey(), one, { token: strict })
    const common = { message: expect.stringContaining('issuer') }
    expect(await refusal(transfer)).toMatchObject({
      ...common,
      reason: 'recipient_without_trustline',
      field: 'toAddress',
    })
    await allow(to, true)
    expect(await refusal(transfer)).toMatchObject({ ...common, reason: 'simulation_failed', field: null })
    await allow(from, true)
    expect(await plan(transfer)).toMatchObject({ shortages: [{ kind: 'token', available: 0n }] })
  })

  test('if the sender’s key alone may not sign', async () => {
    const shared = await stellar.holder()
    const transfer = stellar.intentOf(shared, payee.publicKey(), one)
    await stellar.does(
      shared,
      Operation.setOptions({ medThreshold: 2, signer: { ed25519PublicKey: payer.publicKey(), weight: 2 } }),
    )
    expect(await refusal(transfer)).toMatchObject({
      reason: 'simulation_failed',
      message: expect.stringContaining('own key alone'),
    })
    const given = await stellar.holder()
    await stellar.does(
      given,
      Operation.setOptions({ masterWeight: 0, signer: { ed25519PublicKey: payer.publicKey(), weight: 1 } }),
    )
    expect(await refusal({ ...transfer, from: given.publicKey() })).toMatchObject({
      reason: 'simulation_failed',
    })
  })
})

describe('the shortage', () => {
  const fee = 100n
  const xlm = { kind: 'native', symbol: 'XLM', decimals: 7 }
  const token = { kind: 'token', symbol: 'USDC', decimals: 7 }

  /** The spendable balance, fee included. */
  async function available(key: Keypair): Promise<bigint> {
    const [lack] = (await plan(stellar.intentOf(key, payee.publicKey(), 2n ** 62n))).shortages
    return lack?.available ?? -1n
  }

  test('is the whole amount if the account or its token does not exist', async () => {
    const newAccount = Keypair.random()
    const to = payee.publicKey()
    expect((await plan(stellar.intentOf(newAccount, to, one))).shortages).toEqual([
      { ...xlm, required: one + fee, available: 0n },
    ])
    expect((await plan(stellar.intentOf(newAccount, to, one, { token: stellar.usdc }))).shortages).toEqual([
      { ...token, required: one, available: 0n },
      { ...xlm, required: fee, available: 0n },
    ])
    expect(
      (await plan(stellar.intentOf(await stellar.holder(), to, one, { token: stellar.usdc }))).shortages,
    ).toEqual([{ ...token, required: one, available: 0n }])
  })

  test('is the token amount above the balance, to the last unit', async () => {
    expect((await plan(usdc(100n * one, payee.publicKey()))).shortages).toEqual([])
    expect((await plan(usdc(100n * one + 1n, payee.publicKey()))).shortages).toEqual([
      { ...token, required: 100n * one + 1n, available: 100n * one },
    ])
  })

  test('includes amounts in offers, and the reserve of everything that the account holds and sponsors', async () => {
    const [seller, sponsored] = [await stellar.holder({ ...stellar.usdc, amount: '10' }), Keypair.random()]
    const [usd, usdt] = [stellar.assetOf(stellar.usdc.contract), stellar.assetOf(stellar.usdt.contract)]
    await stellar.does(
      seller,
      Operation.changeTrust({ asset: usdt }),
      Operation.manageSellOffer({ selling: usd, buying: usdt, amount: '4', price: '1' }),
      Operation.manageSellOffer({ selling: Asset.native(), buying: usdt, amount: '3', price: '9' }),
      Operation.manageData({ name: 'a', value: 'b' }),
    )
    const account = await stellar.network.horizon.loadAccount(seller.publicKey())
    const line = account.balances.find((each) => each.asset_type === 'native')
    // Two trustlines, two offers and a data entry; offers reserve three lumens.
    expect(account.subentry_count).toBe(5)
    const free = BigInt((line?.balance ?? '0').replace('.', '')) - 7n * 5_000_000n - 3n * one
    const to = payee.publicKey()
    expect((await plan(stellar.intentOf(seller, to, free - fee))).shortages).toEqual([])
    expect((await plan(stellar.intentOf(seller, to, free))).shortages).toEqual([
      { ...xlm, required: free + fee, available: free },
    ])
    expect((await plan(stellar.intentOf(seller, to, 6n * one, { token: stellar.usdc }))).shortages).toEqual(
      [],
    )
    const tooMuch = 6n * one + 1n
    expect((await plan(stellar.intentOf(seller, to, tooMuch, { token: stellar.usdc }))).shortages).toEqual([
      { ...token, required: tooMuch, available: 6n * one },
    ])
    // A sponsor keeps both reserves of the account, and the account has zero.
    const before = await available(seller)
    const begin = [
      Operation.beginSponsoringFutureReserves({ sponsoredId: sponsored.publicKey() }),
      Operation.createAccount({ destination: sponsored.publicKey(), startingBalance: '1' }),
    ]
    await stellar.together(
      seller,
      [sponsored],
      ...begin,
      Operation.endSponsoringFutureReserves({ source: sponsored.publicKey() }),
    )
    expect(before - (await available(seller))).toBe(one + one + 300n)
    expect(await available(sponsored)).toBe(one)
  })

  test('never includes the token if the sender issues it', async () => {
    const to = await stellar.holder(strict)
    await allow(to, true)
    expect(
      (await plan(stellar.intentOf(issuer, to.publicKey(), 1000n * one, { token: strict }))).shortages,
    ).toEqual([])
  })
})

describe('the bid', () => {
  const native = knownChain('stellar')?.native ?? { symbol: 'XLM', decimals: 7 }
  const account = {
    sequence: 1n,
    balance: 100n * one,
    selling: 0n,
    reserves: 2,
    masterWeight: 1,
    mediumThreshold: 0,
  }
  const facts: TransferFacts = {
    closeTime: 1000,
    baseReserve: 5_000_000n,
    sender: account,
    recipient: account,
    senderLine: null,
    recipientLine: null,
    memoRequired: false,
    fees: { usual: 100n, high: 100n },
  }
  test.each([
    [
      { usual: 0n, high: 0n },
      { expected: 100n, max: 100n },
    ],
    [
      { usual: 250n, high: 40_000n },
      { expected: 250n, max: 40_000n },
    ],
    [
      { usual: 2_000_000n, high: 9_000_000n },
      { expected: 1_000_000n, max: 1_000_000n },
    ],
  ])('follows the recent fees %o between the minimum and a tenth of a lumen', (fees, fee) => {
    const [from, to] = [Keypair.random().publicKey(), Keypair.random().publicKey()]
    const transfer: TransferSpec = {
      kind: 'transfer',
      from,
      to,
      token: null,
      amount: one,
      memo: null,
      gasPrice: null,
      gasLimit: null,
    }
    expect(planTransfer({ native }, transfer, { ...facts, fees })).toMatchObject({
      fee,
      terms: { fee: fee.max.toString() },
    })
  })
})
