import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import type { Hex } from 'viem'
import { type EvmDevnet, startEvmDevnet } from '../../../../test/devnets/evm.ts'
import { addressOf, intentOf, keyOf } from '../../../../test/support/evmIntents.ts'
import { type Change, changed, plain, sendingOn } from '../../../../test/support/evmSending.ts'
import { waitFor } from '../../../../test/support/waitFor.ts'
import { ProviderError } from '../../chain.ts'
import { RpcError } from '../../providers/jsonRpc.ts'
import type { Chain } from '../../registry.ts'
import type { SentTransaction, Terms } from '../../sending.ts'

const gwei = 10n ** 9n
const to = addressOf(keyOf(2))
const terms = {
  gas: '21000',
  maxFeePerGas: String(50n * gwei),
  maxPriorityFeePerGas: String(gwei),
  l1Fee: '0',
}
/** Confirms a transfer after few blocks, and finalizes it a few blocks later. */
const rules: Partial<Chain> = { confirmations: 3, finalizedDepth: 6, byFinalizedTag: false }
/** Blocks between the devnet's head and its tag `finalized`. */
const tagBehind = 8

let devnet: EvmDevnet
let chain: ReturnType<typeof sendingOn>
beforeAll(async () => {
  devnet = await startEvmDevnet({ chain: 'ethereum', blockSeconds: 0 })
  chain = sendingOn(devnet, rules)
  await chain.mine(20)
})
afterAll(async () => {
  await chain?.ctx.providers.close()
  await devnet?.stop()
})

/** A node that does not know the tag `finalized`. */
const tagless: Change = async (method, [tag], truth) => {
  if (method === 'eth_getBlockByNumber' && tag === 'finalized')
    throw new RpcError('tagless: eth_getBlockByNumber', -32602, 'invalid block tag')
  return truth()
}
const through = (change: Change, more: Partial<Chain> = {}) =>
  sendingOn(devnet, { ...rules, ...more }, [changed(devnet.rpcUrl, 'changed', change)])
const providersWith = (...changes: (Change | 'plain')[]) =>
  sendingOn(
    devnet,
    rules,
    changes.map((change, index) =>
      change === 'plain' ? plain(devnet.rpcUrl) : changed(devnet.rpcUrl, `node ${index}`, change),
    ),
  )

let keys = 2000
/** A new sender, with functions to sign, broadcast and read its transactions. */
async function fundedSender() {
  const key = keyOf(keys++)
  const from = addressOf(key)
  await chain.fund(from, 10n ** 18n)
  const sign = (change: { amount?: bigint; terms?: Terms; token?: typeof chain.usdc } = {}) =>
    chain.sign(
      intentOf({ from, to, amount: change.amount ?? 1n, token: change.token ?? null }),
      change.terms ?? terms,
      0n,
      key,
    )
  const sent = (...signed: { txId: string }[]): SentTransaction[] =>
    signed.map(({ txId }) => ({ txId, nonce: 0n, expiry: null }))
  return { from, sign, sent, broadcast: (signed: ReturnType<typeof sign>) => chain.sender.broadcast(signed) }
}

/** One transaction, in a block with this many blocks after it. */
async function included(after = 0) {
  const one = await fundedSender()
  const signed = one.sign()
  await one.broadcast(signed)
  await chain.mine(1)
  if (after > 0) await chain.mine(after)
  return { ...one, signed, ask: (by = chain) => by.sender.outcome(one.from, one.sent(signed)) }
}

