import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { getContractAddress, type Hex } from 'viem'
import { account, hash } from '../../../../test/support/madeNode.ts'
import { recordedBlock } from '../../../../test/support/recordedBlocks.ts'
import { recordedTraces } from '../../../../test/support/recordedTraces.ts'
import { ProviderError, type Transfer } from '../../chain.ts'
import { sound } from '../../providers/sound.ts'
import type { CallFrame, PrestateDiff, RpcBlock, RpcTransaction } from '../rpcTypes.ts'
import { internalTransfers, type Tracer, tracerOptions } from './internal.ts'

const miner = account(99)
const [alice, bob, carol, dave] = [account(1), account(2), account(3), account(4)]
const transaction = (more: Partial<RpcTransaction> = {}): RpcTransaction => ({
  hash: hash('tx'),
  from: alice,
  to: bob,
  value: '0x0',
  ...more,
})
const blockWith = (...transactions: RpcTransaction[]) => ({ number: '0x10', miner, transactions })
const call = (from: string, to: string, value: number, more: Partial<CallFrame> = {}): CallFrame => ({
  type: 'CALL',
  from,
  to,
  value: `0x${value.toString(16)}`,
  ...more,
})
const of = (root: CallFrame) =>
  internalTransfers(blockWith(transaction()), 'callTracer', [{ txHash: hash('tx'), result: root }])
const brief = (transfers: readonly Transfer[]) =>
  transfers.map(({ movementKey, from, to, amount }) => [movementKey, from, to, amount])
const named = (from: string, to: string, amount: bigint, before = 0) => [
  `trace:${from}:${to}:${amount}:${before}`,
  from,
  to,
  amount,
]

