import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals'
import { base58 } from '@scure/base'
import { TransactionBuilder } from '@stellar/stellar-sdk'
import { utils } from 'tronweb'
import { otherChainNames } from '../support/otherDevnets.ts'
import { createStack, type Stack } from '../support/stack.ts'
import { waitFor } from '../support/waitFor.ts'
import { type NodeGate, type NodeRequest, passAll, startNodeGate } from './nodeGate.ts'
import { heldBy, sentBy, unitsOf } from './onChain.ts'
import {
  eventsOf,
  expectNothingLeft,
  newPair,
  type Pair,
  rowOf,
  sendFromWallet,
  sendWithKey,
  settledAt,
  transactionsOf,
  transferOf,
  waitForReconciles,
  walletOf,
} from './sending.ts'

let stack: Stack
const gates: NodeGate[] = []

beforeAll(async () => {
  stack = await createStack({
    chains: [...otherChainNames],
    processes: ['treasury', 'api', 'worker'],
    confirmations: 2,
    // Time for two reconciles at two nodes, including loading libraries.
    env: { RPC_TIMEOUT_MS: '5000', TXMGR_RECONCILE_MS: '100', TXMGR_UNMINABLE_MS: '200' },
    rpcUrls: async (nodeUrl, chain) => {
      // Solana has a second provider, which may lag.
      const urls = chain === 'solana' ? [nodeUrl, `${nodeUrl}/faces/late`] : [nodeUrl]
      const opened = await Promise.all(urls.map(startNodeGate))
      gates.push(...opened)
      return opened.map(({ url }) => url)
    },
  })
}, 120_000)
afterEach(async () => {
  for (const gate of gates) gate.instead = passAll
  await stack.other('solana').control('misbehave', { face: 'late', clear: true })
})
afterAll(async () => {
  await stack?.close()
  await Promise.all(gates.map((gate) => gate.close()))
})

/** Nodes accept transactions and drop them. */
function dropTransactions(): void {
  for (const gate of gates) gate.instead = async (asked) => acceptedAndDropped(asked)
}

function acceptedAndDropped({ name, params, body }: NodeRequest): object | string | null {
  if (name === '/wallet/broadcasthex') {
    const { transaction } = JSON.parse(body) as { transaction: string }
    return {
      result: true,
      code: 'SUCCESS',
      txid: utils.crypto.SHA256(Buffer.from(transaction, 'hex')).toString(),
    }
  }
  if (name !== 'sendTransaction') return null
  // Solana: the first signature is the id. Stellar: parameters have names.
  if (Array.isArray(params)) return base58.encode(Buffer.from(String(params[0]), 'base64').subarray(1, 65))
  const { transaction } = params as { transaction: string }
  const hash = Buffer.from(
    TransactionBuilder.fromXDR(transaction, stack.other('stellar').networkPassphrase).hash(),
  ).toString('hex')
  return { status: 'PENDING', hash, latestLedger: 1, latestLedgerCloseTime: '1' }
}

const waitForBroadcast = (id: string) =>
  waitFor('a transfer accepted by a node', async () => (await rowOf(stack, id))?.status === 'broadcast')

/** The last height at which the newest transaction of a transfer can be included. */
async function expiryOf(id: string): Promise<number> {
  const [row] = await stack.db.query<{ height: number }>(
    'select expires_height::float8 as height from intent_attempts where intent_id = $1 and void_at is null',
    [id],
  )
  if (!row) throw new Error(`transfer ${id} has no signed transaction`)
  return row.height
}

/** The latest expiry of transactions signed for transfers, in milliseconds. */
async function latestExpiry(ids: readonly string[]): Promise<number> {
  const [row] = await stack.db.query<{ at: Date }>(
    'select max(expires_at) as at from intent_attempts where intent_id = any($1::uuid[])',
    [ids],
  )
  return row?.at.getTime() ?? 0
}

/** Mines Solana blocks up to this confirmed height; blocks four below it are final. */
async function mineSolanaTo(height: number): Promise<void> {
  const devnet = stack.other('solana')
  const { blockHeight } = await devnet.control<{ blockHeight: number }>('mine')
  if (height > blockHeight) await devnet.control('mine', { count: height - blockHeight })
}

test("Solana: a caller's transfer that never reached a block expires", async () => {
  const pair = await newPair(stack, 'solana')
  dropTransactions()
  const { body } = await sendWithKey(stack, pair)
  expect(body.status).toBe('pending')
  await mineSolanaTo((await expiryOf(body.id)) + 5)
  expect(await settledAt(stack, pair, body.id)).toMatchObject({ status: 'expired', reason: 'expired' })
  expect(await transferOf(stack, body.id)).toMatchObject({ status: 'failed', reason: 'expired' })
  expect(await eventsOf(stack, body.id)).toEqual(['transfer.expired'])
  expect([await heldBy(stack, pair, pair.to), await sentBy(stack, pair)]).toEqual([0n, 0])
  await expectNothingLeft(stack)
})

