import { describe, expect, test } from '@jest/globals'
import { madeSolanaNode, signatureOf } from '../../../test/support/madeSolana.ts'
import { ProviderError } from '../chain.ts'
import { ThrottledError } from '../providers/budget.ts'
import { type JsonRpc, RpcError } from '../providers/jsonRpc.ts'
import { createProviders } from '../providers/providers.ts'
import type { SignedTransaction } from '../sending.ts'
import { broadcastTransfer } from './broadcastTransfer.ts'

/** What nodes answer that the devnet never does, or not together. */

const transaction: SignedTransaction = { txId: signatureOf('sent'), bytes: Uint8Array.of(1, 2, 3), expiry: { blockHeight: 150n } }
const prefix = 'a: sendTransaction'
const failed = (code: number, said: string) => () => {
  throw new RpcError(prefix, code, said)
}
const preflight = (said: string) => failed(-32002, `Transaction simulation failed: ${said}`)
const takes = () => transaction.txId
const silent = () => {
  throw new ProviderError('no answer in time')
}

/** A node that answers so, and else knows this height and this status. */
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
  const chain = { tokens: [], native: { symbol: 'SOL', decimals: 9 }, byFinalizedTag: true, confirmations: 32 }
  return broadcastTransfer({ providers, chain }, transaction)
}

describe('what one node says of the bytes', () => {
  test.each([
    ['This transaction has already been processed', 'accepted'],
    ['Account in use', 'busy'],
    ['Transaction would exceed max Block Cost Limit', 'busy'],
    ['Insufficient funds for fee', 'refused'],
    ['Attempt to debit an account but found no record of a prior credit.', 'refused'],
    ['Transaction results in an account (0) with insufficient funds for rent', 'refused'],
    ['Error processing Instruction 2: custom program error: 0x11', 'refused'],
  ])('in preflight, “%s”, is %s', async (said, status) => {
    expect(await broadcast(node(preflight(said)))).toEqual({ status, message: `error -32002: Transaction simulation failed: ${said}` })
  })

  test('by another code is told as that, or is not understood', async () => {
    expect(await broadcast(node(failed(-32003, 'Transaction signature verification failure')))).toMatchObject({ status: 'refused' })
    for (const code of [-32602, -32603, -32601, -32000]) await expect(broadcast(node(failed(code, 'whatever')))).rejects.toThrow(ProviderError)
  })

  test('is no answer where it names another transaction', async () => {
    for (const answer of [signatureOf('another'), null, 7]) await expect(broadcast(node(() => answer))).rejects.toThrow(ProviderError)
  })

  test('without the blockhash depends on what it knows besides', async () => {
    const lost = preflight('Blockhash not found')
    const included = { slot: 5, confirmationStatus: 'finalized', err: null }
    expect(await broadcast(node(lost, { height: 150 }))).toMatchObject({ status: 'busy' })
    expect(await broadcast(node(lost, { height: 151 }))).toMatchObject({ status: 'expired' })
    expect(await broadcast(node(lost, { height: 151, status: included }))).toEqual({ status: 'accepted', message: null })
  })
})

describe('what several nodes say', () => {
  const [lost, refuses] = [preflight('Blockhash not found'), preflight('Insufficient funds for fee')]
  const throttled = () => {
    throw new ThrottledError('behind', 1000)
  }

  test('is accepted where one of them takes it, in any order', async () => {
    for (const other of [lost, refuses, silent, throttled]) {
      expect(await broadcast(node(takes), node(other))).toMatchObject({ status: 'accepted' })
      expect(await broadcast(node(other), node(takes))).toMatchObject({ status: 'accepted' })
    }
  })

  test('is refused only where no other one may have taken it', async () => {
    expect(await broadcast(node(refuses), node(refuses))).toMatchObject({ status: 'refused' })
    expect(await broadcast(node(refuses), node(throttled))).toMatchObject({ status: 'refused' })
    expect(await broadcast(node(refuses), node(lost))).toMatchObject({ status: 'busy' })
    await expect(broadcast(node(refuses), node(silent))).rejects.toThrow(/did not say/)
    await expect(broadcast(node(refuses), node(failed(-32603, 'Internal error')))).rejects.toThrow(ProviderError)
  })

  test('is nobody’s answer where none of them gives one', async () => {
    await expect(broadcast(node(silent), node(throttled))).rejects.toThrow(ProviderError)
  })
})
