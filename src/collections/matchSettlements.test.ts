import { describe, expect, test } from '@jest/globals'
import { type Incoming, matchSettlements, settlesWithinMs, type Unsettled } from './matchSettlements.ts'

const t0 = Date.parse('2026-11-26T10:00:00Z')
const at = (minutes: number) => new Date(t0 + minutes * 60_000)

const collection = (id: string, more: Partial<Unsettled> = {}): Unsettled => ({
  id,
  token: 'USDC',
  decimals: 6,
  createdAt: at(0),
  endedAt: at(5),
  cryptoAmount: '48.36654808',
  partnerTxId: null,
  transferId: null,
  memo: null,
  isShared: false,
  ...more,
})
const transfer = (id: string, more: Partial<Incoming> = {}): Incoming => ({
  id,
  txId: `tx-${id}`,
  token: 'USDC',
  amount: 48_366_548n,
  blockTime: at(6),
  isConfirmed: true,
  memo: null,
  isNamedElsewhere: false,
  ...more,
})
const match = (collections: Unsettled[], transfers: Incoming[], now = at(10)) =>
  Object.fromEntries(
    [...matchSettlements(collections, transfers, now)].map(([id, { settlement, transfer: it, problem }]) => [
      id,
      [settlement, it?.id ?? null, ...(problem ? [problem] : [])].join(' '),
    ]),
  )

test('a transfer of the stated amount settles it, cut or rounded up to the places of the token', () => {
  expect(match([collection('a')], [transfer('1')])).toEqual({ a: 'confirmed 1' })
  expect(match([collection('a')], [transfer('1', { amount: 48_366_549n, isConfirmed: false })])).toEqual({
    a: 'seen 1',
  })
  expect(match([collection('a')], [transfer('1', { amount: 48_366_550n })])).toEqual({ a: 'none ' })
})

test('on Stellar, whose tokens have seven places, six of them are enough', () => {
  const on = (amount: bigint) =>
    match([collection('a', { decimals: 7, cryptoAmount: '30.54419753' })], [transfer('1', { amount })])
  for (const amount of [305_441_975n, 305_441_976n, 305_441_970n, 305_441_980n])
    expect(on(amount)).toEqual({ a: 'confirmed 1' })
  for (const amount of [305_441_974n, 305_441_977n, 305_441_960n]) expect(on(amount)).toEqual({ a: 'none ' })
})

test('other money is left alone: another amount, another token, from before', () => {
  const others = [
    transfer('amount', { amount: 50_000_000n }),
    transfer('token', { token: 'USDT' }),
    transfer('unknown', { token: null }),
    transfer('before', { blockTime: at(-11) }),
    transfer('after', { blockTime: at(5 + 25 * 60) }),
  ]
  expect(match([collection('a')], others)).toEqual({ a: 'none ' })
  expect(match([collection('a')], [...others, transfer('1')])).toEqual({ a: 'confirmed 1' })
})

test('of two with one amount each gets one; the first that was completed gets the first', () => {
  const both = [collection('a', { endedAt: null }), collection('b', { createdAt: at(1), endedAt: at(3) })]
  expect(match(both, [transfer('1')])).toEqual({ a: 'none ', b: 'confirmed 1' })
  expect(match(both, [transfer('2', { blockTime: at(8) }), transfer('1')])).toEqual({
    a: 'confirmed 2',
    b: 'confirmed 1',
  })
})

test('a collection keeps the transfer that it has', () => {
  const [a, b] = [collection('a', { endedAt: at(2) }), collection('b', { transferId: '1' })]
  expect(match([a, b], [transfer('1'), transfer('2', { blockTime: at(9) })])).toEqual({
    a: 'confirmed 2',
    b: 'confirmed 1',
  })
})

test('the transaction that the partner names counts before amount and time', () => {
  const named = collection('a', { partnerTxId: 'tx-2' })
  expect(
    match([named, collection('b', { endedAt: at(2) })], [transfer('1'), transfer('2', { blockTime: at(7) })]),
  ).toEqual({
    a: 'confirmed 2',
    b: 'confirmed 1',
  })
  expect(match([named], [transfer('2', { amount: 48_000_000n })])).toEqual({
    a: 'mismatch 2 settlement_too_little',
  })
  expect(match([named], [transfer('2', { token: 'USDT' })])).toEqual({
    a: 'mismatch 2 settlement_other_token',
  })
})

test('in the end too little, another token, or nothing is a mismatch, until the right transfer comes', () => {
  const late = new Date(at(5).getTime() + settlesWithinMs + 1)
  expect(match([collection('a')], [], late)).toEqual({ a: 'mismatch  settlement_missing' })
  expect(match([collection('a')], [transfer('1', { amount: 1n })], late)).toEqual({
    a: 'mismatch 1 settlement_too_little',
  })
  expect(match([collection('a')], [transfer('1', { token: 'USDT' })], late)).toEqual({
    a: 'mismatch 1 settlement_other_token',
  })
  expect(match([collection('a')], [transfer('1', { amount: 1n }), transfer('2')], late)).toEqual({
    a: 'confirmed 2',
  })
  expect(match([collection('a', { endedAt: null })], [], late)).toEqual({ a: 'none ' })
})