describe('call traces', () => {
  test("show the value of each call below the transaction's own call, keyed by its transfer", () => {
    const root = call(alice, bob, 9, {
      calls: [
        call(bob, carol, 5, { calls: [call(carol, dave, 2), call(carol, alice, 1)] }),
        call(bob, dave, 4),
      ],
    })
    expect(brief(of(root))).toEqual([
      named(bob, carol, 5n),
      named(carol, dave, 2n),
      named(carol, alice, 1n),
      named(bob, dave, 4n),
    ])
    expect(of(root)[0]).toEqual({
      txId: hash('tx'),
      movementKey: `trace:${bob}:${carol}:5:0`,
      contract: null,
      from: bob,
      to: carol,
      amount: 5n,
    })
  })

  test('leave out a failed call and all calls below it, and keep its siblings', () => {
    const root = call(alice, bob, 0, {
      calls: [
        call(bob, carol, 5, {
          error: 'execution reverted',
          calls: [call(carol, dave, 5, { calls: [call(dave, alice, 5)] })],
        }),
        call(bob, dave, 1),
      ],
    })
    expect(brief(of(root))).toEqual([named(bob, dave, 1n)])
  })

  test('leave out all calls of a failed transaction', () => {
    expect(of(call(alice, bob, 7, { error: 'out of gas', calls: [call(bob, carol, 7)] }))).toEqual([])
  })

  test.each(['CREATE', 'CREATE2', 'SELFDESTRUCT', 'SUICIDE', 'CALL', 'call', 'create2'])(
    'show the value that %s moves',
    (type) => {
      expect(brief(of(call(alice, bob, 0, { calls: [call(bob, carol, 3, { type })] })))).toEqual([
        named(bob, carol, 3n),
      ])
    },
  )

  test.each(['DELEGATECALL', 'STATICCALL', 'CALLCODE'])(
    'leave out %s, whose value does not move, and show the calls below it',
    (type) => {
      const root = call(alice, bob, 0, {
        calls: [call(bob, carol, 3, { type, calls: [call(bob, dave, 2)] })],
      })
      expect(brief(of(root))).toEqual([named(bob, dave, 2n)])
    },
  )

  test('leave out a call without value, or without a recipient', () => {
    const nowhere: CallFrame = { type: 'CREATE', from: bob, value: '0x5' }
    const valueless: CallFrame = { type: 'CALL', from: bob, to: carol }
    expect(of(call(alice, bob, 0, { calls: [call(bob, carol, 0), valueless, nowhere] }))).toEqual([])
  })

  test('name addresses in lower case', () => {
    const root = call(alice, bob, 0, {
      calls: [call(bob.toUpperCase().replace('0X', '0x'), carol.toUpperCase().replace('0X', '0x'), 3)],
    })
    expect(brief(of(root))).toEqual([named(bob, carol, 3n)])
  })

  test('follow the order of the transactions where they name no transaction', () => {
    const two = [transaction({ hash: hash('tx', 1) }), transaction({ hash: hash('tx', 2) })]
    const results = [1, 2].map((value) => ({
      result: call(alice, bob, 0, { calls: [call(bob, carol, value)] }),
    }))
    const transfers = internalTransfers(blockWith(...two), 'callTracer', results)
    expect(transfers.map(({ txId, amount }) => [txId, amount])).toEqual([
      [hash('tx', 1), 1n],
      [hash('tx', 2), 2n],
    ])
  })

  test('may omit a state sync of Polygon, which is not executed, and no other transaction', () => {
    const zero = `0x${'0'.repeat(40)}`
    const three = [0, 1, 2].map((index) => transaction({ hash: hash('tx', index) }))
    const results = three.map(({ hash: txHash }) => ({
      txHash,
      result: call(alice, bob, 0, { calls: [call(bob, carol, 1)] }),
    }))
    for (const missing of [0, 1, 2]) {
      const some = results.filter((_, index) => index !== missing)
      expect(() => internalTransfers(blockWith(...three), 'callTracer', some)).toThrow(ProviderError)
    }
    expect(() => internalTransfers(blockWith(...three), 'callTracer', [])).toThrow(ProviderError)
    const synced = blockWith(...three.slice(0, 2), transaction({ hash: hash('tx', 2), from: zero, to: zero }))
    expect(internalTransfers(synced, 'callTracer', results.slice(0, 2))).toHaveLength(2)
  })

  test.each<[string, unknown]>([
    ['not a list', null],
    ['an object', {}],
    ['a null entry', [null]],
    ['a trace that failed', [{ txHash: hash('tx'), error: 'execution timeout' }]],
    ['a trace of another transaction', [{ txHash: hash('other'), result: call(alice, bob, 0) }]],
    [
      'a value that is not a number',
      [
        {
          txHash: hash('tx'),
          result: call(alice, bob, 0, { calls: [call(bob, carol, 1, { value: 'much' })] }),
        },
      ],
    ],
    ['calls that are not a list', [{ txHash: hash('tx'), result: { ...call(alice, bob, 0), calls: 7 } }]],
  ])('are refused as a ProviderError: %s', (_what, answered) => {
    expect(() =>
      sound(() =>
        internalTransfers(
          blockWith(transaction(), transaction({ hash: hash('tx', 9) })),
          'callTracer',
          answered,
        ),
      ),
    ).toThrow(ProviderError)
  })

  test('give unique keys, and keep exactly the calls of any tree that no failure reverted', () => {
    const frame: fc.Memo<CallFrame> = fc.memo((depth) =>
      fc.record({
        type: fc.constantFrom('CALL', 'DELEGATECALL', 'STATICCALL', 'CREATE', 'CREATE2', 'SELFDESTRUCT'),
        from: fc.constant(bob),
        to: fc.constantFrom(carol, dave),
        value: fc.constantFrom('0x0', '0x1', '0x5'),
        ...(depth > 1 && { calls: fc.array(frame(depth - 1), { maxLength: 3 }) }),
        error: fc.constantFrom(...Array.from({ length: 6 }, () => ''), 'execution reverted'),
      }),
    )
    const moved = (each: CallFrame, isRoot: boolean): bigint => {
      if (each.error) return 0n
      const own = !isRoot && !/DELEGATE|STATIC/.test(each.type) ? BigInt(each.value ?? '0x0') : 0n
      return own + (each.calls ?? []).reduce((sum, below) => sum + moved(below, false), 0n)
    }
    fc.assert(
      fc.property(frame(5), (root) => {
        const transfers = of(root)
        expect(new Set(transfers.map(({ movementKey }) => movementKey)).size).toBe(transfers.length)
        expect(transfers.reduce((sum, { amount }) => sum + amount, 0n)).toBe(moved(root, true))
      }),
    )
  })
})

