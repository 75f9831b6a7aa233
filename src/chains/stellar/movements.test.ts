import { describe, expect, test } from '@jest/globals'
import { Account, Asset, Memo, MuxedAccount, Operation, xdr } from '@stellar/stellar-sdk/base'
import {
  addressOf,
  type MadeEvent,
  type MadeOperation,
  type MadeTransactionOptions,
  type MetaForm,
  madeEvent,
  madePayment,
  madeTransaction,
  network,
  usdcAsset,
  usdcCode,
} from '../../../test/support/madeLedger.ts'
import { ProviderError, type Transfer } from '../chain.ts'
import { muxed } from './address.ts'
import { intended, movementsOf, transfersOf } from './movements.ts'

const [payer, shop, other] = [addressOf('payer'), addressOf('shop'), addressOf('other')]
const deposit = (id: bigint) => muxed(shop, id)
/** SEP-23's form of an account with the id zero, which `muxed` never writes. */
const withIdZero = new MuxedAccount(new Account(shop, '0'), '0').accountId()
const oldForms: readonly MetaForm[] = ['v3', 'v2', 'v1', 'operations', 'none']

const all = (operations: readonly MadeOperation[], options: MadeTransactionOptions = {}) =>
  transfersOf(madeTransaction(operations, options), network).transfers
/** Movements in. */
const read = (operations: readonly MadeOperation[], options: MadeTransactionOptions = {}) =>
  all(operations, options).filter(({ only }) => only !== 'out')
const brief = (transfers: readonly Transfer[]) =>
  transfers.map(({ movementKey, to, amount }) => [movementKey, to, amount])
/** A contract call with these events. */
const contractCall = (...events: MadeEvent[]): MadeOperation => ({
  operation: Operation.invokeContractFunction({
    contract: usdcAsset.contractId(network),
    function: 'transfer',
    args: [],
  }),
  events: events.map(madeEvent),
})
const fiveUsdc = { to: shop, amount: 50_000_000n }

describe('a payment', () => {
  test('with an event is one movement, with asset, payer and amount', () => {
    const transaction = madeTransaction([madePayment(shop, '5', [fiveUsdc])])
    expect(movementsOf([transaction], network)).toEqual([
      {
        txId: transaction.hash,
        movementKey: `op:0:${shop}:${usdcCode}`,
        contract: usdcCode,
        from: payer,
        to: shop,
        amount: 50_000_000n,
      },
    ])
  })

  test.each(oldForms)('without an event of the node (meta: %s) is read from operation and result', (meta) => {
    expect(brief(read([madePayment(shop, '5')], { meta }))).toEqual([
      [`op:0:${shop}:${usdcCode}`, shop, 50_000_000n],
    ])
  })

  test('without an event in current meta is read from the operation', () => {
    expect(brief(read([madePayment(shop, '5')]))).toEqual([[`op:0:${shop}:${usdcCode}`, shop, 50_000_000n]])
  })

  test('in lumens is one in the native coin', () => {
    const operation = Operation.payment({ destination: shop, asset: Asset.native(), amount: '0.0000001' })
    const events = [madeEvent({ to: shop, asset: 'native', amount: 1n })]
    for (const each of [read([{ operation, events }]), read([{ operation }])]) {
      expect(each).toMatchObject([{ movementKey: `op:0:${shop}:native`, contract: null, amount: 1n }])
    }
  })

  test('has the operation’s own source as its sender', () => {
    const operation = Operation.payment({
      destination: shop,
      asset: usdcAsset,
      amount: '5',
      source: muxed(other, 9n),
    })
    expect(read([{ operation }])).toMatchObject([{ from: other }])
  })

  test('twice in one transaction is two movements', () => {
    expect(
      brief(
        read([
          madePayment(shop, '5', [fiveUsdc]),
          madePayment(shop, '7', [{ to: shop, amount: 70_000_000n }]),
        ]),
      ),
    ).toEqual([
      [`op:0:${shop}:${usdcCode}`, shop, 50_000_000n],
      [`op:1:${shop}:${usdcCode}`, shop, 70_000_000n],
    ])
  })

  test('in a fee bump has the hash of the outer transaction', () => {
    const transaction = madeTransaction([madePayment(shop, '5', [fiveUsdc])], { bumped: true })
    expect(movementsOf([transaction], network)).toMatchObject([
      { txId: transaction.hash, from: payer, amount: 50_000_000n },
    ])
  })

  test('to the issuer is burned: a movement out of the payer only', () => {
    const issuer = addressOf('issuer')
    const burned = {
      movementKey: `op:0:${payer}:${usdcCode}:out`,
      from: payer,
      to: issuer,
      amount: 50_000_000n,
      only: 'out',
    }
    expect(all([madePayment(issuer, '5')])).toMatchObject([burned])
    expect(
      all([madePayment(issuer, '5', [{ name: 'burn', to: issuer, amount: 50_000_000n }])]),
    ).toMatchObject([burned])
  })

  test('is one movement for both sides, with and without events', () => {
    for (const meta of ['v4', ...oldForms] as const)
      expect(all([madePayment(shop, '5')], { meta })[0]).not.toHaveProperty('only')
    const reported = all([madePayment(shop, '5', [{ ...fiveUsdc, from: payer }])])
    expect(reported).toHaveLength(1)
    expect(reported[0]).not.toHaveProperty('only')
  })

  test.each(['1234567.0000001', '922337203685.4775807', '0.0000001', '3'])(
    'of %s is read to the last of its seven decimals',
    (amount) => {
      const [whole = '', fraction = ''] = amount.split('.')
      expect(read([madePayment(shop, amount)])).toMatchObject([
        { amount: BigInt(whole) * 10_000_000n + BigInt(fraction.padEnd(7, '0')) },
      ])
    },
  )
})

