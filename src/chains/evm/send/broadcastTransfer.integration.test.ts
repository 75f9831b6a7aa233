import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { bytesToHex, type Hex } from 'viem'
import { type EvmDevnet, startEvmDevnet } from '../../../../test/devnets/evm.ts'
import { addressOf, intentOf, keyOf } from '../../../../test/support/evmIntents.ts'
import { type Change, changed, plain, sendingOn } from '../../../../test/support/evmSending.ts'
import { RpcRefusal, startRecordedRpc } from '../../../../test/support/recordedRpc.ts'
import { ProviderError } from '../../chain.ts'
import { ThrottledError } from '../../providers/budget.ts'
import { RpcError } from '../../providers/jsonRpc.ts'
import type { Broadcast, Terms } from '../../sending.ts'
import { meaningOf } from './broadcastMessages.ts'

const gwei = 10n ** 9n
const to = addressOf(keyOf(2))
const terms = {
  gas: '21000',
  maxFeePerGas: String(50n * gwei),
  maxPriorityFeePerGas: String(gwei),
  l1Fee: '0',
}

let devnet: EvmDevnet
let chain: ReturnType<typeof sendingOn>
beforeAll(async () => {
  devnet = await startEvmDevnet({ chain: 'ethereum', blockSeconds: 0 })
  chain = sendingOn(devnet)
})
afterAll(async () => {
  await chain?.ctx.providers.close()
  await devnet?.stop()
})

let keys = 1000
/** A new key with native coin. */
async function fundedKey(wei = 10n ** 18n): Promise<Hex> {
  const key = keyOf(keys++)
  await chain.fund(addressOf(key), wei)
  return key
}
const signed = (key: Hex, change: { amount?: bigint; nonce?: bigint; terms?: Terms } = {}) =>
  chain.sign(
    intentOf({ from: addressOf(key), to, amount: change.amount ?? 1n }),
    change.terms ?? terms,
    change.nonce ?? 0n,
    key,
  )

