import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { getContractAddress, type Hex } from 'viem'
import { account, hash } from '../../../test/support/madeNode.ts'
import { recordedBlock } from '../../../test/support/recordedBlocks.ts'
import { recordedTraces } from '../../../test/support/recordedTraces.ts'
import { ProviderError, type Transfer } from '../chain.ts'
import { sound } from '../providers/sound.ts'
import { internalTransfers, type Tracer, tracerOptions } from './internal.ts'
import type { CallFrame, PrestateDiff, RpcBlock, RpcTransaction } from './rpcTypes.ts'

const miner = account(99)
const [alice, bob, carol, dave] = [account(1), account(2), account(3), account(4)]
const transaction = (more: Partial<RpcTransaction> = {}): RpcTransaction => ({ hash: hash('tx'), from: alice, to: bob, value: '0x0', ...more })
const blockWith = (...transactions: RpcTransaction[]) => ({ number: '0x10', miner, transactions })
const call = (from: string, to: string, value: number, more: Partial<CallFrame> = {}): CallFrame => ({
  type: 'CALL',
  from,
  to,
  value: `0x${value.toString(16)}`,
  ...more,
})
const of = (root: CallFrame) => internalTransfers(blockWith(transaction()), 'callTracer', [{ txHash: hash('tx'), result: root }])
const brief = (transfers: readonly Transfer[]) => transfers.map(({ movementKey, from, to, amount }) => [movementKey, from, to, amount])
const named = (from: string, to: string, amount: bigint, before = 0) => [`trace:${from}:${to}:${amount}:${before}`, from, to, amount]