describe('differences of balances', () => {
  const diff = (more: {
    value?: string
    to?: string | null
    pre: PrestateDiff['pre']
    post: PrestateDiff['post']
    hash?: string
  }) => {
    const { value = '0x0', to = bob, pre, post } = more
    return internalTransfers(blockWith(transaction({ value, to, nonce: '0x7' })), 'prestateTracer', [
      { txHash: hash('tx'), result: { pre, post } },
    ])
  }
  const balance = (value: number) => ({ balance: `0x${value.toString(16)}` })

  test('show the gain of an account, also of one that was empty', () => {
    const transfers = diff({ pre: { [carol]: balance(5) }, post: { [carol]: balance(12), [bob]: {} } })
    expect(transfers).toEqual([
      {
        txId: hash('tx'),
        movementKey: expect.any(String),
        contract: null,
        from: alice,
        to: carol,
        amount: 7n,
      },
    ])
    expect(diff({ pre: {}, post: { [dave]: balance(3) } })).toMatchObject([{ to: dave, amount: 3n }])
  })

  test("leave out the transaction's own value from the gain of its recipient", () => {
    expect(diff({ value: '0x5', pre: { [bob]: balance(1) }, post: { [bob]: balance(6) } })).toEqual([])
    expect(diff({ value: '0x5', pre: { [bob]: balance(1) }, post: { [bob]: balance(8) } })).toMatchObject([
      { to: bob, amount: 2n },
    ])
  })

  test('show the final account where a recipient passed the value on', () => {
    const transfers = diff({
      value: '0x5',
      pre: { [bob]: balance(1), [carol]: balance(1) },
      post: { [bob]: {}, [carol]: balance(6) },
    })
    expect(transfers).toMatchObject([{ to: carol, amount: 5n }])
    expect(transfers).toHaveLength(1)
  })

  test('leave out accounts that lost, or changed without a balance', () => {
    expect(
      diff({ pre: { [carol]: balance(9), [dave]: balance(2) }, post: { [carol]: balance(2), [dave]: {} } }),
    ).toEqual([])
  })

  test('leave out sender and fee recipient, whose differences include gas', () => {
    const upper = (address: string) => address.toUpperCase().replace('0X', '0x')
    expect(
      diff({ pre: { [alice]: balance(9) }, post: { [alice]: balance(20), [miner]: balance(7) } }),
    ).toEqual([])
    expect(
      diff({
        pre: { [upper(alice)]: balance(9) },
        post: { [upper(alice)]: balance(20), [upper(miner)]: balance(7) },
      }),
    ).toEqual([])
  })

  test('leave out the value of a contract creation', () => {
    const created = getContractAddress({ from: alice as Hex, nonce: 7n }).toLowerCase()
    expect(diff({ to: null, value: '0x5', pre: {}, post: { [created]: balance(5) } })).toEqual([])
    expect(diff({ to: null, value: '0x5', pre: {}, post: { [created]: balance(8) } })).toMatchObject([
      { to: created, amount: 3n },
    ])
  })

  test('show value that a new contract passed on during its creation to an empty account', () => {
    expect(
      diff({ to: null, value: '0x5', pre: {}, post: { [carol]: {}, [dave]: balance(5) } }),
    ).toMatchObject([{ to: dave, amount: 5n }])
  })

  test('give different keys to the gains of two accounts in one transaction', () => {
    const transfers = diff({ pre: {}, post: { [carol]: balance(5), [dave]: balance(6) } })
    expect(transfers).toHaveLength(2)
    expect(new Set(transfers.map(({ movementKey }) => movementKey)).size).toBe(2)
  })
})

test("tracer options are in geth's format", () => {
  expect(tracerOptions('callTracer')).toEqual({ tracer: 'callTracer' })
  expect(tracerOptions('prestateTracer')).toEqual({
    tracer: 'prestateTracer',
    tracerConfig: { diffMode: true },
  })
})

describe('the traces of recorded blocks', () => {
  test('ethereum/15753009: 74 internal transfers, with 47 recipients that no transaction pays directly', () => {
    const { block } = recordedBlock('ethereum/15753009')
    const transfers = internalTransfers(
      block as unknown as RpcBlock,
      'callTracer' satisfies Tracer,
      recordedTraces('ethereum/15753009'),
    )
    expect(transfers).toHaveLength(74)
    const direct = new Set(block.transactions.filter(({ value }) => BigInt(value) > 0n).map(({ to }) => to))
    expect(new Set(transfers.map(({ to }) => to).filter((to) => !direct.has(to as `0x${string}`))).size).toBe(
      47,
    )
    expect(new Set(transfers.map(({ txId, movementKey }) => `${txId} ${movementKey}`)).size).toBe(74)
  })

  test("polygon/38102393: 11 internal transfers, the same as in the chain's logs", () => {
    const { block, receipts } = recordedBlock('polygon/38102393')
    const transfers = internalTransfers(
      block as unknown as RpcBlock,
      'callTracer',
      recordedTraces('polygon/38102393'),
    )
    expect(transfers).toHaveLength(11)
    const logged = receipts
      .flatMap(({ logs }) => logs)
      .filter((log) => log.address.endsWith('1010') && log.topics[0]?.startsWith('0xe6497e3e'))
      .map((log) =>
        [
          log.transactionHash,
          log.topics[2]?.slice(26),
          log.topics[3]?.slice(26),
          BigInt(log.data.slice(0, 66)),
        ].join(' '),
      )
    for (const { txId, from, to, amount } of transfers)
      expect(logged).toContain([txId, from.slice(2), to.slice(2), amount].join(' '))
  })
})
