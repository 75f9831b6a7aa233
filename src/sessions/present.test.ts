import { describe, expect, test } from '@jest/globals'
import { configuredChains } from '../chains/configuration.ts'
import type { PosSession } from './model.ts'
import { type PresentContext, plain, presentSession } from './present.ts'
import type { PaymentRecord } from './readPayments.ts'
import type { RefundRecord } from './readRefunds.ts'

const checkoutUrl = (id: string) => `https://pay.example/checkout/${id}`
const { chains } = configuredChains({ ETHEREUM_RPC_URLS: 'http://localhost:8545' })
const context = (height: number | null): PresentContext => ({
  chains,
  checkoutUrl,
  heights: new Map(height === null ? [] : [['ethereum', height]]),
})
const expiresAt = new Date('2026-01-01T12:10:00.000Z')

/** A row as the database returns it: numerics with all their digits, addresses in lower case. */
const session = (more: object = {}) =>
  ({
    id: '0190a000-0000-7000-8000-000000000001',
    chain: 'ethereum',
    token: 'USDC',
    family: 'evm',
    address: '0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaed',
    memo: '',
    amountExpected: '3152884',
    amountTolerated: '0',
    amountReceived: '3000000',
    amountSettled: '0',
    amountHeld: '0',
    heldUntil: null,
    amountCredited: null,
    localAmount: '5000.00000000',
    localCurrency: 'NGN',
    rate: '1610.000000000000',
    rateAt: new Date('2026-01-01T11:59:50.250Z'),
    rateSource: 'yellowcard',
    fxMarginPercent: '1.500000',
    fee: '50.010000000000000000',
    feeCurrency: 'NGN',
    status: 'pending',
    exception: 'underpaid',
    requiredConfirmations: 12,
    finality: 'confirmations',
    label: null,
    reference: 'order-1',
    metadata: { table: 4 },
    expiresAt,
    paidAt: null,
    resolution: null,
    amountAccepted: null,
    createdAt: new Date('2026-01-01T12:00:00.000Z'),
    ...more,
  }) as unknown as PosSession

const payment = (blockHeight: number, more: Partial<PaymentRecord> = {}): PaymentRecord => ({
  sessionId: '0190a000-0000-7000-8000-000000000001',
  detectionId: `detection-${blockHeight}`,
  chain: 'ethereum',
  token: 'USDC',
  contract: '0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48',
  movementKey: 'log:0',
  amount: 1_500_000n,
  blockTime: new Date('2026-01-01T12:05:00.000Z'),
  memo: null,
  blockHeight,
  depth: 12,
  status: 'seen',
  generation: 1,
  entries: 0,
  last: null,
  txId: `0x${'12'.repeat(32)}`,
  from: '0xfb6916095ca1df60bb79ce92ce3ea74c37c5d359',
  to: '0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaed',
  ...more,
})

describe('a presented session', () => {
  test('has decimal strings without trailing zeros, addresses with their checksum and times in UTC', () => {
    expect(presentSession(session(), [payment(100)], context(102), [])).toEqual({
      id: '0190a000-0000-7000-8000-000000000001',
      chain: 'ethereum',
      address: '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
      token: 'USDC',
      amountExpected: '3.152884',
      amountReceived: '3',
      status: 'pending',
      exception: 'underpaid',
      expiresAt: '2026-01-01T12:10:00.000Z',
      label: null,
      reference: 'order-1',
      metadata: { table: 4 },
      localAmount: '5000',
      localCurrency: 'NGN',
      rate: '1610',
      rateAt: '2026-01-01T11:59:50.250Z',
      rateSource: 'yellowcard',
      fee: '50.01',
      feeCurrency: 'NGN',
      fxMargin: '1.5',
      // EIP-681: token contract @ chain id / transfer, receiver and base units.
      paymentUri:
        'ethereum:0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48@1/transfer?address=0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed&uint256=3152884',
      checkoutUrl: 'https://pay.example/checkout/0190a000-0000-7000-8000-000000000001',
      confirmations: 3,
      requiredConfirmations: 12,
      finality: 'confirmations',
      payments: [
        {
          txId: `0x${'12'.repeat(32)}`,
          chain: 'ethereum',
          token: 'USDC',
          amount: '1.5',
          from: '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359',
          blockHeight: 100,
          blockTime: '2026-01-01T12:05:00.000Z',
          status: 'seen',
          exception: 'none',
          confirmations: 3,
          requiredConfirmations: 12,
        },
      ],
      createdAt: '2026-01-01T12:00:00.000Z',
      paidAt: null,
      resolution: null,
      amountRefunded: '0',
      refunds: [],
    })
  })

  test('has its refunds, and the sum of those in its token on its chain that have arrived', () => {
    const refund = (more: Partial<RefundRecord>): RefundRecord => ({
      ...{
        sessionId: session().id,
        id: 'r',
        kind: 'amount',
        status: 'completed',
        chain: 'ethereum',
        token: 'USDC',
        amount: 1_500_000n,
      },
      ...{ txHash: null, createdAt: expiresAt, completedAt: expiresAt, isReported: true, ...more },
    })
    const refunds = [
      refund({}),
      refund({ amount: 1n }),
      refund({ status: 'processing' }),
      refund({ token: 'USDT' }),
      refund({ chain: 'polygon' }),
    ]
    const view = presentSession(session(), [], context(1), refunds)
    expect(view.amountRefunded).toBe('1.500001')
    expect(view.refunds.map(({ amount, token, status }) => [amount, token, status])).toContainEqual([
      '0.000001',
      'USDC',
      'completed',
    ])
    expect(view.refunds).toHaveLength(5)
  })

  test('without a currency has null, not "null" or 0', () => {
    const noRate = { localAmount: null, localCurrency: null, rate: null, rateAt: null, rateSource: null }
    const inToken = { ...noRate, fee: '0.050001000000000000', feeCurrency: 'USDC' }
    expect(presentSession(session(inToken), [], context(1), [])).toMatchObject({ ...noRate, fee: '0.050001' })
  })

  test('has no field of the row that is not for the business', () => {
    const shown = Object.keys(
      presentSession(session({ businessId: 'b', secretNote: 'x' }), [], context(1), []),
    )
    expect(
      shown.filter((field) => ['businessId', 'amountSettled', 'secretNote', 'family'].includes(field)),
    ).toEqual([])
  })
})

