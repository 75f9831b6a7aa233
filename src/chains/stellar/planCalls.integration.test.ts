import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { Account, Asset, Keypair, MuxedAccount, Operation, type xdr } from '@stellar/stellar-sdk'
import { one, openStellarSending, type StellarSending } from '../../../test/support/stellarSending.ts'
import { Secret } from '../../platform/secrets.ts'
import type { Call, CallsSpec, Flow } from '../action.ts'
import { ActionRefusedError } from '../sending.ts'

let stellar: StellarSending
let treasury: Keypair
/** Holds 100 USDC. */
let owner: Keypair
let usdc: Asset
beforeAll(async () => {
  stellar = await openStellarSending()
  treasury = await stellar.holder(stellar.usdc)
  owner = await stellar.holder({ ...stellar.usdc, amount: '100' })
  usdc = stellar.assetOf(stellar.usdc.contract)
})
afterAll(() => stellar?.close())

/** Each operation with the account whose it is. */
type Owned = readonly [by: Keypair, operation: xdr.Operation]
const callOf = ([by, operation]: Owned): Call => ({
  to: by.publicKey(),
  data: operation.toXdr('base64'),
  value: 0n,
  accounts: [],
})
const actionOf = (
  operations: readonly Owned[],
  cosigners: readonly Keypair[] = [],
  spends: readonly Flow[] = [],
): CallsSpec => ({
  kind: 'calls',
  from: treasury.publicKey(),
  calls: operations.map(callOf),
  cosigners: cosigners.map((each) => each.publicKey()),
  spends,
  receives: [],
  gasPrice: null,
  gasLimit: null,
})
const flow = (of: Keypair, amount: bigint, token: Flow['token'] = null): Flow => ({
  address: of.publicKey(),
  token,
  amount,
})
const pay = (from: Keypair, to: string, amount: string, asset = Asset.native()): Owned => [
  from,
  Operation.payment({
    destination: to,
    asset,
    amount,
    ...(from === treasury ? {} : { source: from.publicKey() }),
  }),
]

async function refusal(action: CallsSpec): Promise<Partial<ActionRefusedError>> {
  const error: unknown = await stellar.sender.plan(action).catch((thrown: unknown) => thrown)
  if (!(error instanceof ActionRefusedError)) throw new Error('it was not refused')
  return { reason: error.reason, message: error.message }
}

/** Plans, signs and broadcasts it, and closes the ledger. */
async function carryOut(action: CallsSpec, ...signers: Keypair[]) {
  const plan = await stellar.sender.plan(action)
  const sequence = (await stellar.sender.nextNonce?.(action.from)) ?? 0n
  const keys = signers.map((each) => new Secret(each.secret()))
  const signed = stellar.builder.sign(action, plan.terms, sequence, keys)
  const answer = await stellar.broadcast(signed)
  await stellar.mine()
  const sent = { txId: signed.txId, nonce: sequence, expiry: signed.expiry }
  return { plan, answer, signed, outcome: await stellar.sender.outcome(action.from, [sent]) }
}

describe('a batch', () => {
  test('with a second signer moves its tokens in one transaction, at the cost of the sender', async () => {
    const [before, lumens] = [
      await stellar.balances(treasury.publicKey()),
      await stellar.balances(owner.publicKey()),
    ]
    const operations = [pay(owner, treasury.publicKey(), '40', usdc), pay(treasury, owner.publicKey(), '2')]
    const action = actionOf(
      operations,
      [owner],
      [flow(owner, 40n * one, stellar.usdc), flow(treasury, 2n * one)],
    )
    const { plan, answer, outcome } = await carryOut(action, treasury, owner)
    expect(plan).toMatchObject({
      fee: { expected: 200n, max: 200n },
      otherCosts: 0n,
      shortages: [],
      terms: { fee: '200', minTime: 0 },
    })
    expect(answer).toEqual({ status: 'accepted', message: null })
    expect(outcome).toMatchObject({ status: 'included', succeeded: true, fee: 200n, standing: 'final' })
    expect(await stellar.balances(owner.publicKey())).toEqual({
      native: (Number(lumens.native) + 2).toFixed(7),
      [stellar.usdc.contract]: '60.0000000',
    })
    expect((await stellar.balances(treasury.publicKey())).native).toBe(
      (Number(before.native) - 2.00002).toFixed(7),
    )
  })

  test('opens an account that has no lumens: the sender sponsors its reserves', async () => {
    const opened = Keypair.random()
    const account = opened.publicKey()
    const action = actionOf(
      [
        [treasury, Operation.beginSponsoringFutureReserves({ sponsoredId: account })],
        [treasury, Operation.createAccount({ destination: account, startingBalance: '0' })],
        [opened, Operation.changeTrust({ asset: usdc, source: account })],
        [opened, Operation.endSponsoringFutureReserves({ source: account })],
      ],
      [opened],
    )
    const { outcome, plan } = await carryOut(action, treasury, opened)
    expect([outcome.status, plan.fee.max]).toEqual(['included', 400n])
    expect(await stellar.balances(account)).toEqual({
      native: '0.0000000',
      [stellar.usdc.contract]: '0.0000000',
    })
  })

  test('of which one operation fails has no effect, and its outcome names that operation’s reason', async () => {
    const without = await stellar.holder()
    const before = await stellar.balances(without.publicKey())
    const { outcome } = await carryOut(
      actionOf([pay(treasury, without.publicKey(), '1'), pay(treasury, without.publicKey(), '1', usdc)]),
      treasury,
    )
    expect(outcome).toMatchObject({ status: 'included', succeeded: false, reason: 'op_no_trust', fee: 200n })
    expect(await stellar.balances(without.publicKey())).toEqual(before)
  })
})