test("Solana: a stored wallet's transfer is resigned once, after its expiry is final at every provider that answers, and no provider has it", async () => {
  const pair = await newPair(stack, 'solana')
  const walletId = await walletOf(stack, pair)
  dropTransactions()
  const { id } = (await sendFromWallet(stack, pair, walletId)).body
  await waitForBroadcast(id)
  const expectStillPending = async () => {
    await waitForReconciles(stack, id)
    expect(await transactionsOf(stack, id, true)).toMatchObject([{ number: 0, void: false }])
    expect((await transferOf(stack, id)).status).toBe('pending')
  }
  const end = await expiryOf(id)
  // The height has expired, but not finally.
  await mineSolanaTo(end + 3)
  await expectStillPending()
  // Final at one provider; another one may still have the transaction.
  await stack.other('solana').control('misbehave', { face: 'late', lagBlocks: 20 })
  await mineSolanaTo(end + 10)
  await expectStillPending()
  for (const gate of gates) gate.instead = passAll
  await stack.other('solana').control('misbehave', { face: 'late', clear: true })
  await waitFor('another transaction', async () =>
    (await transactionsOf(stack, id)).some((each) => each.number === 1 && each.accepted),
  )
  expect(await settledAt(stack, pair, id)).toMatchObject({ status: 'confirmed' })
  expect(await transactionsOf(stack, id, true)).toMatchObject([{ void: true }, { void: false }])
  expect([await heldBy(stack, pair, pair.to), await sentBy(stack, pair)]).toEqual([unitsOf(stack, pair), 1])
  expect(await eventsOf(stack, id)).toEqual(['transfer.confirmed'])
  await expectNothingLeft(stack)
})

test('Solana: a transfer whose answers were all lost is not resigned when a block has it', async () => {
  const pair = await newPair(stack, 'solana')
  const walletId = await walletOf(stack, pair)
  let calls = 0
  // The nodes forward it and report a failure.
  for (const gate of gates) {
    gate.instead = async ({ name, pass }) => {
      if (name === 'sendTransaction' && ++calls <= gates.length) await pass()
      if (name === 'sendTransaction') return { error: { code: -32005, message: 'Node is behind' } }
      return null
    }
  }
  const { id } = (await sendFromWallet(stack, pair, walletId)).body
  await waitFor('a send', async () => calls > 0)
  const sent = await waitFor('a signature', async () => (await transactionsOf(stack, id))[0]?.txId)
  await mineSolanaTo((await expiryOf(id)) + 10)
  expect(await settledAt(stack, pair, id)).toMatchObject({ status: 'confirmed', txId: sent })
  expect(await transactionsOf(stack, id, true)).toHaveLength(1)
  expect([await heldBy(stack, pair, pair.to), await sentBy(stack, pair)]).toEqual([unitsOf(stack, pair), 1])
})

test("Solana: a second expiry ends a stored wallet's transfer", async () => {
  const pair = await newPair(stack, 'solana')
  const walletId = await walletOf(stack, pair)
  dropTransactions()
  const { id } = (await sendFromWallet(stack, pair, walletId)).body
  await waitForBroadcast(id)
  await mineSolanaTo((await expiryOf(id)) + 5)
  await waitFor('another transaction', async () =>
    (await transactionsOf(stack, id)).some((each) => each.number === 1 && each.accepted),
  )
  await mineSolanaTo((await expiryOf(id)) + 5)
  expect(await settledAt(stack, pair, id)).toMatchObject({ status: 'expired', reason: 'expired' })
  expect(await transactionsOf(stack, id, true)).toHaveLength(2)
  expect([await heldBy(stack, pair, pair.to), await sentBy(stack, pair)]).toEqual([0n, 0])
  expect(await eventsOf(stack, id)).toEqual(['transfer.expired'])
  await expectNothingLeft(stack)
})

test("Solana: a stored wallet's transfer that was cancelled after it was sent is not sent or signed again, and has failed at its expiry", async () => {
  const pair = await newPair(stack, 'solana')
  const walletId = await walletOf(stack, pair)
  dropTransactions()
  const { id } = (await sendFromWallet(stack, pair, walletId)).body
  await waitForBroadcast(id)
  await cancelSent(id)
  for (const gate of gates) gate.instead = passAll
  await waitForReconciles(stack, id, 9)
  await mineSolanaTo((await expiryOf(id)) + 5)
  await expectCancelled(pair, id)
})

async function cancelSent(id: string): Promise<void> {
  const { body } = await stack.api('POST', `/crypto/transfers/${id}/cancel`)
  expect(body).toMatchObject({ status: 'pending', reason: 'cancelling' })
}

