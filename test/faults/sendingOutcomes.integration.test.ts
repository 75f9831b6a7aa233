import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals'
import { type Address, type Hex, keccak256, numberToHex, parseTransaction } from 'viem'
import { rpc } from '../devnets/evm.ts'
import { createStack, type Stack } from '../support/stack.ts'
import { waitFor } from '../support/waitFor.ts'
import { baseFeeIs, sendOutside } from './evmPool.ts'
import { type NodeGate, passAll, silence, startNodeGate } from './nodeGate.ts'
import { heldBy, sentBy, unitsOf } from './onChain.ts'
import {
  eventsOf,
  expectNothingLeft,
  miningUntil,
  newPair,
  normalOf,
  type Pair,
  rowOf,
  sendFromWallet,
  sendWithKey,
  sequencesOf,
  settledAt,
  type TransferBody,
  transactionsOf,
  transferOf,
  walletOf,
} from './sending.ts'

let stack: Stack
let gate: NodeGate

beforeAll(async () => {
  stack = await createStack({
    processes: ['treasury', 'api', 'worker'],
    confirmations: 2,
    env: {
      RPC_TIMEOUT_MS: '2500',
      TXMGR_RECONCILE_MS: '100',
      TXMGR_BUMP_AFTER_MS: '1000',
      TXMGR_UNMINABLE_MS: '200',
    },
    rpcUrls: async (nodeUrl) => {
      gate = await startNodeGate(nodeUrl)
      return [gate.url]
    },
  })
})
afterEach(async () => {
  gate.instead = passAll
})
afterAll(async () => {
  await stack?.close()
  await gate?.close()
})

const otherRecipient: Address = '0x00000000000000000000000000000000000e15e0'
const pairOnEthereum = () => newPair(stack, 'ethereum')
const keyOf = (pair: Pair) => pair.from.privateKey as Hex

/** @returns the id of a new transfer from a stored wallet */
async function fromWallet(pair: Pair): Promise<string> {
  const { status, body } = await sendFromWallet(stack, pair, await walletOf(stack, pair))
  expect([status, body]).toMatchObject([202, { status: 'pending' }])
  return body.id
}

/** @returns the id of a new transfer whose key came with the request */
async function withKey(pair: Pair, more: object = {}): Promise<string> {
  const { status, body } = await sendWithKey(stack, pair, undefined, more)
  expect([status, body]).toMatchObject([201, { status: 'pending' }])
  return body.id
}

const isBroadcast = (id: string) =>
  waitFor('a transfer accepted by the node', async () => (await rowOf(stack, id))?.status === 'broadcast')

/** Waits for the second transaction at the same nonce, once the node accepted it. */
const replaced = (id: string) =>
  waitFor('a replacement with a higher fee', async () => {
    const [first, second] = await transactionsOf(stack, id)
    return first && second?.accepted ? { first, second } : null
  })

async function expectOnce(
  pair: Pair,
  id: string,
  expected: Partial<TransferBody> = {},
  events = ['transfer.confirmed'],
): Promise<void> {
  expect(await settledAt(stack, pair, id)).toMatchObject({ status: 'confirmed', reason: null })
  expect(await transferOf(stack, id)).toMatchObject({ status: 'confirmed', reason: null, ...expected })
  expect(await heldBy(stack, pair, pair.to)).toBe(unitsOf(stack, pair))
  expect(await eventsOf(stack, id)).toEqual(events)
  await expectNothingLeft(stack)
}

async function expectUsedElsewhere(pair: Pair, id: string): Promise<void> {
  expect(await settledAt(stack, pair, id)).toMatchObject({ status: 'expired', reason: 'sequence_used' })
  expect(await transferOf(stack, id)).toMatchObject({
    status: 'failed',
    reason: 'sequence_used',
    message: expect.stringContaining('another'),
  })
  expect(await eventsOf(stack, id)).toEqual(['transfer.expired'])
}

