import { describe, expect, test } from '@jest/globals'
import { account, madeBlock, madeNode, madeReader } from '../../../../test/support/madeNode.ts'
import { ProviderError } from '../../chain.ts'
import { RpcError } from '../../providers/jsonRpc.ts'
import { WrongChainError } from '../../providers/providers.ts'

const blocks = [1, 2, 3].map((height) => madeBlock(height))
type Change = Parameters<typeof madeNode>[2]
const refuses = (code: number, message: string) => () => {
  throw new RpcError('a: method', code, message)
}
const tracing = (...tracers: string[]): Change => ({
  without: new Set(),
  answer: {
    debug_traceBlockByHash: ([, options]) => {
      const { tracer } = options as { tracer: string }
      if (!tracers.includes(tracer))
        throw new RpcError('a: debug_traceBlockByHash', -32000, 'tracer not found')
      return []
    },
  },
})

/** Surveys one node. */
async function survey(change: Change = {}, chain: Parameters<typeof madeReader>[1] = {}) {
  const node = madeNode('a', blocks, change)
  const made = madeReader([node], chain)
  const identify = () => made.providers.verify()
  const found = await identify().then(
    () => made.survey.of('a'),
    (error: unknown) => error,
  )
  return { node, found, identify, ...made }
}

describe('the capabilities of a provider', () => {
  test('are surveyed once, and not at the next check of its chain', async () => {
    const { node, found, identify } = await survey({ finalized: 2, ...tracing('callTracer') })
    expect(found).toEqual({ blockReceipts: true, finalizedTag: true, tracer: 'callTracer' })
    const before = node.calls.length
    await identify()
    expect(node.calls.slice(before)).toEqual(['eth_chainId undefined'])
  })

  test('exclude a method that it does not support', async () => {
    const { found } = await survey({ without: new Set(['eth_getBlockReceipts', 'debug_traceBlockByHash']) })
    expect(found).toEqual({ blockReceipts: false, finalizedTag: false, tracer: null })
    expect(
      (
        await survey({
          answer: { eth_getBlockReceipts: refuses(-32600, 'Unsupported method: eth_getBlockReceipts') },
        })
      ).found,
    ).toMatchObject({
      blockReceipts: false,
    })
  })

  test('exclude the tag `finalized` where it refuses it with any message', async () => {
    const finalized = (answer: () => unknown): Change => ({
      answer: { eth_getBlockByNumber: ([at], truth) => (at === 'finalized' ? answer() : truth()) },
    })
    for (const answer of [
      refuses(-32602, 'invalid block tag'),
      refuses(-39001, 'Unknown block'),
      () => null,
    ]) {
      expect((await survey(finalized(answer))).found).toMatchObject({ finalizedTag: false })
    }
  })

  test.each([
    [
      'a time-out',
      () => {
        throw new ProviderError('a: timeout')
      },
    ],
    ['a refusal for another reason', refuses(-32000, 'execution aborted (timeout = 5s)')],
    ['an internal error', refuses(-32603, 'internal error')],
  ])('are unknown after %s: the error is thrown, and the survey runs again', async (_what, fail) => {
    let works = false
    const {
      found,
      identify,
      survey: made,
    } = await survey({
      answer: { eth_getBlockReceipts: (_, truth) => (works ? truth() : fail()) },
    })
    expect(found).toBeInstanceOf(ProviderError)
    expect(made.of('a')).toBeNull()
    works = true
    await identify()
    expect(made.of('a')).toMatchObject({ blockReceipts: true })
  })

  test('are surveyed on the next latest block where a fork removed the first, at most three times', async () => {
    for (const [missing, known] of [
      [2, true],
      [3, false],
    ] as const) {
      let asked = 0
      const { found } = await survey({
        answer: { eth_getBlockReceipts: (_, truth) => (++asked <= missing ? null : truth()) },
      })
      expect(asked).toBe(3)
      if (known) expect(found).toMatchObject({ blockReceipts: true })
      else expect(found).toBeInstanceOf(ProviderError)
    }
  })

  test('are unknown while it lacks the latest block that it just named', async () => {
    let lags = true
    const { identify, survey: made } = await survey({
      answer: { eth_getBlockReceipts: (_, truth) => (lags ? null : truth()) },
    })
    lags = false
    await identify().catch(() => {})
    expect(made.of('a')).toMatchObject({ blockReceipts: true })
  })

  test('are not surveyed while it has no block', async () => {
    const { found, survey: made } = await survey({ answer: { eth_getBlockByNumber: () => null } })
    expect(found).toBeNull()
    expect(made.internalMethod()).toBeNull()
  })
})

describe('a provider of another chain', () => {
  test.each([
    ['another id', '0x89'],
    ['no id', null],
    ['nonsense', 'mainnet'],
    ['a number', 1],
  ])('that answers %s is refused, and gets no more requests', async (_what, answer) => {
    const { node, refused, reader } = await survey({ answer: { eth_chainId: () => answer } })
    expect(refused).toEqual(['a'])
    expect(node.calls).toEqual(['eth_chainId undefined'])
    await expect(reader.head()).rejects.toBeInstanceOf(ProviderError)
  })

  test('throws a WrongChainError that names both chains', async () => {
    const { ctx } = await survey({ chainId: 137 })
    const rpc = madeNode('b', blocks, { chainId: 137 }).open((_, request) => request())
    await expect(ctx.survey.identify(rpc)).rejects.toThrow(WrongChainError)
    await expect(ctx.survey.identify(rpc)).rejects.toThrow('b is a node of chain id 0x89, expected 1')
  })
})

describe('the method for internal transfers', () => {
  test('is `traces`, with the best tracer of any provider', async () => {
    expect((await survey(tracing('callTracer', 'prestateTracer'))).survey.tracer()).toBe('callTracer')
    expect((await survey(tracing('prestateTracer'))).survey.tracer()).toBe('prestateTracer')
    const { providers, survey: both } = madeReader([
      madeNode('a', blocks, tracing('prestateTracer')),
      madeNode('b', blocks, tracing('callTracer')),
    ])
    await providers.verify()
    expect([both.tracer(), both.internalMethod()]).toEqual(['callTracer', 'traces'])
  })

  test('is `balances` where no provider traces, or where the operator chose it', async () => {
    expect((await survey()).survey.internalMethod()).toBe('balances')
    const { node, survey: chosen } = await survey(tracing('callTracer'), { internalTransfers: 'balances' })
    expect([chosen.internalMethod(), chosen.tracer()]).toEqual(['balances', null])
    expect(node.calls.filter((call) => call.startsWith('debug'))).toEqual([])
  })

  test('is `events` where the chain logs them, without any trace; and `none` where the operator turned it off', async () => {
    const logged = await survey(tracing('callTracer'), { nativeLog: account(1010) })
    expect(logged.survey.internalMethod()).toBe('events')
    expect(logged.node.calls.filter((call) => call.startsWith('debug'))).toEqual([])
    expect((await survey(tracing('callTracer'), { internalTransfers: 'off' })).survey.internalMethod()).toBe(
      'none',
    )
    expect(
      (await survey({}, { internalTransfers: 'off', nativeLog: account(1010) })).survey.internalMethod(),
    ).toBe('none')
  })

  test('is unknown before a provider was surveyed', () => {
    expect(madeReader([madeNode('a', blocks)]).survey.internalMethod()).toBeNull()
  })
})