describe('the recipient of a payment', () => {
  // SEP-23 puts the id of a muxed address before a memo; the other forms are how wallets write an id.
  test.each<[string, string, Memo | undefined, string]>([
    ['no id and no memo', shop, undefined, shop],
    ['a memo of type id', shop, Memo.id('77'), deposit(77n)],
    ['the largest id', shop, Memo.id('18446744073709551615'), deposit(2n ** 64n - 1n)],
    ['the id zero', shop, Memo.id('0'), shop],
    ['a text of digits', shop, Memo.text('77'), deposit(77n)],
    ['a text of digits with a leading zero', shop, Memo.text('077'), shop],
    ['a text with a space', shop, Memo.text('77 '), shop],
    ['a text with a sign', shop, Memo.text('+77'), shop],
    ['a text of a number beyond 64 bits', shop, Memo.text('18446744073709551616'), shop],
    ['a text of letters', shop, Memo.text('order 77'), shop],
    ['an empty text', shop, Memo.text(''), shop],
    ['a hash', shop, Memo.hash('77'.padStart(64, '0')), shop],
    ['a return hash', shop, Memo.return('77'.padStart(64, '0')), shop],
    ['a muxed address', deposit(5n), undefined, deposit(5n)],
    ['a muxed address and another memo', deposit(5n), Memo.id('77'), deposit(5n)],
    ['a muxed address and a text', deposit(5n), Memo.text('77'), deposit(5n)],
    ['a muxed address with the id zero and a memo', withIdZero, Memo.id('77'), shop],
  ])('with %s', (_what, destination, memo, to) => {
    const options = memo ? { memo } : {}
    expect(brief(read([madePayment(destination, '5')], options))).toEqual([
      [`op:0:${to}:${usdcCode}`, to, 50_000_000n],
    ])
    expect(brief(read([madePayment(destination, '5')], { ...options, meta: 'none' }))).toEqual([
      [`op:0:${to}:${usdcCode}`, to, 50_000_000n],
    ])
    // The event may carry the id of address or memo too (CAP-67): it makes no difference.
    for (const id of [undefined, 77n, '77', Buffer.alloc(32, 7)]) {
      const event: MadeEvent = { ...fiveUsdc, ...(id === undefined ? {} : { id }) }
      expect(brief(read([madePayment(destination, '5', [event])], options))).toEqual([
        [`op:0:${to}:${usdcCode}`, to, 50_000_000n],
      ])
    }
  })

  test('a memo is stored as written, without zero bytes, which Postgres refuses', () => {
    const memos: [Memo, object][] = [
      [Memo.text('from\0 Ada'), { type: 'text', value: 'from Ada' }],
      [Memo.id('007'), { type: 'id', value: '7' }],
      [Memo.hash('ab'.repeat(32)), { type: 'hash', value: 'ab'.repeat(32) }],
      [Memo.return('cd'.repeat(32)), { type: 'return', value: 'cd'.repeat(32) }],
    ]
    for (const [memo, kept] of memos) expect(read([madePayment(shop, '5')], { memo })[0]?.memo).toEqual(kept)
    expect(read([madePayment(shop, '5')])[0]).not.toHaveProperty('memo')
  })

  test('a contract address has no id', () => {
    const contract = usdcAsset.contractId(network)
    expect(read([contractCall({ to: contract, amount: 3n })], { memo: Memo.id('77') })).toMatchObject([
      { to: contract, amount: 3n },
    ])
  })
})

