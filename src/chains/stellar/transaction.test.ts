import { describe, expect, test } from '@jest/globals'
import { Asset, Claimant, Keypair, Operation, StrKey, xdr } from '@stellar/stellar-sdk/base'
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
/** Movements out. */
const taken = (raw: RawTransaction) =>
  transfersOf(raw, network)
    .transfers.filter(({ only }) => only !== 'in')
    .map(({ from, contract, amount, to }) => [from, contract, amount, to])
const read = (operation: MadeOperation, meta: MetaForm = 'v4') =>
  brief(madeTransaction([operation], { meta }))
const withEvents = (operation: MadeOperation, ...events: MadeEvent[]): MadeOperation => ({
  ...operation,
  events: events.map(madeEvent),
})

/** `payment` has its tests in movements.test.ts; these are the other operations that credit an account. */

describe('the creation of an account', () => {
  const created = {
    operation: Operation.createAccount({ destination: shop, startingBalance: '2.5' }),
    result: xdr.OperationResultTr.createAccount(xdr.CreateAccountResult.createAccountSuccess()),
  }
  test('credits its starting balance', () => {
    for (const meta of ['v4', 'none'] as const)
      expect(read(created, meta)).toEqual([[shop, null, 25_000_000n]])
    expect(read(withEvents(created, { to: shop, asset: 'native', amount: 25_000_000n }))).toEqual([
      [shop, null, 25_000_000n],
    ])
    expect(() => read(withEvents(created, { to: shop, asset: 'native', amount: 1n }))).toThrow(ProviderError)
  })
})

describe('the merge of an account', () => {
  const merged = (balance: bigint): MadeOperation => ({
    operation: Operation.accountMerge({ destination: shop }),
    result: xdr.OperationResultTr.accountMerge(xdr.AccountMergeResult.accountMergeSuccess(balance)),
  })
  test('credits its balance, which only the result shows', () => {
    for (const meta of ['v4', 'v3', 'none'] as const)
      expect(read(merged(12_345n), meta)).toEqual([[shop, null, 12_345n]])
    expect(() => read(withEvents(merged(12_345n), { to: shop, asset: 'native', amount: 12_344n }))).toThrow(
      ProviderError,
    )
  })

  test('with a balance of zero credits nothing', () => {
    expect(read(merged(0n))).toEqual([])
  })

  // Without meta a zero amount would be passed on, and the database refuses a transfer of zero.
  test('with a balance of zero credits nothing, if only the result shows it', () => {
    expect(read(merged(0n), 'none')).toEqual([])
  })
})