describe('a transaction', () => {
  test('is absent before it is sent and while it is pending, and included once it is in a block', async () => {
    const { from, sign, sent, broadcast } = await fundedSender()
    const signed = sign({ amount: 5n })
    const ask = () => chain.sender.outcome(from, sent(signed))
    expect(await ask()).toEqual({ status: 'absent' })
    await broadcast(signed)
    expect(await ask()).toEqual({ status: 'absent' })
    await chain.mine()
    const block = (await chain.call('eth_getBlockByNumber', 'latest', false)) as {
      number: Hex
      hash: Hex
      baseFeePerGas: Hex
    }
    const balance = BigInt((await chain.call('eth_getBalance', from, 'latest')) as string)
    expect(await ask()).toEqual({
      status: 'included',
      txId: signed.txId,
      succeeded: true,
      reason: null,
      blockHeight: Number(block.number),
      blockId: block.hash,
      standing: 'seen',
      fee: 10n ** 18n - 5n - balance,
      gasUsed: 21_000n,
      // As one node reports them, which does not count before it is confirmed.
      tokenMoves: null,
    })
  })

  test('is absent for an empty list', async () => {
    expect(await chain.sender.outcome(to, [])).toEqual({ status: 'absent' })
  })

  test('is confirmed and final by depth, counting its own block', async () => {
    const { ask } = await included()
    const by = through(tagless)
    const seen: string[] = []
    for (let depth = 1; depth <= 6; depth++) {
      const outcome = await ask(by)
      seen.push(outcome.status === 'included' ? outcome.standing : outcome.status)
      await chain.mine()
    }
    expect(seen).toEqual(['seen', 'seen', 'confirmed', 'confirmed', 'confirmed', 'final'])
  })

  test('is final once the node calls its block finalized, and on some chains confirmed only then', async () => {
    const { ask } = await included(tagBehind - 1)
    const byTag = sendingOn(devnet, { confirmations: 1, finalizedDepth: 1000, byFinalizedTag: true })
    expect(await ask(byTag)).toMatchObject({ standing: 'seen' })
    await chain.mine()
    expect(await ask(byTag)).toMatchObject({ standing: 'final' })
    const without = (finalizedDepth: number) =>
      through(tagless, { confirmations: 1, finalizedDepth, byFinalizedTag: true })
    expect(await ask(without(10))).toMatchObject({ standing: 'seen' })
    expect(await ask(without(9))).toMatchObject({ standing: 'final' })
  })

  test('that failed has its reason and its fee', async () => {
    const { from, sign, sent, broadcast } = await fundedSender()
    const signed = sign({ token: chain.usdc, terms: { ...terms, gas: '65000' } })
    await broadcast(signed)
    await chain.mine()
    const outcome = await chain.sender.outcome(from, sent(signed))
    const balance = BigInt((await chain.call('eth_getBalance', from, 'latest')) as string)
    expect(outcome).toMatchObject({
      status: 'included',
      succeeded: false,
      reason: 'ERC20: transfer amount exceeds balance',
      fee: 10n ** 18n - balance,
    })
    const pruned: Change = async (method, _, truth) => {
      if (method === 'eth_call') throw new RpcError('changed: eth_call', -32000, 'missing trie node')
      return truth()
    }
    expect(await through(pruned).sender.outcome(from, sent(signed))).toMatchObject({
      succeeded: false,
      reason: null,
    })
  })

  test('that ran out of gas has that reason', async () => {
    const one = await fundedSender()
    await chain.call('anvil_dealERC20', one.from, devnet.usdc, '0x64')
    const signed = one.sign({ token: chain.usdc, terms: { ...terms, gas: '30000' } })
    await one.broadcast(signed)
    await chain.mine()
    expect(await chain.sender.outcome(one.from, one.sent(signed))).toMatchObject({
      succeeded: false,
      reason: expect.stringMatching(/out of gas|OOG/),
    })
  })

  test('includes the L1 data fee on OP stack chains', async () => {
    const { ask } = await included()
    const plainFee = await ask()
    const receipts: Change = async (method, _, truth) =>
      method === 'eth_getTransactionReceipt' ? { ...((await truth()) as object), l1Fee: '0x64' } : truth()
    const outcome = await ask(through(receipts))
    expect([outcome, plainFee].map((each) => each.status === 'included' && each.fee)).toEqual([
      21_000n * effective(plainFee) + 100n,
      21_000n * effective(plainFee),
    ])
    const priceless: Change = async (method, _, truth) =>
      method === 'eth_getTransactionReceipt'
        ? { ...((await truth()) as object), effectiveGasPrice: undefined }
        : truth()
    expect(await ask(through(priceless))).toMatchObject({ fee: null, gasUsed: 21_000n })
  })

  test.each([
    ['Isthmus', 1_764_691_200, 1_439_103_868n * 21_000n],
    ['Jovian', 1_764_691_201, 1_439_103_868n * 21_000n * 100_000_000n],
  ])(
    'includes the operator fee of OP stack chains, by the formula of %s at the time of its block',
    async (_fork, time, ofGas) => {
      const { ask } = await included()
      const plainFee = await ask()
      const constant = 1_256_417_826_609_331_460n
      const change: Change = async (method, _, truth) => {
        const answer = (await truth()) as object
        if (method === 'eth_getBlockByHash') return { ...answer, timestamp: `0x${time.toString(16)}` }
        if (method !== 'eth_getTransactionReceipt') return answer
        return {
          ...answer,
          operatorFeeScalar: '0x55c6fb7c',
          operatorFeeConstant: `0x${constant.toString(16)}`,
        }
      }
      const outcome = await ask(through(change, { name: 'optimism', jovianTime: 1_764_691_201 }))
      const fee = 21_000n * effective(plainFee) + ofGas / 1_000_000n + constant
      expect(outcome).toMatchObject({ status: 'included', fee })
      expect(await ask(through(change))).toMatchObject({ fee: 21_000n * effective(plainFee) })
    },
  )

  test('has no fee from a node that has the receipt, and not its block', async () => {
    const { ask } = await included()
    const change: Change = async (method, _, truth) => {
      if (method === 'eth_getBlockByHash') return null
      const answer = (await truth()) as object
      return method === 'eth_getTransactionReceipt' ? { ...answer, operatorFeeScalar: '0x1' } : answer
    }
    await expect(ask(through(change, { name: 'optimism', jovianTime: 1_764_691_201 }))).rejects.toThrow(
      ProviderError,
    )
  })

  test('is absent again after a reorg removed its block', async () => {
    const { ask } = await included()
    expect(await ask()).toMatchObject({ status: 'included' })
    await chain.call('anvil_reorg', 1, [])
    expect(await ask()).toEqual({ status: 'absent' })
  })

  test('that was replaced by another attempt has the outcome of that attempt', async () => {
    const { from, sign, sent, broadcast } = await fundedSender()
    const [first, bumped] = [sign(), sign({ terms: chain.builder.bumpFee?.(terms) ?? terms })]
    await broadcast(first)
    await broadcast(bumped)
    await chain.mine(7)
    expect(await chain.sender.outcome(from, sent(first, bumped))).toMatchObject({
      status: 'included',
      txId: bumped.txId,
      standing: 'final',
    })
    expect(await chain.sender.outcome(from, sent(first))).toMatchObject({ status: 'unminable' })
  })

  test('is `gone` once another transaction used its nonce, with the standing of that one', async () => {
    const { from, sign, sent, broadcast } = await fundedSender()
    const [ours, foreign] = [sign(), sign({ amount: 2n })]
    await broadcast(foreign)
    const standings: unknown[] = []
    const by = through(tagless)
    for (let depth = 0; depth <= 6; depth++) {
      const outcome = await by.sender.outcome(from, sent(ours))
      standings.push(outcome.status === 'unminable' ? outcome.standing : outcome.status)
      await chain.mine()
    }
    expect(standings).toEqual(['absent', 'seen', 'seen', 'confirmed', 'confirmed', 'confirmed', 'final'])
    expect(await by.sender.outcome(from, sent(ours))).toEqual({
      status: 'unminable',
      reason: 'sequence_used',
      standing: 'final',
    })
    expect(
      await chain.sender.outcome(from, [{ ...sent(ours)[0], txId: ours.txId, nonce: 1n, expiry: null }]),
    ).toEqual({ status: 'absent' })
    expect(await chain.sender.outcome(from, [{ txId: ours.txId, nonce: null, expiry: null }])).toEqual({
      status: 'absent',
    })
  })
})