describe("a node's message about a transaction", () => {
  const texts: Record<Broadcast['status'], [message: string, by: string][]> = {
    accepted: [
      ['already known', 'geth, reth, bor, BSC, op-geth, nitro'],
      ['known transaction: 0xabc', 'older geth'],
      ['ALREADY_EXISTS: already known', 'Erigon'],
      ['INTERNAL_ERROR: existing tx with same hash', 'Erigon'],
      ['existing txn with same hash', 'Erigon 3'],
      ['AlreadyKnown', 'Nethermind'],
      ['Known transaction', 'Besu'],
      ['Tx: [0xabc] already Imported', 'anvil'],
      ['transaction already imported', 'anvil 1.7'],
      ['Transaction with the same hash was already imported.', 'OpenEthereum'],
    ],
    nonce_taken: [
      ['replacement transaction underpriced', 'geth, reth, Erigon'],
      ['replacement transaction underpriced: new tx gas fee cap 5 <= 5 queued', 'geth'],
      ['future transaction tries to replace pending', 'geth'],
      ['INTERNAL_ERROR: could not replace existing tx', 'Erigon'],
      ['ReplacementNotAllowed', 'Nethermind'],
      ['OwnNonceAlreadyUsed', 'older Nethermind'],
      ['Replacement transaction underpriced', 'Besu'],
      ['Tx: [0xabc] insufficient gas price to replace existing transaction', 'anvil'],
      [
        'Transaction gas price 5wei is too low. There is another transaction with same nonce in the queue with gas price 6wei.',
        'OpenEthereum',
      ],
    ],
    nonce_used: [
      ['nonce too low', 'geth, reth, anvil'],
      ['nonce too low: next nonce 5, tx nonce 4', 'geth'],
      ['nonce too low: address 0x00, tx: 4 state: 5', 'nitro'],
      ['INTERNAL_ERROR: nonce too low', 'Erigon'],
      ['OldNonce, Current nonce: 5, nonce of rejected tx: 4', 'Nethermind'],
      ['Nonce too low', 'Besu'],
      ['Transaction nonce is too low. Try incrementing the nonce.', 'OpenEthereum'],
    ],
    busy: [
      ['txpool is full', 'geth, reth'],
      ['pending sub-pool is full', 'Erigon'],
      ['sequencer pending tx pool full, please try again', 'nitro'],
      ['queue full', 'nitro'],
      ['account limit exceeded', 'geth'],
      ['in-flight transaction limit reached for delegated accounts', 'geth'],
      ['address already reserved', 'geth'],
      ['nonce too high: address 0x00, tx: 9 state: 5', 'nitro'],
      ['NonceGap, Future nonce. Expected nonce: 5', 'Nethermind'],
      ['Syncing', 'Nethermind'],
      ['too many requests', 'gateways'],
      ['Your app has exceeded its rate limit', 'gateways'],
      [
        'There are too many transactions in the queue. Your transaction was dropped due to limit. Try increasing the fee.',
        'OpenEthereum',
      ],
    ],
    refused: [
      ['insufficient funds for gas * price + value: address 0x00 have 0 want 21000', 'geth'],
      ['insufficient funds for gas * price + value', 'reth, nitro'],
      ['INTERNAL_ERROR: insufficient funds', 'Erigon'],
      ['InsufficientFunds, Account balance: 0, cumulative cost: 21000', 'Nethermind'],
      ['Upfront cost exceeds account balance', 'Besu'],
      ['Insufficient funds for gas * price + value', 'anvil'],
      ['intrinsic gas too low: gas 20000, minimum needed 21000', 'geth'],
      ['IntrinsicGas', 'Erigon'],
      ['Intrinsic gas exceeds gas limit', 'Besu'],
      ['exceeds block gas limit', 'geth'],
      ['Transaction gas limit exceeds block gas limit', 'Besu'],
      ['GasLimitExceeded, Gas limit: 5, gas limit of rejected tx: 6', 'Nethermind'],
      ['transaction gas limit too high (cap: 16777216, tx: 30000000)', 'geth, EIP-7825'],
      ['invalid sender', 'geth'],
      ['max priority fee per gas higher than max fee per gas', 'geth'],
      ['max fee per gas higher than 2^256-1', 'geth'],
      ['Max priority fee per gas exceeds max fee per gas', 'Besu'],
      ['Transaction fee cap exceeded', 'Besu'],
      ['tx fee (1.20 ether) exceeds the configured cap (1.00 ether)', 'geth'],
      ['transaction type not supported', 'geth'],
      ['oversized data: transaction size 131100, limit 131072', 'geth'],
      ['nonce has max value', 'geth'],
      ['invalid chain id for signer: have 1 want 137', 'geth'],
      ['only replay-protected (EIP-155) transactions allowed over RPC', 'geth'],
      ['rlp: expected List', 'geth'],
      ['failed to decode signed transaction', 'reth, anvil'],
      ['Invalid, transaction Hash is null', 'Nethermind'],
    ],
    underpriced: [
      ['transaction underpriced', 'geth, reth, op-geth'],
      ['transaction underpriced: gas tip cap 1, minimum needed 25000000000', 'bor, BSC'],
      ['transaction gas price below minimum: gas tip cap 1, minimum needed 25000000000', 'bor, geth 1.16'],
      ['underpriced', 'Erigon'],
      ['INTERNAL_ERROR: fee too low', 'Erigon'],
      ['transaction feeCap 1 below chain minimum', 'reth'],
      ['transaction priority fee below minimum required priority fee 20', 'reth'],
      ['FeeTooLowToCompete', 'older Nethermind'],
      [
        'FeeTooLow, MaxFeePerGas too low. MaxFeePerGas: 1, BaseFee: 2, MaxPriorityFeePerGas:1, Block number: 3',
        'older Nethermind',
      ],
      ['transaction underpriced, EffectivePriorityFeePerGas too low 1 < 2, BaseFee: 3', 'Nethermind'],
      ['Gas price below configured minimum gas price', 'Besu'],
      ['Gas price below current base fee', 'Besu'],
      ['max fee per gas less than block base fee: address 0x00, maxFeePerGas: 1 baseFee: 2', 'geth, nitro'],
      ['max fee per gas less than block base fee', 'reth, anvil'],
    ],
    expired: [],
  }
  const rows = Object.entries(texts).flatMap(([status, messages]) =>
    messages.map(([text, by]) => [text, status, by] as const),
  )
  test.each(rows)('%j means: %s (%s)', (text, status) => {
    expect(meaningOf(text)).toBe(status)
  })

  test.each([
    '',
    'internal error',
    'execution aborted (timeout = 5s)',
    'Invalid API key',
    'Invalid request',
    'unknown account',
    'header not found',
    'mined',
  ])('%j has no known meaning', (text) => expect(meaningOf(text)).toBeNull())
})