describe('a contract’s movement', () => {
  test("counts if the asset's own contract reports it, to a muxed address by its id", () => {
    expect(read([contractCall({ ...fiveUsdc, id: 5n })])).toMatchObject([
      { to: deposit(5n), contract: usdcCode, amount: 50_000_000n },
    ])
    expect(read([contractCall({ ...fiveUsdc })], { meta: 'v3' })).toMatchObject([
      { to: shop, amount: 50_000_000n },
    ])
  })

  test('does not count in an event of another contract: any contract can emit one', () => {
    const forger = new Asset('USDC', other).contractId(network)
    for (const meta of ['v4', 'v3'] as const) {
      expect(read([contractCall({ ...fiveUsdc, contract: forger })], { meta })).toEqual([])
      expect(read([contractCall({ ...fiveUsdc, name: 'mint', contract: forger })], { meta })).toEqual([])
      expect(read([contractCall({ ...fiveUsdc, asset: 'native', contract: forger })], { meta })).toEqual([])
    }
    // The genuine event next to it does.
    const both = read([contractCall({ ...fiveUsdc, amount: 7n, contract: forger }, { to: shop, amount: 2n })])
    expect(both).toMatchObject([{ to: shop, amount: 2n }])
  })

  test("does not count from the asset's contract of another network", () => {
    expect(
      read([
        contractCall({ ...fiveUsdc, contract: usdcAsset.contractId('Test SDF Network ; September 2015') }),
      ]),
    ).toEqual([])
  })

  test.each(['USDC', 'USDC:unknown', '', 'native:native', `USDC-SPECIAL-EDITION:${other}`])(
    'of an asset named "%s" is ignored without an error',
    (asset) => {
      expect(read([contractCall({ ...fiveUsdc, asset, contract: usdcAsset.contractId(network) })])).toEqual(
        [],
      )
    },
  )

  test('through an account is not a gain; the amount that stays is', () => {
    const through = (kept: bigint) => [
      { to: shop, amount: 50n },
      { from: shop, to: other, amount: 50n - kept },
    ]
    expect(brief(read([contractCall(...through(0n))]))).toEqual([[`op:0:${other}:${usdcCode}`, other, 50n]])
    expect(brief(read([contractCall(...through(20n))]))).toEqual([
      [`op:0:${shop}:${usdcCode}`, shop, 20n],
      [`op:0:${other}:${usdcCode}`, other, 30n],
    ])
  })

  test('ignores the memo, which belongs to the recipient of the operation', () => {
    expect(read([contractCall({ ...fiveUsdc })], { memo: Memo.id('77') })).toMatchObject([{ to: shop }])
  })

  test.each([0n, -5n])('of %d is ignored', (amount) => {
    expect(read([contractCall({ to: shop, amount })])).toEqual([])
  })

  test('to one address several times within one operation is one movement of the sum', () => {
    const moved = read([
      contractCall(
        { to: shop, amount: 2n },
        { to: other, amount: 9n },
        { to: shop, amount: 3n },
        { to: shop, amount: 4n, id: 5n },
      ),
    ])
    expect(brief(moved)).toEqual([
      [`op:0:${shop}:${usdcCode}`, shop, 5n],
      [`op:0:${deposit(5n)}:${usdcCode}`, deposit(5n), 4n],
      [`op:0:${other}:${usdcCode}`, other, 9n],
    ])
  })

  test('by minting counts too, in the current form and in that before protocol 23, which named the administrator', () => {
    expect(read([contractCall({ ...fiveUsdc, name: 'mint' })])).toMatchObject([
      { to: shop, amount: 50_000_000n },
    ])
    expect(read([contractCall({ ...fiveUsdc, name: 'mint', admin: other })], { meta: 'v3' })).toMatchObject([
      { to: shop, amount: 50_000_000n },
    ])
  })

  test('is refused without meta and without effects', () => {
    expect(() => read([contractCall({ ...fiveUsdc })], { meta: 'none' })).toThrow(ProviderError)
  })

  test("is Horizon's credit, if there is no meta", () => {
    const credit = { account: shop, id: 5n, asset: usdcCode, amount: 4n }
    const raw = { ...madeTransaction([contractCall()], { meta: 'none' }), effects: new Map([[0, [credit]]]) }
    expect(brief(transfersOf(raw, network).transfers)).toEqual([
      [`op:0:${deposit(5n)}:${usdcCode}`, deposit(5n), 4n],
    ])
  })
})