/** A sender whose nonce a foreign transaction used many blocks ago. */
async function replaced() {
  const one = await fundedSender()
  const [ours, foreign] = [one.sign(), one.sign({ amount: 2n })]
  await one.broadcast(foreign)
  await chain.mine(7)
  return { ...one, ours, ask: (by: typeof chain) => by.sender.outcome(one.from, one.sent(ours)) }
}

const stateless: Change = async (method, params, truth) => {
  if (method === 'eth_getTransactionCount' && params[1] !== 'latest')
    throw new RpcError(`node: ${method}`, -32000, 'missing trie node')
  return truth()
}
/** A node that is this many blocks behind. */
const behind =
  (blocks: number): Change =>
  async (method, params, truth) => {
    const head = Number(await chain.call('eth_blockNumber')) - blocks
    const at = (tag: unknown) => (tag === 'latest' ? `0x${head.toString(16)}` : tag)
    if (method === 'eth_getTransactionCount') return chain.call(method, params[0], at(params[1]))
    if (method === 'eth_getBlockByNumber' && params[0] === 'latest')
      return chain.call(method, at('latest'), false)
    if (method === 'eth_getTransactionReceipt') {
      const receipt = (await truth()) as { blockNumber: string } | null
      return receipt && Number(receipt.blockNumber) <= head ? receipt : null
    }
    return truth()
  }