describe('a transaction that is sent', () => {
  test('is accepted every time, while it is pending and after it is in a block', async () => {
    const transaction = signed(await fundedKey())
    expect(await chain.sender.broadcast(transaction)).toEqual({ status: 'accepted', message: null })
    expect(await chain.sender.broadcast(transaction)).toMatchObject({
      status: 'accepted',
      message: expect.stringMatching(/already imported/i),
    })
    await chain.mine()
    expect(await chain.sender.broadcast(transaction)).toMatchObject({
      status: 'accepted',
      message: expect.stringMatching(/nonce too low/i),
    })
  })

  test('gets `nonce_used` where another transaction in a block has its nonce', async () => {
    const key = await fundedKey()
    await chain.sender.broadcast(signed(key))
    await chain.mine()
    expect(await chain.sender.broadcast(signed(key, { amount: 2n }))).toEqual({
      status: 'nonce_used',
      message: 'nonce too low',
    })
  })

  test('gets `nonce_taken` where a pending transaction has its nonce, and replaces it with a higher fee', async () => {
    const key = await fundedKey()
    const pending = signed(key)
    await chain.sender.broadcast(pending)
    expect(await chain.sender.broadcast(signed(key, { amount: 2n }))).toMatchObject({ status: 'nonce_taken' })
    const bumped = signed(key, { amount: 2n, terms: chain.builder.bumpFee?.(terms) ?? terms })
    expect(await chain.sender.broadcast(bumped)).toEqual({ status: 'accepted', message: null })
    await chain.mine()
    expect(await chain.call('eth_getTransactionReceipt', bumped.txId)).toMatchObject({ status: '0x1' })
    expect(await chain.call('eth_getTransactionReceipt', pending.txId)).toBeNull()
  })

  test('is accepted where nonces before it are missing', async () => {
    expect(await chain.sender.broadcast(signed(await fundedKey(), { nonce: 5n }))).toEqual({
      status: 'accepted',
      message: null,
    })
  })

  test.each([
    ['costs more than the sender has', { amount: 10n ** 18n }],
    ['has too little gas', { terms: { ...terms, gas: '20999' } }],
    ['has more gas than a block', { terms: { ...terms, gas: '900000000' } }],
  ])('is refused where it %s', async (_what, change) => {
    const answer = await chain.sender.broadcast(signed(await fundedKey(), change))
    expect(answer).toEqual({ status: 'refused', message: expect.stringMatching(/./) })
  })

  test('is underpriced where it pays less than the base fee', async () => {
    const poor = { ...terms, maxFeePerGas: '1', maxPriorityFeePerGas: '1' }
    expect(await chain.sender.broadcast(signed(await fundedKey(), { terms: poor }))).toEqual({
      status: 'underpriced',
      message: expect.stringMatching(/base fee/),
    })
  })

  test('is refused by a node of another chain', async () => {
    const foreign = sendingOn(devnet, { network: '1' })
    const key = await fundedKey()
    const transaction = foreign.sign(intentOf({ from: addressOf(key), to }), terms, 0n, key)
    expect(await foreign.sender.broadcast(transaction)).toMatchObject({ status: 'refused' })
  })

  test("is refused over HTTP with the node's message, without the transaction and without the secret part of the URL", async () => {
    const transaction = signed(await fundedKey())
    const raw = bytesToHex(transaction.bytes)
    const node = await startRecordedRpc({
      eth_sendRawTransaction: () => {
        throw new RpcRefusal(-32000, `invalid sender key-of-mine ${raw}`)
      },
    })
    const { sender } = sendingOn(devnet, {}, [plain(`${node.url}/key-of-mine`)])
    const answer = await sender.broadcast(transaction)
    expect(answer).toMatchObject({ status: 'refused', message: expect.stringContaining('invalid sender') })
    expect(answer.message).not.toContain('key-of-mine')
    expect(answer.message).not.toContain(raw.slice(2, 80))
    await node.close()
  })
})