describe('an amount that the partner has not named', () => {
  const late = new Date(at(5).getTime() + settlesWithinMs + 1)
  const unknown = (more: Partial<Unsettled> = {}) => collection('a', { cryptoAmount: null, ...more })
  const named = unknown({ partnerTxId: 'tx-1' })

  test('confirms nothing, also not the transaction that the partner names; in the end it is a mismatch of its own', () => {
    expect(match([unknown()], [transfer('1')])).toEqual({ a: 'none ' })
    expect(match([named], [transfer('1')])).toEqual({ a: 'none ' })
    expect(match([named], [transfer('1')], late)).toEqual({ a: 'mismatch 1 settlement_unknown_amount' })
    expect(match([unknown({ partnerTxId: 'tx-1', endedAt: null })], [transfer('1')], late)).toEqual({
      a: 'none ',
    })
  })

  test('another token is another token, and nothing is nothing', () => {
    expect(match([named], [transfer('1', { token: 'USDT' })])).toEqual({
      a: 'mismatch 1 settlement_other_token',
    })
    expect(match([unknown()], [transfer('1', { token: 'USDT' })], late)).toEqual({
      a: 'mismatch 1 settlement_other_token',
    })
    expect(match([unknown()], [], late)).toEqual({ a: 'mismatch  settlement_missing' })
  })

  test('without the name of a transaction there is no match', () => {
    expect(match([unknown()], [transfer('1'), transfer('2')], late)).toEqual({
      a: 'mismatch  settlement_unknown_amount',
    })
  })

  test('the transaction that the partner names for it settles no other collection by amount and time', () => {
    const other = collection('b', { endedAt: at(2) })
    expect(match([named, other], [transfer('1')])).toEqual({ a: 'none ', b: 'none ' })
    expect(match([named, other], [transfer('1')], late)).toEqual({
      a: 'mismatch 1 settlement_unknown_amount',
      b: 'mismatch  settlement_missing',
    })
    expect(match([named, other], [transfer('1'), transfer('2')])).toEqual({ a: 'none ', b: 'confirmed 2' })
  })

  test('once the amount is known it is compared', () => {
    expect(match([{ ...named, cryptoAmount: '48.366548' }], [transfer('1')], late)).toEqual({
      a: 'confirmed 1',
    })
    expect(match([{ ...named, cryptoAmount: '48.4' }], [transfer('1')], late)).toEqual({
      a: 'mismatch 1 settlement_too_little',
    })
  })
})

describe('on an account that many owners share', () => {
  const late = new Date(at(5).getTime() + settlesWithinMs + 1)
  const own = collection('a', { memo: '77' })

  test('a transfer with another memo, or without one, settles nothing; in the end it is a mismatch of its own', () => {
    for (const memo of ['78', '7', null]) {
      expect(match([own], [transfer('1', { memo })])).toEqual({ a: 'none ' })
      expect(match([own], [transfer('1', { memo })], late)).toEqual({ a: 'mismatch 1 settlement_other_memo' })
      expect(match([{ ...own, partnerTxId: 'tx-1' }], [transfer('1', { memo })])).toEqual({
        a: 'mismatch 1 settlement_other_memo',
      })
    }
    expect(match([collection('a')], [transfer('1', { memo: '77' })])).toEqual({ a: 'none ' })
    expect(match([own], [transfer('1', { memo: '78' }), transfer('2', { memo: '77' })])).toEqual({
      a: 'confirmed 2',
    })
  })

  test('two collections of one amount get the transfers of their memos, in any order of completion', () => {
    const both = [own, collection('b', { memo: '78', endedAt: at(2) })]
    expect(match(both, [transfer('1', { memo: '77' }), transfer('2', { memo: '78' })])).toEqual({
      a: 'confirmed 1',
      b: 'confirmed 2',
    })
  })

  test('money of others, of another amount, is no match; too little with its memo is', () => {
    expect(match([own], [transfer('1', { memo: '78', amount: 5n })], late)).toEqual({
      a: 'mismatch  settlement_missing',
    })
    expect(
      match(
        [own],
        [transfer('1', { memo: '78', amount: 5n }), transfer('2', { memo: '77', amount: 6n })],
        late,
      ),
    ).toEqual({
      a: 'mismatch 2 settlement_too_little',
    })
  })

  test('an amount that is not named is not confirmed by the memo, and another memo is a mismatch at once', () => {
    const unknown = { ...own, cryptoAmount: null, partnerTxId: 'tx-1' }
    expect(match([unknown], [transfer('1', { memo: '77' })], late)).toEqual({
      a: 'mismatch 1 settlement_unknown_amount',
    })
    expect(match([unknown], [transfer('1', { memo: '78' })])).toEqual({
      a: 'mismatch 1 settlement_other_memo',
    })
  })
})

test('where another business has the same wallet, only what the partner has completed or named is settled', () => {
  const open = collection('a', { endedAt: null, isShared: true })
  expect(match([open], [transfer('1')])).toEqual({ a: 'none ' })
  expect(match([{ ...open, partnerTxId: 'tx-1' }], [transfer('1')])).toEqual({ a: 'confirmed 1' })
  expect(match([{ ...open, endedAt: at(5) }], [transfer('1')])).toEqual({ a: 'confirmed 1' })
})

test('a transaction that the partner names for a collection of another wallet settles no other by amount and time', () => {
  const named = transfer('1', { isNamedElsewhere: true })
  expect(match([collection('a')], [named])).toEqual({ a: 'none ' })
  expect(match([collection('a', { partnerTxId: 'tx-1' })], [named])).toEqual({ a: 'confirmed 1' })
})