describe('a plan is refused', () => {
  test('if it cannot be built', async () => {
    const foreign = actionOf([pay(owner, treasury.publicKey(), '1')])
    expect(await refusal(foreign)).toMatchObject({ reason: 'unsupported_action' })
  })

  test('if an account that signs does not exist, unless an earlier operation opens it', async () => {
    const missing = Keypair.random()
    const trusts: Owned = [missing, Operation.changeTrust({ asset: usdc, source: missing.publicKey() })]
    const opens: Owned = [
      treasury,
      Operation.createAccount({ destination: missing.publicKey(), startingBalance: '5' }),
    ]
    expect(await refusal(actionOf([trusts], [missing]))).toMatchObject({ reason: 'sender_not_found' })
    expect(await refusal(actionOf([trusts, opens], [missing]))).toMatchObject({ reason: 'sender_not_found' })
    expect(await stellar.sender.plan(actionOf([opens, trusts], [missing]))).toMatchObject({ shortages: [] })
  })

  test('if a recipient does not exist, burns the token, or needs a memo', async () => {
    const missing = Keypair.random().publicKey()
    expect(await refusal(actionOf([pay(treasury, missing, '1')]))).toMatchObject({
      reason: 'recipient_not_found',
    })
    expect(await refusal(actionOf([pay(treasury, usdc.getIssuer() ?? '', '1', usdc)]))).toMatchObject({
      reason: 'recipient_is_token',
    })
    const shop = await stellar.holder()
    await stellar.does(shop, Operation.manageData({ name: 'config.memo_required', value: '1' }))
    const muxed = new MuxedAccount(new Account(shop.publicKey(), '0'), '5').accountId()
    const onPath = Operation.pathPaymentStrictSend({
      sendAsset: usdc,
      sendAmount: '1',
      destination: shop.publicKey(),
      destAsset: Asset.native(),
      destMin: '1',
    })
    for (const each of [pay(treasury, shop.publicKey(), '1'), [treasury, onPath] as const]) {
      expect(await refusal(actionOf([each]))).toMatchObject({ reason: 'memo_required' })
    }
    expect(await stellar.sender.plan(actionOf([pay(treasury, muxed, '1')]))).toMatchObject({ shortages: [] })
  })

  test('if a signer’s own key alone may not sign', async () => {
    const shared = await stellar.holder()
    await stellar.does(
      shared,
      Operation.setOptions({ medThreshold: 2, signer: { ed25519PublicKey: owner.publicKey(), weight: 2 } }),
    )
    const action = actionOf([pay(shared, treasury.publicKey(), '1')], [shared])
    expect(await refusal(action)).toMatchObject({
      reason: 'simulation_failed',
      message: expect.stringContaining('own key'),
    })
    expect(await refusal({ ...action, from: shared.publicKey(), cosigners: [] })).toMatchObject({
      reason: 'simulation_failed',
    })
  })
})

test('a plan has the shortages of each owner, for all spends together, and of the fee', async () => {
  const poor = Keypair.random()
  const operations = [pay(treasury, owner.publicKey(), '1'), pay(owner, treasury.publicKey(), '1', usdc)]
  const spends = [
    flow(owner, 60n * one, stellar.usdc),
    flow(owner, one, stellar.usdc),
    flow(treasury, 10n ** 12n),
  ]
  const { shortages } = await stellar.sender.plan(actionOf(operations, [owner], spends))
  expect(shortages).toEqual([
    { kind: 'token', symbol: 'USDC', decimals: 7, required: 61n * one, available: expect.any(BigInt) },
    {
      kind: 'native',
      symbol: 'XLM',
      decimals: 7,
      required: 10n ** 12n + 200n,
      available: expect.any(BigInt),
    },
  ])
  const missing = { ...actionOf([pay(poor, owner.publicKey(), '1')]), from: poor.publicKey() }
  expect((await stellar.sender.plan(missing)).shortages).toEqual([
    { kind: 'native', symbol: 'XLM', decimals: 7, required: 100n, available: 0n },
  ])
})