describe('with several providers', () => {
  test('it is included where any provider has it, as deep as two of them confirm', async () => {
    const { ask } = await included(6)
    expect(await ask(providersWith(behind(10), 'plain'))).toMatchObject({
      status: 'included',
      standing: 'seen',
    })
    expect(await ask(providersWith(behind(5), 'plain'))).toMatchObject({
      status: 'included',
      standing: 'seen',
    })
    expect(await ask(providersWith(behind(10), 'plain', 'plain'))).toMatchObject({
      status: 'included',
      standing: 'final',
    })
    expect(await ask(providersWith(behind(5), 'plain', 'plain'))).toMatchObject({
      status: 'included',
      standing: 'final',
    })
    expect(await ask(providersWith(behind(5)))).toMatchObject({ status: 'included', standing: 'seen' })
  })

  test('it is `gone` only where all answers agree', async () => {
    const { ask } = await replaced()
    expect(await ask(providersWith('plain', 'plain'))).toEqual({
      status: 'unminable',
      reason: 'sequence_used',
      standing: 'final',
    })
    expect(await ask(providersWith('plain', behind(7)))).toEqual({ status: 'absent' })
    expect(await ask(providersWith('plain', behind(3)))).toEqual({
      status: 'unminable',
      reason: 'sequence_used',
      standing: 'confirmed',
    })
    const silent: Change = async () => {
      throw new ProviderError('silent: timeout')
    }
    expect(await ask(providersWith('plain', silent))).toEqual({ status: 'absent' })
    expect(await ask(providersWith('plain', 'plain', silent))).toMatchObject({ status: 'unminable' })
    await expect(ask(providersWith(silent))).rejects.toThrow(ProviderError)
  })

  test('it is `gone` without finality where a node pruned the state of those blocks', async () => {
    const { ask } = await replaced()
    expect(await ask(providersWith(stateless))).toMatchObject({ status: 'unminable', standing: 'seen' })
    expect(await ask(providersWith(stateless, 'plain'))).toMatchObject({
      status: 'unminable',
      standing: 'seen',
    })
  })

  test('it is not `gone` where its receipt was found only after its nonce was used', async () => {
    const { ask } = await included(6)
    let asked = 0
    const late: Change = async (method, _, truth) =>
      method === 'eth_getTransactionReceipt' && asked++ === 0 ? null : truth()
    expect(await ask(providersWith(late))).toMatchObject({ status: 'included' })
    expect(asked).toBeGreaterThan(1)
  })

  test('it is in the block that most providers name, and only `seen` on a tie', async () => {
    const { ask } = await included(6)
    const forked: Change = async (method, _, truth) =>
      method === 'eth_getTransactionReceipt'
        ? { ...((await truth()) as object), blockHash: `0x${'f'.repeat(64)}`, blockNumber: '0x1' }
        : truth()
    // On a busy machine a slow provider may be counted only at the next query.
    const final = async (providers: ReturnType<typeof providersWith>) => {
      const outcome = await ask(providers)
      return outcome.status === 'included' && outcome.standing === 'final' ? outcome : null
    }
    const three = providersWith(forked, 'plain', 'plain')
    const outcome = await waitFor('the two that agree', () => final(three))
    expect(outcome.blockId).not.toBe(`0x${'f'.repeat(64)}`)
    expect(await ask(providersWith(forked, 'plain'))).toMatchObject({ status: 'included', standing: 'seen' })
    const forgetful: Change = async (method, _, truth) =>
      method === 'eth_getTransactionReceipt' ? null : truth()
    const both = providersWith(forgetful, 'plain')
    const known = await waitFor('the one that knows it', async () => {
      const outcome = await ask(both)
      return outcome.status === 'included' ? outcome : null
    })
    expect(known.standing).toBe('seen')
    const others = providersWith(forgetful, 'plain', 'plain')
    await waitFor('the two that know it', () => final(others))
  })

  test.each([
    ['a receipt of another transaction', { transactionHash: `0x${'1'.repeat(64)}` }],
    ['no status', { status: undefined }],
    ['an invalid height', { blockNumber: 'seven' }],
    ['invalid gas', { gasUsed: {} }],
  ])('a provider that answers %s does not count', async (_what, change) => {
    const { ask } = await included()
    const wrong: Change = async (method, _, truth) =>
      method === 'eth_getTransactionReceipt' ? { ...((await truth()) as object), ...change } : truth()
    await expect(ask(providersWith(wrong))).rejects.toThrow(ProviderError)
    expect(await ask(providersWith(wrong, 'plain'))).toMatchObject({ status: 'included', succeeded: true })
  })

  test('a receipt without a block gives no outcome where the nonce was used', async () => {
    const { ask } = await included()
    const pending: Change = async (method, _, truth) =>
      method === 'eth_getTransactionReceipt'
        ? { ...((await truth()) as object), blockHash: null, blockNumber: null }
        : truth()
    await expect(ask(providersWith(pending))).rejects.toThrow('without a block')
  })
})

const effective = (outcome: Awaited<ReturnType<typeof chain.sender.outcome>>): bigint =>
  outcome.status === 'included' && outcome.fee !== null ? outcome.fee / 21_000n : -1n