/** All its hashes find the transfer. */
async function expectFoundBy(id: string, hashes: readonly (string | null)[]): Promise<void> {
  for (const hash of hashes) expect(await transferOf(stack, hash ?? '')).toMatchObject({ id })
}

test('a stuck transfer of a stored wallet is replaced at its nonce with a higher fee: the mined transaction is reported, both hashes find the transfer', async () => {
  const pair = await pairOnEthereum()
  const prices = new Map<string | null, bigint>()
  gate.instead = async ({ name, params: [raw] }) => {
    if (name === 'eth_sendRawTransaction')
      prices.set(keccak256(raw as Hex), parseTransaction(raw as Hex).maxFeePerGas ?? 0n)
    return null
  }
  const id = await fromWallet(pair)
  const { first, second } = await replaced(id)
  expect([first.nonce, second.nonce]).toEqual([0, 0])
  const cheap = prices.get(first.txId) ?? 0n
  expect(cheap).toBeGreaterThan(0n)
  expect(prices.get(second.txId)).toBeGreaterThanOrEqual((cheap * 9n) / 8n)
  await expectFoundBy(id, [first.txId, second.txId])
  await expectOnce(pair, id)
  const mined = await transferOf(stack, id)
  expect((await stack.client().getTransactionReceipt({ hash: mined.txHash as Hex })).status).toBe('success')
  expect((await transactionsOf(stack, id)).findIndex(({ txId }) => txId === mined.txHash)).toBeGreaterThan(0)
  await expectFoundBy(id, [first.txId, second.txId])
  expect(await sentBy(stack, pair)).toBe(1)
})

test('when the first transaction is mined after all, the first one is reported', async () => {
  const pair = await pairOnEthereum()
  let sent = 0
  gate.instead = async ({ name, params: [raw] }) => {
    if (name !== 'eth_sendRawTransaction') return null
    // The node accepts all of them and drops all but the first.
    return ++sent === 1 ? null : keccak256(raw as Hex)
  }
  const id = await fromWallet(pair)
  const { first, second } = await replaced(id)
  await expectOnce(pair, id, { txHash: first.txId })
  await expectFoundBy(id, [first.txId, second.txId])
  expect(await sentBy(stack, pair)).toBe(1)
})

test("a caller's stuck transfer climbs a fee ladder that was signed in advance, unless the caller sets the price", async () => {
  const [pair, priced] = [await pairOnEthereum(), await pairOnEthereum()]
  const pricedId = await withKey(priced, { gasPrice: '20000000000' })
  const id = await withKey(pair)
  expect(await transactionsOf(stack, id)).toMatchObject([{ sends: 1 }, { sends: 0 }, { sends: 0 }])
  const { first, second } = await replaced(id)
  expect([first.nonce, second.nonce]).toEqual([0, 0])
  // It has waited longer, but has only one transaction.
  expect(await transactionsOf(stack, pricedId)).toHaveLength(1)
  await expectOnce(pair, id)
  await expectOnce(priced, pricedId)
  expect((await transferOf(stack, id)).txHash).not.toBe(first.txId)
  expect(await transactionsOf(stack, pricedId)).toHaveLength(1)
})

