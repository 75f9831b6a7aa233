import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals'
import { Keypair, TransactionBuilder } from '@stellar/stellar-sdk'
import { type Hex, parseTransaction } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { type FaultyNode, startFaultyNode } from '../support/faultyNode.ts'
import { fund, newPayer, type Payer } from '../support/payers.ts'
import { createStack, type Stack } from '../support/stack.ts'
import { waitFor } from '../support/waitFor.ts'

// Transfers that a node refuses, and the transfers after them.

type Chain = 'ethereum' | 'solana' | 'stellar'
const chains: readonly Chain[] = ['ethereum', 'solana', 'stellar']

let stack: Stack
const nodes = new Map<string, FaultyNode>()

beforeAll(async () => {
  const rpcUrls = async (url: string, chain: string) => {
    const node = await startFaultyNode(url)
    nodes.set(chain, node)
    return [node.url]
  }
  stack = await createStack({
    chains: [...chains],
    confirmations: 1,
    processes: ['treasury', 'api', 'worker'],
    rpcUrls,
  })
})
afterAll(async () => {
  await stack?.close()
  await Promise.all([...nodes.values()].map((node) => node.close()))
})
beforeEach(() => {
  for (const node of nodes.values()) node.mode = 'honest'
})

interface TransferBody {
  id: string
  status: string
  reason: string | null
  txHash: string | null
  error?: string
}

const setMode = (chain: Chain, mode: FaultyNode['mode']) => {
  const node = nodes.get(chain)
  if (node) node.mode = mode
}
const send = (from: Payer, toAddress: string, amount = '0.5', headers = {}) =>
  stack.api<TransferBody>(
    'POST',
    '/crypto/transfers/tokens',
    { chain: from.chain, fromPrivateKey: from.privateKey, toAddress, amount },
    headers,
  )
const becomes = (id: string, status: string, chain: Chain) =>
  waitFor(`transfer ${status}`, async () => {
    await stack.mine(2, chain)
    const { body } = await stack.api<TransferBody>('GET', `/crypto/transfers/${id}`)
    return body.status === status ? body : null
  })

async function pair(chain: Chain): Promise<[Payer, Payer]> {
  const [from, to] = [newPayer(chain), newPayer(chain)]
  await fund(stack, from, { native: '100' })
  await fund(stack, to, { native: '10' })
  return [from, to]
}

describe.each(chains)('on %s', (chain) => {
  test('a transfer that the node refuses fails at once with a reason; the same transfer can be repeated, and succeeds', async () => {
    const [from, to] = await pair(chain)
    setMode(chain, 'refuse')
    const refused = await send(from, to.address)
    expect(refused).toMatchObject({ status: 201, body: { status: 'failed', reason: 'refused' } })
    setMode(chain, 'honest')
    const again = await send(from, to.address)
    expect([again.status, again.body.error]).toEqual([201, undefined])
    expect(again.body).toMatchObject({ status: 'pending' })
    await becomes(again.body.id, 'confirmed', chain)
  })

  test('the same transfer twice at once, without an Idempotency-Key, is two transfers', async () => {
    const [from, to] = await pair(chain)
    const answers = await Promise.all([send(from, to.address), send(from, to.address)])
    expect(answers.map(({ status, body }) => [status, body.error])).toEqual([
      [201, undefined],
      [201, undefined],
    ])
    expect(new Set(answers.map(({ body }) => body.txHash)).size).toBe(2)
    for (const { body } of answers) await becomes(body.id, 'confirmed', chain)
  })

  test('the same transfer twice from a stored wallet is two transfers', async () => {
    const [from, to] = await pair(chain)
    const { body: wallet } = await stack.api<{ id: string }>('POST', '/crypto/wallets', {
      chain,
      privateKey: from.privateKey,
    })
    const ask = () =>
      stack.api<TransferBody>('POST', `/crypto/wallets/${wallet.id}/transfers`, {
        toAddress: to.address,
        amount: '0.5',
      })
    const answers = await Promise.all([ask(), ask()])
    const done = []
    for (const { body } of answers) done.push((await becomes(body.id, 'confirmed', chain)).txHash)
    expect(new Set(done).size).toBe(2)
  })
})

