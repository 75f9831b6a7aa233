import { describe, expect, test } from '@jest/globals'
import { Asset, Keypair, Operation, xdr } from '@stellar/stellar-sdk/base'
import {
  addressOf,
  claimedBalance,
  type MadeEvent,
  type MadeOperation,
  type MetaForm,
  madeEvent,
  madeTransaction,
  network,
  usdcAsset,
  usdcCode,
} from '../../../test/support/madeLedger.ts'
import { ProviderError } from '../chain.ts'
import type { RawTransaction } from './ledger.ts'
import { transfersOf } from './movements.ts'

const [payer, shop, other] = [addressOf('payer'), addressOf('shop'), addressOf('other')]
const brief = (raw: RawTransaction) =>
  transfersOf(raw, network)
    .transfers.filter(({ only }) => only !== 'out')
    .map(({ to, contract, amount }) => [to, contract, amount])
/** What it took from whom. */
const taken = (raw: RawTransaction) =>
  transfersOf(raw, network)
    .transfers.filter(({ only }) => only !== 'in')
    .map(({ from, contract, amount, to }) => [from, contract, amount, to])
const read = (operation: MadeOperation, meta: MetaForm = 'v4') => brief(madeTransaction([operation], { meta }))
const withEvents = (operation: MadeOperation, ...events: MadeEvent[]): MadeOperation => ({ ...operation, events: events.map(madeEvent) })

/** Beside `payment`, which movements.test.ts is about: whatever else brings money to an account. */

describe('the opening of an account', () => {
  const created = {
    operation: Operation.createAccount({ destination: shop, startingBalance: '2.5' }),
    result: xdr.OperationResultTr.createAccount(xdr.CreateAccountResult.createAccountSuccess()),
  }
  test('brings it what it starts with', () => {
    for (const meta of ['v4', 'none'] as const) expect(read(created, meta)).toEqual([[shop, null, 25_000_000n]])
    expect(read(withEvents(created, { to: shop, asset: 'native', amount: 25_000_000n }))).toEqual([[shop, null, 25_000_000n]])
    expect(() => read(withEvents(created, { to: shop, asset: 'native', amount: 1n }))).toThrow(ProviderError)
  })
})

describe('the closing of an account', () => {
  const merged = (balance: bigint): MadeOperation => ({
    operation: Operation.accountMerge({ destination: shop }),
    result: xdr.OperationResultTr.accountMerge(xdr.AccountMergeResult.accountMergeSuccess(balance)),
  })
  test('brings what it had, which only the result tells', () => {
    for (const meta of ['v4', 'v3', 'none'] as const) expect(read(merged(12_345n), meta)).toEqual([[shop, null, 12_345n]])
    expect(() => read(withEvents(merged(12_345n), { to: shop, asset: 'native', amount: 12_344n }))).toThrow(ProviderError)
  })

  test('that had nothing brings nothing', () => {
    expect(read(merged(0n))).toEqual([])
  })

  // Without meta the amount of zero is told on, and the database takes no transfer of nothing.
  test('that had nothing brings nothing, where only the result tells', () => {
    expect(read(merged(0n), 'none')).toEqual([])
  })
})