test('a reorg makes a transfer pending again; it is sent again, confirmed in another block and reported again', async () => {
  const pair = await pairOnEthereum()
  const id = await withKey(pair, { gasPrice: '20000000000' })
  await isBroadcast(id)
  // So few that it is not final: what is final is not checked again.
  await stack.mine(3)
  await waitFor('the confirmation', async () => (await transferOf(stack, id)).status === 'confirmed')
  const blockOf = async () =>
    (await stack.db.query<{ block: string }>('select block_id as block from intents where id = $1', [id]))[0]
      ?.block
  const [before, was] = [await blockOf(), await transferOf(stack, id)]
  const depth = (await stack.height()) - (was.blockHeight ?? 0) + 1
  await rpc(stack.devnet.rpcUrl, 'anvil_reorg', [depth, []])
  expect(await heldBy(stack, pair, pair.to)).toBe(0n)
  await waitFor(
    'a transfer that is pending again',
    async () => (await transferOf(stack, id)).status === 'pending',
  )
  const inPool = () => stack.client().getTransaction({ hash: was.txHash as Hex })
  await waitFor('the same bytes at the node', async () => (await inPool().catch(() => null)) !== null)
  await expectOnce(pair, id, { txHash: was.txHash }, ['transfer.confirmed', 'transfer.confirmed'])
  expect(await blockOf()).not.toBe(before)
  expect(await sentBy(stack, pair)).toBe(1)
})

test("a caller's transfer whose nonce was used by another transaction fails for that reason", async () => {
  const pair = await pairOnEthereum()
  const id = await withKey(pair)
  await sendOutside(stack, keyOf(pair), { nonce: 0, to: otherRecipient })
  await expectUsedElsewhere(pair, id)
  expect([await heldBy(stack, pair, pair.to), await sentBy(stack, pair)]).toEqual([0n, 1])
  const next = await withKey(pair)
  await expectOnce(pair, next)
})

test.each(['cancelled', 'sped up'])(
  "a stored wallet's transfer that its owner %s in another wallet fails for that reason, and is not sent again",
  async (what) => {
    const pair = await pairOnEthereum()
    const id = await fromWallet(pair)
    await isBroadcast(id)
    const ours = await stack.client().getTransaction({ hash: (await transferOf(stack, id)).txHash as Hex })
    const again = { to: ours.to as Address, data: ours.input, value: ours.value, gas: ours.gas }
    const change = what === 'sped up' ? again : { to: pair.from.address as Address }
    await sendOutside(stack, keyOf(pair), { nonce: 0, ...change })
    await expectUsedElsewhere(pair, id)
    expect(await transactionsOf(stack, id, true)).toMatchObject([{ void: false, nonce: 0 }])
    const paid = what === 'sped up' ? unitsOf(stack, pair) : 0n
    expect([await heldBy(stack, pair, pair.to), await sentBy(stack, pair)]).toEqual([paid, 1])
  },
)

test.each(['never reached the node', 'reached the node'])(
  'a send that gets no answer and that %s is unknown until the node is back',
  async (what) => {
    const pair = await pairOnEthereum()
    let isDown = false
    gate.instead = async ({ name, pass }) => {
      if (name === 'eth_sendRawTransaction' && !isDown) {
        isDown = true
        if (what === 'reached the node') await pass()
      }
      return isDown ? silence : null
    }
    const id = await fromWallet(pair)
    await waitFor(
      'a transfer with unknown outcome',
      async () => (await rowOf(stack, id))?.status === 'unknown',
    )
    expect(await transferOf(stack, id)).toMatchObject({ status: 'pending', reason: null })
    gate.instead = passAll
    await expectOnce(pair, id)
    expect([await sentBy(stack, pair), await sequencesOf(stack, pair)]).toEqual([1, [0]])
  },
)