describe('a node whose events and operations differ is refused', () => {
  test.each<[string, MadeEvent[]]>([
    ['another amount', [{ to: shop, amount: 50_000_001n }]],
    ['less', [{ to: shop, amount: 1n }]],
    ['the same twice', [fiveUsdc, fiveUsdc]],
    ['another receiver', [{ ...fiveUsdc, to: other }]],
    ['another asset', [{ ...fiveUsdc, asset: 'native' }]],
  ])('with %s', (_what, events) => {
    expect(() => read([madePayment(shop, '5', events)])).toThrow(ProviderError)
  })

  // A payment moves one asset to one account: any other movement is invalid.
  test('with one more movement than a payment can make', () => {
    expect(() =>
      read([madePayment(shop, '5', [fiveUsdc, { to: shop, asset: 'native', amount: 9n }])]),
    ).toThrow(ProviderError)
  })

  test('with fewer operations in its meta than in the envelope', () => {
    const [one, two] = [
      madeTransaction([madePayment(shop, '5', [fiveUsdc])]),
      madeTransaction([madePayment(shop, '5'), madePayment(shop, '7')]),
    ]
    expect(() => movementsOf([{ ...two, metaXdr: one.metaXdr }], network)).toThrow(/lacks operation 1/)
  })

  test('with an envelope of another transaction, or of another network', () => {
    const [one, two] = [madeTransaction([madePayment(shop, '5')]), madeTransaction([madePayment(shop, '6')])]
    expect(() => movementsOf([{ ...one, envelopeXdr: two.envelopeXdr }], network)).toThrow(ProviderError)
    expect(() => movementsOf([one], 'Test SDF Network ; September 2015')).toThrow(ProviderError)
  })
})

describe('events that contradict the results, to which the header commits,', () => {
  test('by a trade that is not in the result, or by another sender, have no effect', () => {
    const operation = Operation.manageSellOffer({
      selling: usdcAsset,
      buying: Asset.native(),
      amount: '5',
      price: '1',
    })
    const nothingTraded = new xdr.ManageOfferSuccessResult({
      offersClaimed: [],
      offer: xdr.ManageOfferSuccessResultOffer.manageOfferDeleted(),
    })
    const result = xdr.OperationResultTr.manageSellOffer(
      xdr.ManageSellOfferResult.manageSellOfferSuccess(nothingTraded),
    )
    expect(all([{ operation, result, events: [madeEvent(fiveUsdc)] }])).toEqual([])
    expect(all([madePayment(shop, '5', [{ ...fiveUsdc, from: other }])])).toEqual(
      all([madePayment(shop, '5')]),
    )
  })
})

describe('a transaction that failed', () => {
  test.each([false, true])(
    'moved nothing, and has the intended movements of its operations (in a fee bump: %s)',
    (bumped) => {
      const raw = madeTransaction([madePayment(deposit(5n), '5', [fiveUsdc]), contractCall()], {
        failed: true,
        bumped,
      })
      const found = transfersOf(raw, network)
      expect([found.succeeded, found.transfers]).toEqual([false, []])
      expect(brief(intended(raw, found))).toEqual([
        [`op:0:${deposit(5n)}:${usdcCode}`, deposit(5n), 50_000_000n],
      ])
    },
  )

  test('has the address that its memo names as the intended recipient', () => {
    const raw = madeTransaction([madePayment(shop, '5')], { failed: true, memo: Memo.id('8') })
    expect(intended(raw, transfersOf(raw, network))).toMatchObject([
      { to: deposit(8n), memo: { type: 'id', value: '8' } },
    ])
  })
})
