import { describe, expect, test } from '@jest/globals'
import { madeSolanaNode, signatureOf } from '../../../../test/support/madeSolana.ts'
import { ProviderError } from '../../chain.ts'
import { ThrottledError } from '../../providers/budget.ts'
import { type JsonRpc, RpcError } from '../../providers/jsonRpc.ts'
import { createProviders } from '../../providers/providers.ts'
import type { SignedTransaction } from '../../sending.ts'
import { broadcastTransfer } from './broadcastTransfer.ts'

/** Answers that the devnet never gives, or never together. */

const transaction: SignedTransaction = {
  txId: signatureOf('sent'),
  bytes: Uint8Array.of(1, 2, 3),
  expiry: { blockHeight: 150n },
}
const prefix = 'a: sendTransaction'
const failed = (code: number, message: string) => () => {
  throw new RpcError(prefix, code, message)
}
const preflight = (message: string) => failed(-32002, `Transaction simulation failed: ${message}`)
const accepts = () => transaction.txId
const silent = () => {
  throw new ProviderError('no answer in time')
}

/** A node with this answer to a broadcast, this height and this status. */
function node(send: () => unknown, { height = 0, status = null as object | null } = {}): JsonRpc {
  const answers = {
    sendTransaction: send,
    getBlockHeight: () => height,
    getSignatureStatuses: () => ({ context: { slot: 9 }, value: [status] }),
  }
  return madeSolanaNode('a', [], answers)
}

function broadcast(...nodes: readonly JsonRpc[]) {
  const providers = createProviders(
    nodes.map((each) => () => each),
    { observe: { called: () => {}, refused: () => {} } },
  )
  const chain = {
    tokens: [],
    native: { symbol: 'SOL', decimals: 9 },
    byFinalizedTag: true,
    confirmations: 32,
  }
  return broadcastTransfer({ providers, chain }, transaction)
}

describe('the answer of one node', () => {
  test.each([
    ['This transaction has already been processed', 'accepted'],
    ['Account in use', 'busy'],
    ['Transaction would exceed max Block Cost Limit', 'busy'],
    ['Insufficient funds for fee', 'refused'],
    ['Attempt to debit an account but found no record of a prior credit.', 'refused'],
    ['Transaction results in an account (0) with insufficient funds for rent', 'refused'],
    ['Error processing Instruction 2: custom program error: 0x11', 'refused'],
  ])('in preflight, “%s”, means %s', async (message, status) => {
    expect(await broadcast(node(preflight(message)))).toEqual({
      status,
      message: `error -32002: Transaction simulation failed: ${message}`,
    })
  })

  test('with another error code is a refusal or a provider error', async () => {
    expect(await broadcast(node(failed(-32003, 'Transaction signature verification failure')))).toMatchObject(
      { status: 'refused' },
    )
    for (const code of [-32602, -32603, -32601, -32000])
      await expect(broadcast(node(failed(code, 'some error')))).rejects.toThrow(ProviderError)
  })

  test('with the id of another transaction is a provider error', async () => {
    for (const answer of [signatureOf('another'), null, 7])
      await expect(broadcast(node(() => answer))).rejects.toThrow(ProviderError)
  })

  test('with an unknown blockhash depends on height and status', async () => {
    const unknownBlockhash = preflight('Blockhash not found')
    const included = { slot: 5, confirmationStatus: 'finalized', err: null }
    expect(await broadcast(node(unknownBlockhash, { height: 150 }))).toMatchObject({ status: 'busy' })
    expect(await broadcast(node(unknownBlockhash, { height: 151 }))).toMatchObject({ status: 'expired' })
    expect(await broadcast(node(unknownBlockhash, { height: 151, status: included }))).toEqual({
      status: 'accepted',
      message: null,
    })
  })
})

describe('the answers of several nodes', () => {
  const [unknownBlockhash, refuses] = [
    preflight('Blockhash not found'),
    preflight('Insufficient funds for fee'),
  ]
  const throttled = () => {
    throw new ThrottledError('behind', 1000)
  }

  test('mean accepted if one node accepts, in any order', async () => {
    for (const other of [unknownBlockhash, refuses, silent, throttled]) {
      expect(await broadcast(node(accepts), node(other))).toMatchObject({ status: 'accepted' })
      expect(await broadcast(node(other), node(accepts))).toMatchObject({ status: 'accepted' })
    }
  })

  test('mean refused only if no other node may have accepted', async () => {
    expect(await broadcast(node(refuses), node(refuses))).toMatchObject({ status: 'refused' })
    expect(await broadcast(node(refuses), node(throttled))).toMatchObject({ status: 'refused' })
    expect(await broadcast(node(refuses), node(unknownBlockhash))).toMatchObject({ status: 'busy' })
    await expect(broadcast(node(refuses), node(silent))).rejects.toThrow(/another did not answer/)
    await expect(broadcast(node(refuses), node(failed(-32603, 'Internal error')))).rejects.toThrow(
      ProviderError,
    )
  })

  test('are a provider error if no node answers', async () => {
    await expect(broadcast(node(silent), node(throttled))).rejects.toThrow(ProviderError)
  })
})