test.each(['ethereum', 'stellar'] as const)(
  '%s: a signed transfer waits while no node answers: 503, and is accepted afterwards',
  async (chain) => {
    const [from, to] = await pair(chain)
    const requested = { chain, fromAddress: from.address, toAddress: to.address, amount: '0.5' }
    const { body } = await stack.api<{ id: string; payload: string }>(
      'POST',
      '/crypto/transfers/prepare',
      requested,
    )
    const payload = await sign(chain, from, body.payload)
    const submit = () => stack.api<TransferBody>('POST', '/crypto/transfers/submit', { id: body.id, payload })
    setMode(chain, 'down')
    const waiting = await submit()
    expect([waiting.status, waiting.body.error, waiting.headers.get('retry-after')]).toEqual([
      503,
      'chain_unavailable',
      '5',
    ])
    setMode(chain, 'honest')
    const taken = await submit()
    expect([taken.status, taken.body.error]).toEqual([201, undefined])
    await becomes(body.id, 'confirmed', chain)
  },
)

test('senders that cannot send are refused, or get the missing amounts; nodes count no failure', async () => {
  // SEP-23's own example of a contract's address; one that is off the curve; the zero address.
  const unusable = {
    stellar: 'CA3D5KRYM6CB7OWQ6TWYRR3Z4T7GNZLKERYNZGGA5SOAOPIFY6YQGAXE',
    solana: 'ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL',
    ethereum: `0x${'0'.repeat(40)}`,
  }
  for (const chain of chains) {
    const [from, to] = await pair(chain)
    const requested = { chain, toAddress: to.address, amount: '0.5' }
    // More often than a node may fail before it is skipped.
    for (let i = 0; i < 6; i++) {
      for (const [path, field, body] of [
        ['/crypto/wallets/balance', 'address', { chain, address: unusable[chain] }],
        ['/crypto/transfers/estimate', 'fromAddress', { ...requested, fromAddress: unusable[chain] }],
        ['/crypto/transfers/prepare', 'fromAddress', { ...requested, fromAddress: unusable[chain] }],
      ] as const) {
        const answer = await stack.api<{ error?: string; fields?: unknown }>('POST', path, body)
        if (chain !== 'stellar') expect([chain, path, answer.status < 500]).toEqual([chain, path, true])
        else
          expect([path, answer.status, answer.body]).toMatchObject([
            path,
            400,
            { error: 'invalid_address', fields: [{ field }] },
          ])
      }
    }
    expect(
      (await stack.api('POST', '/crypto/transfers/estimate', { ...requested, fromAddress: from.address }))
        .status,
    ).toBe(200)
  }
})

/** By the chain's own library. */
async function sign(chain: 'ethereum' | 'stellar', from: Payer, payload: string): Promise<string> {
  if (chain === 'ethereum')
    return privateKeyToAccount(from.privateKey as Hex).signTransaction(parseTransaction(payload as Hex))
  const transaction = TransactionBuilder.fromXdr(payload, stack.other('stellar').networkPassphrase)
  transaction.sign(Keypair.fromSecret(from.privateKey))
  return transaction.toXdr()
}

test('a wallet whose secret cannot be opened holds up no other transfers', async () => {
  const stored: { payer: Payer; id: string }[] = []
  for (let i = 0; i < 2; i++) {
    const [payer] = await pair('ethereum')
    const { body } = await stack.api<{ id: string }>('POST', '/crypto/wallets', {
      chain: 'ethereum',
      privateKey: payer.privateKey,
    })
    stored.push({ payer, id: body.id })
  }
  const [broken, working] = stored
  await stack.db.query(
    'update wallets set sealed = set_byte(sealed, 40, 255 - get_byte(sealed, 40)) where id = $1',
    [broken?.id],
  )
  const ask = (id: string | undefined) =>
    stack.api<TransferBody>('POST', `/crypto/wallets/${id}/transfers`, {
      toAddress: newPayer('ethereum').address,
      amount: '0.1',
    })
  expect((await ask(broken?.id)).status).toBe(202)
  await waitFor('the request to the treasury', async () => {
    const [row] = await stack.db.query(
      'select 1 from intent_attempts t join intents o on o.id = t.intent_id where o.wallet_id = $1',
      [broken?.id],
    )
    return row
  })
  const { body } = await ask(working?.id)
  await becomes(body.id, 'confirmed', 'ethereum')
})