async function expectCancelled(pair: Pair, id: string): Promise<void> {
  expect(await settledAt(stack, pair, id)).toMatchObject({ status: 'failed', reason: 'cancelled' })
  expect(await transferOf(stack, id)).toMatchObject({ status: 'failed', reason: 'cancelled' })
  expect(await transactionsOf(stack, id, true)).toMatchObject([{ number: 0, void: false }])
  expect(await eventsOf(stack, id)).toEqual(['transfer.failed'])
  expect([await heldBy(stack, pair, pair.to), await sentBy(stack, pair)]).toEqual([0n, 0])
}

test.each(['a key that comes with the request', 'a stored wallet'])(
  'Solana: two equal transfers within one block both move money, by %s',
  async (signer) => {
    const pair = await newPair(stack, 'solana')
    const walletId = await walletOf(stack, pair)
    const ask = () =>
      signer === 'a stored wallet' ? sendFromWallet(stack, pair, walletId) : sendWithKey(stack, pair)
    const [first, second] = [await ask(), await ask()]
    expect([first.body, second.body]).toMatchObject([{ status: 'pending' }, { status: 'pending' }])
    await waitFor('both transfers at the node', async () =>
      (await Promise.all([first, second].map(({ body }) => rowOf(stack, body.id)))).every(
        (row) => row?.status === 'broadcast',
      ),
    )
    for (const { body } of [first, second])
      expect(await settledAt(stack, pair, body.id)).toMatchObject({ status: 'confirmed' })
    expect([await heldBy(stack, pair, pair.to), await sentBy(stack, pair)]).toEqual([
      2n * unitsOf(stack, pair),
      2,
    ])
  },
)

/**
 * A caller's and two stored wallets' transfers that every node drops, expired by the chain's clock. The last
 * was cancelled.
 */
async function expireOn(chain: 'tron' | 'stellar') {
  const [callers, wallets, other] = [
    await newPair(stack, chain),
    await newPair(stack, chain),
    await newPair(stack, chain),
  ]
  const [walletId, otherId] = [await walletOf(stack, wallets), await walletOf(stack, other)]
  dropTransactions()
  const id = (await sendWithKey(stack, callers)).body.id
  const ofWallet = (await sendFromWallet(stack, wallets, walletId)).body.id
  await waitForBroadcast(id)
  const cancelled = (await sendFromWallet(stack, other, otherId)).body.id
  for (const each of [ofWallet, cancelled]) await waitForBroadcast(each)
  await cancelSent(cancelled)
  // Late enough on Tron that no lagging node can still accept it.
  await stack.mineAt(new Date((await latestExpiry([id, ofWallet, cancelled])) + 70_000), chain)
  await stack.mine(5, chain)
  return { callers, id, wallets, ofWallet, other, cancelled }
}

test.each(['tron', 'stellar'] as const)(
  "%s: a caller's transfer that never reached a block expires; a stored wallet's also waits for our own clock, and has failed if it was cancelled",
  async (chain) => {
    const { callers, id, ofWallet, other, cancelled } = await expireOn(chain)
    expect(await settledAt(stack, callers, id)).toMatchObject({ status: 'expired', reason: 'expired' })
    expect(await transferOf(stack, id)).toMatchObject({ status: 'failed', reason: 'expired' })
    expect(await eventsOf(stack, id)).toEqual(['transfer.expired'])
    expect([await heldBy(stack, callers, callers.to), await sentBy(stack, callers)]).toEqual([0n, 0])
    await expectCancelled(other, cancelled)
    await waitForReconciles(stack, ofWallet)
    expect(await transactionsOf(stack, ofWallet, true)).toMatchObject([{ number: 0, void: false }])
  },
)

test("Tron: a stored wallet's transfer is resigned once after it expired by both clocks", async () => {
  const { wallets, ofWallet } = await expireOn('tron')
  for (const gate of gates) gate.instead = passAll
  // Simulates our clock reaching the chain's.
  const over = "update intent_attempts set expires_at = now() - interval '1 second' where intent_id = $1"
  await stack.db.query(over, [ofWallet])
  // The treasury has its own record, which processes cannot change.
  await stack.db.query(
    `alter table treasury_signatures disable trigger all; update treasury_signatures set expires_at = now() - interval '1 second';
     alter table treasury_signatures enable trigger all`,
  )
  expect(await settledAt(stack, wallets, ofWallet)).toMatchObject({ status: 'confirmed', reason: null })
  expect(await transactionsOf(stack, ofWallet, true)).toMatchObject([{ void: true }, { void: false }])
  expect([await heldBy(stack, wallets, wallets.to), await sentBy(stack, wallets)]).toEqual([
    unitsOf(stack, wallets),
    1,
  ])
  expect(await eventsOf(stack, ofWallet)).toEqual(['transfer.confirmed'])
})