describe('a path payment', () => {
  const path = { sendAsset: Asset.native(), destAsset: usdcAsset, destination: shop }
  const trade = (
    maker: string,
    [sold, amountSold]: [Asset, bigint],
    [bought, amountBought]: [Asset, bigint],
  ) =>
    xdr.ClaimAtom.claimAtomTypeOrderBook(
      new xdr.ClaimOfferAtom({
        sellerId: Keypair.fromPublicKey(maker).xdrPublicKey(),
        offerId: 1n,
        assetSold: sold.toXdrObject(),
        amountSold,
        assetBought: bought.toXdrObject(),
        amountBought,
      }),
    )
  const arrived = (
    amount: bigint,
    offers = [trade(other, [usdcAsset, amount], [Asset.native(), 90_000_000n])],
  ) =>
    new xdr.PathPaymentStrictSendResultSuccess({
      offers,
      last: new xdr.SimplePaymentResult({
        destination: Keypair.fromPublicKey(shop).xdrPublicKey(),
        asset: usdcAsset.toXdrObject(),
        amount,
      }),
    })
  const sent: MadeOperation = {
    operation: Operation.pathPaymentStrictSend({ ...path, sendAmount: '9', destMin: '4' }),
    result: xdr.OperationResultTr.pathPaymentStrictSend(
      xdr.PathPaymentStrictSendResult.pathPaymentStrictSendSuccess(arrived(41_000_000n)),
    ),
  }
  const received: MadeOperation = {
    operation: Operation.pathPaymentStrictReceive({ ...path, sendMax: '9', destAmount: '4' }),
    result: xdr.OperationResultTr.pathPaymentStrictReceive(
      xdr.PathPaymentStrictReceiveResult.pathPaymentStrictReceiveSuccess(
        new xdr.PathPaymentStrictReceiveResultSuccess(arrived(40_000_000n)),
      ),
    ),
  }

  const oldMetas = ['v4', 'v3', 'none'] as const

  test('with a fixed send amount credits the received amount, not the minimum; and pays those who trade on the path', () => {
    for (const meta of oldMetas) {
      expect(read(sent, meta)).toEqual([
        [other, null, 90_000_000n],
        [shop, usdcCode, 41_000_000n],
      ])
    }
  })

  test('with a fixed receive amount credits that; and pays those who trade on the path', () => {
    for (const meta of oldMetas) {
      expect(read(received, meta)).toEqual([
        [other, null, 90_000_000n],
        [shop, usdcCode, 40_000_000n],
      ])
    }
  })

  test('to oneself credits only the gain, with and without events', () => {
    const steps = [
      trade(other, [usdcAsset, 50_000_000n], [Asset.native(), 90_000_000n]),
      trade(shop, [Asset.native(), 100_000_000n], [usdcAsset, 50_000_000n]),
    ]
    const last = new xdr.SimplePaymentResult({
      destination: Keypair.fromPublicKey(payer).xdrPublicKey(),
      asset: Asset.native().toXdrObject(),
      amount: 100_000_000n,
    })
    const result = new xdr.PathPaymentStrictSendResultSuccess({ offers: steps, last })
    const circular: MadeOperation = {
      operation: Operation.pathPaymentStrictSend({
        sendAsset: Asset.native(),
        sendAmount: '9',
        destination: payer,
        destAsset: Asset.native(),
        destMin: '9',
      }),
      result: xdr.OperationResultTr.pathPaymentStrictSend(
        xdr.PathPaymentStrictSendResult.pathPaymentStrictSendSuccess(result),
      ),
    }
    const events: MadeEvent[] = [
      { to: other, asset: 'native', amount: 90_000_000n },
      { from: other, to: payer, amount: 50_000_000n },
      { to: shop, amount: 50_000_000n },
      { from: shop, to: payer, asset: 'native', amount: 100_000_000n },
      { from: payer, to: payer, asset: 'native', amount: 100_000_000n },
    ]
    const forms = [
      ...oldMetas.map((meta) => madeTransaction([circular], { meta })),
      madeTransaction([withEvents(circular, ...events)]),
    ]
    for (const raw of forms) {
      expect(brief(raw).toSorted()).toEqual(
        [
          [other, null, 90_000_000n],
          [payer, null, 10_000_000n],
          [shop, usdcCode, 50_000_000n],
        ].toSorted(),
      )
      expect(taken(raw).map(([from, contract, amount]) => [from, contract, amount])).toEqual([
        [other, usdcCode, 50_000_000n],
        [shop, null, 100_000_000n],
      ])
    }
  })

  test('debits the sent amount from its payer, and the sold amounts from those who trade on the path', () => {
    for (const meta of oldMetas) {
      expect(taken(madeTransaction([sent], { meta }))).toEqual([
        [payer, null, 90_000_000n, shop],
        [other, usdcCode, 41_000_000n, shop],
      ])
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

  test('pays those who trade on the path also if the node has events', () => {
    const events: MadeEvent[] = [
      { to: other, asset: 'native', amount: 90_000_000n },
      { from: other, to: shop, amount: 41_000_000n },
    ]
    expect(read(withEvents(sent, ...events))).toEqual([
      [other, null, 90_000_000n],
      [shop, usdcCode, 41_000_000n],
    ])
  })

  test('credits what operation and result have, with more events too; fewer events are refused', () => {
    expect(read(withEvents(sent, { to: shop, amount: 41_000_000n }, { to: shop, amount: 5n }))).toEqual(
      read(sent),
    )
    expect(() => read(withEvents(sent, { to: shop, amount: 40_999_999n }))).toThrow(ProviderError)
  })
})

describe('an offer', () => {
  const claimedOf = (sold: bigint, bought: bigint) =>
    new xdr.ManageOfferSuccessResult({
      offersClaimed: [
        xdr.ClaimAtom.claimAtomTypeOrderBook(
          new xdr.ClaimOfferAtom({
            sellerId: Keypair.fromPublicKey(shop).xdrPublicKey(),
            offerId: 1n,
            assetSold: usdcAsset.toXdrObject(),
            amountSold: sold,
            assetBought: Asset.native().toXdrObject(),
            amountBought: bought,
          }),
        ),
      ],
      offer: xdr.ManageOfferSuccessResultOffer.manageOfferDeleted(),
    })
  const offer = { selling: Asset.native(), buying: usdcAsset, price: '2' }
  const success = xdr.ManageSellOfferResult.manageSellOfferSuccess(claimedOf(7n, 14n))
  test.each<[string, MadeOperation]>([
    [
      'to sell',
      {
        operation: Operation.manageSellOffer({ ...offer, amount: '5' }),
        result: xdr.OperationResultTr.manageSellOffer(success),
      },
    ],
    [
      'to sell as a passive offer',
      {
        operation: Operation.createPassiveSellOffer({ ...offer, amount: '5' }),
        result: xdr.OperationResultTr.createPassiveSellOffer(success),
      },
    ],
    [
      'to buy',
      {
        operation: Operation.manageBuyOffer({ ...offer, buyAmount: '5' }),
        result: xdr.OperationResultTr.manageBuyOffer(
          xdr.ManageBuyOfferResult.manageBuyOfferSuccess(claimedOf(7n, 14n)),
        ),
      },
    ],
  ])(
    '%s credits both sides with their trades, which the result shows if the node has no events',
    (_what, operation) => {
      for (const meta of ['v4', 'v3', 'none'] as const) {
        const raw = madeTransaction([operation], { meta })
        expect(brief(raw)).toEqual([
          [shop, null, 14n],
          [payer, usdcCode, 7n],
        ])
        expect(taken(raw)).toEqual([
          [payer, null, 14n, shop],
          [shop, usdcCode, 7n, payer],
        ])
      }
    },
  )
})

describe('a pool', () => {
  const poolId = 'ab'.repeat(32)
  const pool = StrKey.encodeLiquidityPool(Buffer.from(poolId, 'hex'))
  const entry = (reserveA: bigint, reserveB: bigint) => {
    const params = new xdr.LiquidityPoolConstantProductParameters({
      assetA: Asset.native().toXdrObject(),
      assetB: usdcAsset.toXdrObject(),
      fee: 30,
    })
    const constant = new xdr.LiquidityPoolEntryConstantProduct({
      params,
      reserveA,
      reserveB,
      totalPoolShares: 5n,
      poolSharesTrustLineCount: 1n,
    })
    const body = xdr.LiquidityPoolEntryBody.liquidityPoolConstantProduct(constant)
    const id = new xdr.PoolId(Buffer.from(poolId, 'hex'))
    const data = xdr.LedgerEntryData.liquidityPool(new xdr.LiquidityPoolEntry({ liquidityPoolId: id, body }))
    return new xdr.LedgerEntry({ lastModifiedLedgerSeq: 1, data, ext: xdr.LedgerEntryExt.v0() })
  }
  const changes = (before: readonly [bigint, bigint], after: readonly [bigint, bigint]) => [
    xdr.LedgerEntryChange.ledgerEntryState(entry(...before)),
    xdr.LedgerEntryChange.ledgerEntryUpdated(entry(...after)),
  ]
  const put: MadeOperation = {
    operation: Operation.liquidityPoolDeposit({
      liquidityPoolId: poolId,
      maxAmountA: '5',
      maxAmountB: '5',
      minPrice: '1',
      maxPrice: '1',
    }),
    result: xdr.OperationResultTr.liquidityPoolDeposit(
      xdr.LiquidityPoolDepositResult.liquidityPoolDepositSuccess(),
    ),
    changes: changes([10n, 20n], [13n, 26n]),
  }
  const got: MadeOperation = {
    operation: Operation.liquidityPoolWithdraw({
      liquidityPoolId: poolId,
      amount: '5',
      minAmountA: '0',
      minAmountB: '0',
    }),
    result: xdr.OperationResultTr.liquidityPoolWithdraw(
      xdr.LiquidityPoolWithdrawResult.liquidityPoolWithdrawSuccess(),
    ),
    changes: changes([13n, 26n], [10n, 20n]),
  }

  test('takes deposits and pays withdrawals, which the ledger’s changes show if there are no events', () => {
    for (const meta of ['v4', 'v3', 'v2'] as const) {
      expect([read(put, meta), taken(madeTransaction([put], { meta }))]).toEqual([
        [],
        [
          [payer, null, 3n, pool],
          [payer, usdcCode, 6n, pool],
        ],
      ])
      expect([read(got, meta), taken(madeTransaction([got], { meta }))]).toEqual([
        [
          [payer, null, 3n],
          [payer, usdcCode, 6n],
        ],
        [],
      ])
    }
  })

  test('without meta is read from Horizon, and refused without it', () => {
    expect(() => read(got, 'none')).toThrow(ProviderError)
  })
})

test('created claimable balances and clawbacks are losses, if there are no events', () => {
  const balanceId = xdr.ClaimableBalanceId.claimableBalanceIdTypeV0(Buffer.alloc(32, 3))
  const kept = StrKey.encodeClaimableBalance(Buffer.alloc(33, 3).fill(0, 0, 1))
  const setAside: MadeOperation = {
    operation: Operation.createClaimableBalance({
      asset: usdcAsset,
      amount: '5',
      claimants: [new Claimant(shop)],
    }),
    result: xdr.OperationResultTr.createClaimableBalance(
      xdr.CreateClaimableBalanceResult.createClaimableBalanceSuccess(balanceId),
    ),
  }
  const back: MadeOperation = {
    operation: Operation.clawback({ asset: usdcAsset, amount: '5', from: shop, source: addressOf('issuer') }),
    result: xdr.OperationResultTr.clawback(xdr.ClawbackResult.clawbackSuccess()),
  }
  for (const meta of ['v4', 'v3', 'none'] as const) {
    expect(read(setAside, meta)).toEqual([])
    expect(taken(madeTransaction([setAside], { meta }))).toEqual([[payer, usdcCode, 50_000_000n, kept]])
    expect(read(back, meta)).toEqual([])
    expect(taken(madeTransaction([back], { meta }))).toEqual([
      [shop, usdcCode, 50_000_000n, addressOf('issuer')],
    ])
  }
})

describe('a claim', () => {
  const balanceId = `00000000${'ab'.repeat(32)}`
  const claim = (asset: Asset, amount: bigint): MadeOperation => ({
    operation: Operation.claimClaimableBalance({ balanceId, source: shop }),
    result: xdr.OperationResultTr.claimClaimableBalance(
      xdr.ClaimClaimableBalanceResult.claimClaimableBalanceSuccess(),
    ),
    changes: claimedBalance('a', asset, amount),
  })
  // The form `operations` is older than claimable balances.
  test.each<MetaForm>(['v4', 'v3', 'v2', 'v1'])(
    'credits the whole balance that it removed from the ledger (meta: %s)',
    (meta) => {
      expect(read(claim(usdcAsset, 70n), meta)).toEqual([[shop, usdcCode, 70n]])
      expect(read(claim(Asset.native(), 70n), meta)).toEqual([[shop, null, 70n]])
    },
  )

  test('is refused if its event contradicts it', () => {
    expect(read(withEvents(claim(usdcAsset, 70n), { to: shop, amount: 70n }))).toEqual([
      [shop, usdcCode, 70n],
    ])
    expect(() => read(withEvents(claim(usdcAsset, 70n), { to: shop, amount: 71n }))).toThrow(ProviderError)
  })

  test('by the issuer of the asset burns it and credits nothing', () => {
    expect(read(claim(new Asset('MINE', shop), 70n))).toEqual([])
  })

  test('without meta is read from Horizon’s effects, and refused without them', () => {
    const raw = madeTransaction([claim(usdcAsset, 70n)], { meta: 'none' })
    const effects = new Map([[0, [{ account: shop, id: null, asset: usdcCode, amount: 70n }]]])
    expect(brief({ ...raw, effects })).toEqual([[shop, usdcCode, 70n]])
    expect(() => brief(raw)).toThrow(ProviderError)
  })
})

test('an operation that credits no account is not a movement, and no error', () => {
  const changed = {
    operation: Operation.changeTrust({ asset: usdcAsset }),
    result: xdr.OperationResultTr.changeTrust(xdr.ChangeTrustResult.changeTrustSuccess()),
  }
  const noted = {
    operation: Operation.manageData({ name: 'paid', value: 'yes' }),
    result: xdr.OperationResultTr.manageData(xdr.ManageDataResult.manageDataSuccess()),
  }
  for (const meta of ['v4', 'v3', 'none'] as const)
    expect(brief(madeTransaction([changed, noted], { meta, source: 'payer' }))).toEqual([])
})