describe('with several providers', () => {
  const silent: Change = async () => {
    throw new ProviderError('one: eth_sendRawTransaction: timeout')
  }
  const refusing =
    (message: string, code = -32000): Change =>
    async (method, _, truth) => {
      if (method === 'eth_sendRawTransaction') throw new RpcError(`one: ${method}`, code, message)
      return truth()
    }
  const answersAnotherId: Change = async () => `0x${'1'.repeat(64)}`
  const throttled: Change = async () => {
    throw new ThrottledError('one: too many requests', 1)
  }
  const sendTo = async (...changes: (Change | 'plain')[]) => {
    const open = changes.map((change, index) =>
      change === 'plain' ? plain(devnet.rpcUrl) : changed(devnet.rpcUrl, `node ${index}`, change),
    )
    const transaction = signed(await fundedKey())
    const answer = await sendingOn(devnet, {}, open).sender.broadcast(transaction)
    expect((await chain.call('eth_getTransactionByHash', transaction.txId)) !== null).toBe(
      answer.status === 'accepted',
    )
    return answer
  }

  test.each([
    ['does not answer', silent],
    ['is throttled', throttled],
    ['is full', refusing('txpool is full')],
    ['refuses it', refusing('insufficient funds for gas * price + value')],
    ['has another transaction with its nonce', refusing('replacement transaction underpriced')],
    ['answers with an unknown message', refusing('internal error', -32603)],
    ['answers with another id', answersAnotherId],
  ])('a transaction is sent to the next one where the first one %s', async (_what, change) => {
    expect(await sendTo(change, 'plain')).toEqual({ status: 'accepted', message: null })
  })

  test('the most severe answer counts where all refuse a transaction', async () => {
    expect(await sendTo(refusing('insufficient funds'), refusing('exceeds block gas limit'))).toEqual({
      status: 'refused',
      message: 'insufficient funds',
    })
    expect(await sendTo(refusing('insufficient funds'), refusing('txpool is full'))).toEqual({
      status: 'busy',
      message: 'txpool is full',
    })
    expect(
      await sendTo(refusing('txpool is full'), refusing('nonce too low: next nonce 5, tx nonce 4')),
    ).toMatchObject({ status: 'nonce_used' })
    expect(await sendTo(refusing('transaction underpriced'), refusing('insufficient funds'))).toMatchObject({
      status: 'refused',
    })
    expect(await sendTo(refusing('transaction underpriced'), refusing('txpool is full'))).toMatchObject({
      status: 'busy',
    })
    expect(await sendTo(refusing('transaction underpriced'), refusing('underpriced'))).toMatchObject({
      status: 'underpriced',
    })
    expect(await sendTo(throttled)).toEqual({ status: 'busy', message: 'too many requests' })
  })

  test('the outcome is unknown where one may have a transaction without confirming it', async () => {
    await expect(sendTo(silent)).rejects.toThrow(ProviderError)
    await expect(sendTo(refusing('internal error', -32603))).rejects.toThrow(ProviderError)
    await expect(sendTo(silent, refusing('insufficient funds'))).rejects.toThrow(ProviderError)
    await expect(sendTo(refusing('insufficient funds'), silent)).rejects.toThrow(ProviderError)
    await expect(sendTo(async () => null)).rejects.toThrow(ProviderError)
    await expect(sendTo(answersAnotherId)).rejects.toThrow(ProviderError)
  })

  test('a refusal does not count as a failure of the provider', async () => {
    const { sender, ctx } = sendingOn(devnet, {}, [changed(devnet.rpcUrl, 'one', refusing('nonce too high'))])
    for (let i = 0; i < 10; i++)
      expect(await sender.broadcast(signed(keyOf(5)))).toMatchObject({ status: 'busy' })
    expect(ctx.providers.states()).toMatchObject([{ open: false }])
  })
})

describe('the next nonce', () => {
  test('follows all transactions in blocks and all pending ones', async () => {
    const key = await fundedKey()
    const next = () => chain.sender.nextNonce?.(addressOf(key))
    expect(await next()).toBe(0n)
    await chain.sender.broadcast(signed(key))
    await chain.mine()
    expect(await next()).toBe(1n)
    await chain.sender.broadcast(signed(key, { nonce: 1n }))
    expect(await next()).toBe(2n)
  })

  test('is the highest of all providers', async () => {
    const key = await fundedKey()
    await chain.sender.broadcast(signed(key))
    const behind: Change = async (method, _, truth) =>
      method === 'eth_getTransactionCount' ? '0x0' : truth()
    const poolless: Change = async (_, params, truth) => (params[1] === 'pending' ? '0x0' : truth())
    const both = sendingOn(devnet, {}, [changed(devnet.rpcUrl, 'behind', behind), plain(devnet.rpcUrl)])
    expect(await both.sender.nextNonce?.(addressOf(key))).toBe(1n)
    await chain.mine()
    expect(
      await sendingOn(devnet, {}, [changed(devnet.rpcUrl, 'poolless', poolless)]).sender.nextNonce?.(
        addressOf(key),
      ),
    ).toBe(1n)
    const inventing: Change = async (method, _, truth) =>
      method === 'eth_getTransactionCount' ? '0x3b9aca00' : truth()
    const doubtful = sendingOn(devnet, {}, [
      changed(devnet.rpcUrl, 'inventing', inventing),
      plain(devnet.rpcUrl),
    ])
    expect(await doubtful.sender.nextNonce?.(addressOf(key))).toBe(1n)
    expect(doubtful.ctx.providers.states().map(({ open }) => open)).toEqual([true, false])
    const broken = sendingOn(devnet, {}, [changed(devnet.rpcUrl, 'broken', async () => 'many')])
    await expect(broken.sender.nextNonce?.(addressOf(key))).rejects.toThrow(ProviderError)
  })
})