test('a transfer refused at its first send fails, and the next transfer of the key gets its nonce', async () => {
  const pair = await pairOnEthereum()
  const coins = (wei: bigint) =>
    rpc(stack.devnet.rpcUrl, 'anvil_setBalance', [pair.from.address, numberToHex(wei)])
  gate.instead = async ({ name }) => {
    // Simulates a delegate of the account (EIP-7702) that takes all of its coins at this moment.
    if (name === 'eth_sendRawTransaction') await coins(0n)
    return null
  }
  const id = await fromWallet(pair)
  await waitFor('the refusal', async () => (await transferOf(stack, id)).status === 'failed')
  expect(await transferOf(stack, id)).toMatchObject({
    reason: 'refused',
    message: expect.stringMatching(/insufficient funds/i),
  })
  expect(await stack.db.query('select bytes from intent_attempts where intent_id = $1', [id])).toEqual([
    { bytes: null },
  ])
  expect([await eventsOf(stack, id), await sequencesOf(stack, pair)]).toEqual([['transfer.failed'], []])
  gate.instead = passAll
  await coins(10n ** 18n)
  // Another price makes the next transfer a different transaction.
  await baseFeeIs(stack, 3n * 10n ** 9n)
  await stack.mine()
  const next = await withKey(pair)
  await miningUntil(
    stack,
    'ethereum',
    'the next transfer',
    async () => (await transferOf(stack, next)).status === 'confirmed',
  )
  expect([await heldBy(stack, pair, pair.to), await sentBy(stack, pair)]).toEqual([unitsOf(stack, pair), 1])
  // Its nonce is finally used: the transfer is settled.
  expect(await settledAt(stack, pair, id)).toMatchObject({ status: 'failed', reason: 'refused' })
  expect(await eventsOf(stack, id)).toEqual(['transfer.failed'])
})

test('a transfer that a node refused but forwarded ends as confirmed', async () => {
  const pair = await pairOnEthereum()
  gate.instead = async ({ name, pass }) => {
    if (name !== 'eth_sendRawTransaction') return null
    await pass()
    return { error: { code: -32000, message: 'insufficient funds for gas * price + value' } }
  }
  const id = await withKeyAnyStatus(pair)
  expect(await transferOf(stack, id)).toMatchObject({ status: 'failed', reason: 'refused' })
  await expectOnce(pair, id, {}, ['transfer.failed', 'transfer.confirmed'])
  expect(await sentBy(stack, pair)).toBe(1)
  const [row] = await stack.db.query('select count(*)::int as rows from intents where from_address = $1', [
    normalOf(pair),
  ])
  expect(row).toEqual({ rows: 1 })
})

/** Like `withKey`, but the transfer may have failed already. */
async function withKeyAnyStatus(pair: Pair): Promise<string> {
  const { status, body } = await sendWithKey(stack, pair)
  expect(status).toBe(201)
  return body.id
}

test.each(['a key that comes with the request', 'a stored wallet'])(
  'the same transfer at the same price succeeds after a refusal, by %s',
  async (signer) => {
    const [pair, bystander] = [await pairOnEthereum(), await pairOnEthereum()]
    const coins = (wei: bigint) =>
      rpc(stack.devnet.rpcUrl, 'anvil_setBalance', [pair.from.address, numberToHex(wei)])
    const walletId = await walletOf(stack, pair)
    const ask = () =>
      signer === 'a stored wallet' ? sendFromWallet(stack, pair, walletId) : sendWithKey(stack, pair)
    gate.instead = async ({ name }) => {
      if (name === 'eth_sendRawTransaction') await coins(0n)
      return null
    }
    const refused = (await ask()).body.id
    await waitFor('the refusal', async () => (await transferOf(stack, refused)).status === 'failed')
    gate.instead = passAll
    await coins(10n ** 18n)
    const again = await ask()
    expect([again.status, again.body]).toMatchObject([expect.any(Number), { status: 'pending' }])
    // It must not block other transfers.
    const other = await fromWallet(bystander)
    await waitFor('the signature of the other transfer', async () =>
      (await transactionsOf(stack, other)).some(({ txId }) => txId !== null),
    )
    await miningUntil(
      stack,
      'ethereum',
      'the repeated transfer',
      async () => (await transferOf(stack, again.body.id)).status === 'confirmed',
    )
    expect([await heldBy(stack, pair, pair.to), await sentBy(stack, pair)]).toEqual([unitsOf(stack, pair), 1])
    expect(await settledAt(stack, pair, refused)).toMatchObject({ status: 'failed', reason: 'refused' })
    expect(await settledAt(stack, bystander, other)).toMatchObject({ status: 'confirmed' })
  },
)