describe('a payment through an order book', () => {
  const path = { sendAsset: Asset.native(), destAsset: usdcAsset, destination: shop }
  const arrived = (amount: bigint) =>
    new xdr.PathPaymentStrictSendResultSuccess({
      offers: [],
      last: new xdr.SimplePaymentResult({ destination: Keypair.fromPublicKey(shop).xdrPublicKey(), asset: usdcAsset.toXdrObject(), amount }),
    })
  const sent: MadeOperation = {
    operation: Operation.pathPaymentStrictSend({ ...path, sendAmount: '9', destMin: '4' }),
    result: xdr.OperationResultTr.pathPaymentStrictSend(xdr.PathPaymentStrictSendResult.pathPaymentStrictSendSuccess(arrived(41_000_000n))),
  }
  const received: MadeOperation = {
    operation: Operation.pathPaymentStrictReceive({ ...path, sendMax: '9', destAmount: '4' }),
    result: xdr.OperationResultTr.pathPaymentStrictReceive(
      xdr.PathPaymentStrictReceiveResult.pathPaymentStrictReceiveSuccess(
        new xdr.PathPaymentStrictReceiveResultSuccess({ offers: [], last: arrived(40_000_000n).last }),
      ),
    ),
  }

  test('of a fixed amount sent brings what arrived, not the least that may', () => {
    for (const meta of ['v4', 'none'] as const) expect(read(sent, meta)).toEqual([[shop, usdcCode, 41_000_000n]])
  })

  test('of a fixed amount received brings that', () => {
    for (const meta of ['v4', 'none'] as const) expect(read(received, meta)).toEqual([[shop, usdcCode, 40_000_000n]])
  })

  test('takes from whoever pays what was sent, and from others what they sold', () => {
    for (const meta of ['v4', 'none'] as const) {
      expect(taken(madeTransaction([sent], { meta }))).toEqual([[payer, null, 90_000_000n, shop]])
      // Nobody traded: it is one asset all the way.
      expect(taken(madeTransaction([received], { meta }))).toEqual([[payer, null, 40_000_000n, shop]])
    }
    const events: MadeEvent[] = [
      { to: other, asset: 'native', amount: 90_000_000n },
      { from: other, to: shop, amount: 41_000_000n },
    ]
    expect(taken(madeTransaction([withEvents(sent, ...events)]))).toEqual([
      [payer, null, 90_000_000n, shop],
      [other, usdcCode, 41_000_000n, shop],
    ])
  })

  test('brings others what they sold on the way, by the events', () => {
    const events: MadeEvent[] = [
      { to: other, asset: 'native', amount: 90_000_000n },
      { from: other, to: shop, amount: 41_000_000n },
    ]
    expect(read(withEvents(sent, ...events))).toEqual([
      [other, null, 90_000_000n],
      [shop, usdcCode, 41_000_000n],
    ])
  })

  test('may bring more to the one whom it pays, who traded on the way, and never less', () => {
    expect(read(withEvents(sent, { to: shop, amount: 41_000_000n }, { to: shop, amount: 5n }))).toEqual([[shop, usdcCode, 41_000_005n]])
    expect(() => read(withEvents(sent, { to: shop, amount: 40_999_999n }))).toThrow(ProviderError)
  })
})

describe('a claim', () => {
  const balanceId = `00000000${'ab'.repeat(32)}`
  const claim = (asset: Asset, amount: bigint): MadeOperation => ({
    operation: Operation.claimClaimableBalance({ balanceId, source: shop }),
    result: xdr.OperationResultTr.claimClaimableBalance(xdr.ClaimClaimableBalanceResult.claimClaimableBalanceSuccess()),
    changes: claimedBalance('a', asset, amount),
  })
  // The form `operations` is older than claimable balances.
  test.each<MetaForm>(['v4', 'v3', 'v2', 'v1'])('brings the whole balance that it took out of the ledger (meta: %s)', (meta) => {
    expect(read(claim(usdcAsset, 70n), meta)).toEqual([[shop, usdcCode, 70n]])
    expect(read(claim(Asset.native(), 70n), meta)).toEqual([[shop, null, 70n]])
  })

  test('that its event tells otherwise is refused', () => {
    expect(read(withEvents(claim(usdcAsset, 70n), { to: shop, amount: 70n }))).toEqual([[shop, usdcCode, 70n]])
    expect(() => read(withEvents(claim(usdcAsset, 70n), { to: shop, amount: 71n }))).toThrow(ProviderError)
  })

  test('by the issuer of what is claimed brings nothing: it is no more', () => {
    expect(read(claim(new Asset('MINE', shop), 70n))).toEqual([])
  })

  test('without meta is what Horizon credits, and nobody knows it without that either', () => {
    const raw = madeTransaction([claim(usdcAsset, 70n)], { meta: 'none' })
    const effects = new Map([[0, [{ account: shop, id: null, asset: usdcCode, amount: 70n }]]])
    expect(brief({ ...raw, effects })).toEqual([[shop, usdcCode, 70n]])
    expect(() => brief(raw)).toThrow(ProviderError)
  })
})

test('what brings nobody anything is no movement, and does not stop the reader', () => {
  const changed = {
    operation: Operation.changeTrust({ asset: usdcAsset }),
    result: xdr.OperationResultTr.changeTrust(xdr.ChangeTrustResult.changeTrustSuccess()),
  }
  const noted = {
    operation: Operation.manageData({ name: 'paid', value: 'yes' }),
    result: xdr.OperationResultTr.manageData(xdr.ManageDataResult.manageDataSuccess()),
  }
  for (const meta of ['v4', 'v3', 'none'] as const) expect(brief(madeTransaction([changed, noted], { meta, source: 'payer' }))).toEqual([])
})