describe('confirmations', () => {
  const shown = (height: number | null, ...payments: PaymentRecord[]) =>
    presentSession(session(), payments, context(height), []).confirmations

  test('include the block of the payment itself, and are zero before there is a payment', () => {
    expect(shown(100)).toBe(0)
    expect(shown(100, payment(100))).toBe(1)
    expect(shown(111, payment(100))).toBe(12)
  })

  test('are those of the counted payment that has the fewest', () => {
    const late = { blockTime: new Date(expiresAt.getTime() + 1000) }
    expect(shown(111, payment(100), payment(105))).toBe(7)
    expect(shown(111, payment(100), payment(110, late))).toBe(12)
    expect(shown(111, payment(100), payment(110, { token: 'USDT' }))).toBe(12)
    expect(shown(111, payment(100), payment(110, { status: 'reverted' }))).toBe(12)
    expect(shown(111, payment(110, late))).toBe(0)
  })

  test('are zero for a reverted payment, and never negative while the indexer rewinds', () => {
    const [view] = presentSession(
      session(),
      [payment(100, { status: 'reverted' })],
      context(111),
      [],
    ).payments
    expect(view?.confirmations).toBe(0)
    expect(shown(90, payment(100))).toBe(0)
    expect(shown(null, payment(100))).toBe(0)
  })
})

describe('the finality of a payment', () => {
  test('is shown for the session and for each payment: a number, or that the chain calls its block finalized', () => {
    const finalized = presentSession(
      session({ finality: 'finalized', requiredConfirmations: 96 }),
      [payment(100, { depth: null })],
      context(102),
      [],
    )
    expect(finalized).toMatchObject({
      finality: 'finalized',
      requiredConfirmations: 96,
      payments: [{ confirmations: 3, requiredConfirmations: null }],
    })
    const [early, own] = presentSession(
      session(),
      [payment(100, { depth: 1 }), payment(101)],
      context(102),
      [],
    ).payments
    expect([early?.requiredConfirmations, own?.requiredConfirmations]).toEqual([1, 12])
  })
})

describe('a payment in another asset than requested', () => {
  const { chains: all } = configuredChains({
    ETHEREUM_RPC_URLS: 'http://localhost',
    OPTIMISM_RPC_URLS: 'http://localhost',
    BSC_RPC_URLS: 'http://localhost',
  })
  const everywhere: PresentContext = { chains: all, checkoutUrl, heights: new Map([['ethereum', 102]]) }
  const shown = (more: Partial<PaymentRecord>) => {
    const [view] = presentSession(session(), [payment(100, more)], everywhere, []).payments
    return [view?.amount, view?.exception, view?.confirmations]
  }

  test("is shown with that asset's decimals: the native coin, a bridged token, the same symbol on another chain", () => {
    expect(shown({ token: 'ETH', amount: 1_500_000_000_000_000_001n })).toEqual([
      '1.500000000000000001',
      'wrong_token',
      3,
    ])
    expect(shown({ chain: 'optimism', token: 'USDC.e', amount: 1_500_000n })).toEqual([
      '1.5',
      'wrong_token',
      0,
    ])
    expect(shown({ chain: 'optimism', token: 'USDT.e', amount: 2_000_000n })).toEqual(['2', 'wrong_token', 0])
    expect(shown({ chain: 'bsc', token: 'USDC', amount: 1_500_000_000_000_000_000n })).toEqual([
      '1.5',
      'wrong_chain',
      0,
    ])
    expect(shown({ chain: 'bsc', token: 'BNB', amount: 10n ** 17n })).toEqual(['0.1', 'wrong_token', 0])
  })
})

test('a database numeric loses only its trailing zeros', () => {
  expect(['0', '0.000000', '10', '10.000000', '100.500', '0.000000000000000001'].map(plain)).toEqual([
    '0',
    '0',
    '10',
    '10',
    '100.5',
    '0.000000000000000001',
  ])
  expect(() => plain('NaN')).toThrow('not a decimal')
  expect(() => plain('-1')).toThrow('not a decimal')
})

test('a session on a chain that is no longer configured is shown from the registry; one with an unknown token is an error, not a wrong amount', () => {
  expect(
    presentSession(session({ chain: 'bsc', amountExpected: `5${'0'.repeat(18)}` }), [], context(1), []),
  ).toMatchObject({
    chain: 'bsc',
    amountExpected: '5',
  })
  expect(() => presentSession(session({ token: 'EURC' }), [], context(1), [])).toThrow(
    'EURC on ethereum is not configured',
  )
})