describe('call traces', () => {
  test("tell the value of calls below the transaction's own, each by what it moved, and not that one", () => {
    const root = call(alice, bob, 9, {
      calls: [call(bob, carol, 5, { calls: [call(carol, dave, 2), call(carol, alice, 1)] }), call(bob, dave, 4)],
    })
    expect(brief(of(root))).toEqual([named(bob, carol, 5n), named(carol, dave, 2n), named(carol, alice, 1n), named(bob, dave, 4n)])
    expect(of(root)[0]).toEqual({ txId: hash('tx'), movementKey: `trace:${bob}:${carol}:5:0`, contract: null, from: bob, to: carol, amount: 5n })
  })

  test('tell nothing of a call that failed, nor of any below it, and all of those beside it', () => {
    const root = call(alice, bob, 0, {
      calls: [
        call(bob, carol, 5, { error: 'execution reverted', calls: [call(carol, dave, 5, { calls: [call(dave, alice, 5)] })] }),
        call(bob, dave, 1),
      ],
    })
    expect(brief(of(root))).toEqual([named(bob, dave, 1n)])
  })

  test('tell nothing of a transaction that failed as a whole', () => {
    expect(of(call(alice, bob, 7, { error: 'out of gas', calls: [call(bob, carol, 7)] }))).toEqual([])
  })

  test.each(['CREATE', 'CREATE2', 'SELFDESTRUCT', 'SUICIDE', 'CALL', 'call', 'create2'])('tell what %s moves', (type) => {
    expect(brief(of(call(alice, bob, 0, { calls: [call(bob, carol, 3, { type })] })))).toEqual([named(bob, carol, 3n)])
  })

  test.each(['DELEGATECALL', 'STATICCALL', 'CALLCODE'])('tell nothing of %s, which carries a value and moves none, but what it does', (type) => {
    const root = call(alice, bob, 0, { calls: [call(bob, carol, 3, { type, calls: [call(bob, dave, 2)] })] })
    expect(brief(of(root))).toEqual([named(bob, dave, 2n)])
  })

  test('tell nothing of a call without value, or to nowhere', () => {
    const nowhere: CallFrame = { type: 'CREATE', from: bob, value: '0x5' }
    const valueless: CallFrame = { type: 'CALL', from: bob, to: carol }
    expect(of(call(alice, bob, 0, { calls: [call(bob, carol, 0), valueless, nowhere] }))).toEqual([])
  })

  test('name addresses in lower case', () => {
    const root = call(alice, bob, 0, { calls: [call(bob.toUpperCase().replace('0X', '0x'), carol.toUpperCase().replace('0X', '0x'), 3)] })
    expect(brief(of(root))).toEqual([named(bob, carol, 3n)])
  })

  test('are taken in the order of the transactions where they do not say whose they are', () => {
    const two = [transaction({ hash: hash('tx', 1) }), transaction({ hash: hash('tx', 2) })]
    const results = [1, 2].map((value) => ({ result: call(alice, bob, 0, { calls: [call(bob, carol, value)] }) }))
    const transfers = internalTransfers(blockWith(...two), 'callTracer', results)
    expect(transfers.map(({ txId, amount }) => [txId, amount])).toEqual([
      [hash('tx', 1), 1n],
      [hash('tx', 2), 2n],
    ])
  })

  test('may leave out a state sync of Polygon, which never runs as a transaction, and no other one: not the last either', () => {
    const zero = `0x${'0'.repeat(40)}`
    const three = [0, 1, 2].map((index) => transaction({ hash: hash('tx', index) }))
    const results = three.map(({ hash: txHash }) => ({ txHash, result: call(alice, bob, 0, { calls: [call(bob, carol, 1)] }) }))
    for (const missing of [0, 1, 2]) {
      const some = results.filter((_, index) => index !== missing)
      expect(() => internalTransfers(blockWith(...three), 'callTracer', some)).toThrow(ProviderError)
    }
    expect(() => internalTransfers(blockWith(...three), 'callTracer', [])).toThrow(ProviderError)
    const synced = blockWith(...three.slice(0, 2), transaction({ hash: hash('tx', 2), from: zero, to: zero }))
    expect(internalTransfers(synced, 'callTracer', results.slice(0, 2))).toHaveLength(2)
  })

  test.each<[string, unknown]>([
    ['no list', null],
    ['an object', {}],
    ['a hole', [null]],
    ['a trace that failed', [{ txHash: hash('tx'), error: 'execution timeout' }]],
    ['a trace of another transaction', [{ txHash: hash('other'), result: call(alice, bob, 0) }]],
    ['a value that is no number', [{ txHash: hash('tx'), result: call(alice, bob, 0, { calls: [call(bob, carol, 1, { value: 'much' })] }) }]],
    ['calls that are no list', [{ txHash: hash('tx'), result: { ...call(alice, bob, 0), calls: 7 } }]],
  ])('that are %s are refused as a failure of their provider', (_what, answered) => {
    expect(() => sound(() => internalTransfers(blockWith(transaction(), transaction({ hash: hash('tx', 9) })), 'callTracer', answered))).toThrow(
      ProviderError,
    )
  })

  test('name no movement twice, and keep of any tree of calls exactly those that no failure took back', () => {
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
  const diff = (more: { value?: string; to?: string | null; pre: PrestateDiff['pre']; post: PrestateDiff['post']; hash?: string }) => {
    const { value = '0x0', to = bob, pre, post } = more
    return internalTransfers(blockWith(transaction({ value, to, nonce: '0x7' })), 'prestateTracer', [{ txHash: hash('tx'), result: { pre, post } }])
  }
  const balance = (value: number) => ({ balance: `0x${value.toString(16)}` })

  test('tell what an account gained beyond what it had, though it had nothing', () => {
    const transfers = diff({ pre: { [carol]: balance(5) }, post: { [carol]: balance(12), [bob]: {} } })
    expect(transfers).toEqual([{ txId: hash('tx'), movementKey: expect.any(String), contract: null, from: alice, to: carol, amount: 7n }])
    expect(diff({ pre: {}, post: { [dave]: balance(3) } })).toMatchObject([{ to: dave, amount: 3n }])
  })

  test("leave out the transaction's own value, which its recipient gained, and tell what it gained besides", () => {
    expect(diff({ value: '0x5', pre: { [bob]: balance(1) }, post: { [bob]: balance(6) } })).toEqual([])
    expect(diff({ value: '0x5', pre: { [bob]: balance(1) }, post: { [bob]: balance(8) } })).toMatchObject([{ to: bob, amount: 2n }])
  })

  test('tell nothing of a recipient that passed on what it got, and the one that it was passed to', () => {
    const transfers = diff({ value: '0x5', pre: { [bob]: balance(1), [carol]: balance(1) }, post: { [bob]: {}, [carol]: balance(6) } })
    expect(transfers).toMatchObject([{ to: carol, amount: 5n }])
    expect(transfers).toHaveLength(1)
  })

  test('tell nothing of accounts that lost, or changed in anything else', () => {
    expect(diff({ pre: { [carol]: balance(9), [dave]: balance(2) }, post: { [carol]: balance(2), [dave]: {} } })).toEqual([])
  })

  test('leave out sender and fee recipient, in whose differences there is gas', () => {
    const upper = (address: string) => address.toUpperCase().replace('0X', '0x')
    expect(diff({ pre: { [alice]: balance(9) }, post: { [alice]: balance(20), [miner]: balance(7) } })).toEqual([])
    expect(diff({ pre: { [upper(alice)]: balance(9) }, post: { [upper(alice)]: balance(20), [upper(miner)]: balance(7) } })).toEqual([])
  })

  test('leave out the value that a contract is created with', () => {
    const created = getContractAddress({ from: alice as Hex, nonce: 7n }).toLowerCase()
    expect(diff({ to: null, value: '0x5', pre: {}, post: { [created]: balance(5) } })).toEqual([])
    expect(diff({ to: null, value: '0x5', pre: {}, post: { [created]: balance(8) } })).toMatchObject([{ to: created, amount: 3n }])
  })

  test('tell what a contract passed on, in its creation, to an account that was empty before', () => {
    expect(diff({ to: null, value: '0x5', pre: {}, post: { [carol]: {}, [dave]: balance(5) } })).toMatchObject([{ to: dave, amount: 5n }])
  })

  test('name the gains of two accounts in one transaction differently', () => {
    const transfers = diff({ pre: {}, post: { [carol]: balance(5), [dave]: balance(6) } })
    expect(transfers).toHaveLength(2)
    expect(new Set(transfers.map(({ movementKey }) => movementKey)).size).toBe(2)
  })
})

test('the tracers are asked as geth wants it', () => {
  expect(tracerOptions('callTracer')).toEqual({ tracer: 'callTracer' })
  expect(tracerOptions('prestateTracer')).toEqual({ tracer: 'prestateTracer', tracerConfig: { diffMode: true } })
})

describe('the traces of recorded blocks', () => {
  test('ethereum/15753009: 74 internal movements, of which 47 recipients are in no other way seen', () => {
    const { block } = recordedBlock('ethereum/15753009')
    const transfers = internalTransfers(block as unknown as RpcBlock, 'callTracer' satisfies Tracer, recordedTraces('ethereum/15753009'))
    expect(transfers).toHaveLength(74)
    const direct = new Set(block.transactions.filter(({ value }) => BigInt(value) > 0n).map(({ to }) => to))
    expect(new Set(transfers.map(({ to }) => to).filter((to) => !direct.has(to as `0x${string}`))).size).toBe(47)
    expect(new Set(transfers.map(({ txId, movementKey }) => `${txId} ${movementKey}`)).size).toBe(74)
  })

  test('polygon/38102393: 11 internal movements, the same that the chain logs', () => {
    const { block, receipts } = recordedBlock('polygon/38102393')
    const transfers = internalTransfers(block as unknown as RpcBlock, 'callTracer', recordedTraces('polygon/38102393'))
    expect(transfers).toHaveLength(11)
    const logged = receipts
      .flatMap(({ logs }) => logs)
      .filter((log) => log.address.endsWith('1010') && log.topics[0]?.startsWith('0xe6497e3e'))
      .map((log) => [log.transactionHash, log.topics[2]?.slice(26), log.topics[3]?.slice(26), BigInt(log.data.slice(0, 66))].join(' '))
    for (const { txId, from, to, amount } of transfers) expect(logged).toContain([txId, from.slice(2), to.slice(2), amount].join(' '))
  })
})
