import { afterAll, beforeAll, expect } from '@jest/globals'
import { type Address, createWalletClient, type Hex, http, numberToHex, parseGwei } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import type { ChainName } from '../../src/chains/registry.ts'
import { pause } from '../../src/platform/wait.ts'
import { devnetChain, rpc } from '../devnets/evm.ts'
import { type Asset, heldOn, horizonOf, sentFrom } from '../support/chainBooks.ts'
import { createLanes } from '../support/lanes.ts'
import { decimalsOf, fund, newPayer, type Payer } from '../support/payers.ts'
import { signPrepared } from '../support/signPrepared.ts'
import { type ApiAnswer, createStack, type Stack } from '../support/stack.ts'
import { estimate, getTransfer, prepare, type TransferBody, units, type Wanted } from '../support/transfers.ts'
import { waitFor } from '../support/waitFor.ts'

// Many transfers of one address at once, through two API processes that know of each other by the database alone.

let stack: Stack
const apis = ['api', 'api-2']

beforeAll(async () => {
  // Every chain has its own rule of confirmation here, as in production.
  stack = await createStack({
    chains: ['ethereum', 'solana', 'stellar'],
    processes: ['treasury', 'api', 'worker'],
    finalizedTag: true,
    // A caller's key waits 5 s for the chain's word that its sequence is used, as in production; a worker gives up clearly later, as there.
    env: { RPC_TIMEOUT_MS: '5000', TXMGR_UNMINABLE_MS: '12000' },
  })
  await stack.start('api', {}, { as: 'api-2' })
}, 120_000)
afterAll(() => stack?.close())

const baseFee = parseGwei('1')

/** Makes a block every so often until it is stopped. On Ethereum gas costs the same in each, so that the same price is asked of all. */
function mining(chain: ChainName) {
  // A sequence counts as used when that is deep enough, while the caller waits: slow blocks use up that time.
  const everyMs = 100
  let isOver = false
  const done = (async () => {
    while (!isOver) {
      if (chain === 'ethereum') await rpc(stack.devnet.rpcUrl, 'anvil_setNextBlockBaseFeePerGas', [numberToHex(baseFee)])
      await stack.mine(1, chain)
      await pause(everyMs)
    }
  })()
  return async () => {
    isOver = true
    await done
  }
}

/** Asks one of the API's processes. */
async function ask<T>(api: string, path: string, body: object, key: string): Promise<ApiAnswer<T>> {
  const response = await fetch(`http://127.0.0.1:${stack.processes.get(api)?.port()}/api/v1${path}`, {
    method: 'POST',
    headers: { 'x-api-key': stack.apiKey, 'content-type': 'application/json', 'idempotency-key': key },
    body: JSON.stringify(body),
  })
  return { status: response.status, body: (await response.json()) as T, headers: response.headers }
}

/** Transfers of different amounts, each to somebody new. */
const transfersOf = (from: Payer, token: Asset, count: number): Wanted[] =>
  Array.from({ length: count }, (_, i) => ({ from, to: newPayer(from.chain).address, token, amount: `${1 + i}.000001` }))

/** Sends all of them at once, half by each API. @param walletId of a stored wallet; else with the key */
const sendAll = (wanted: readonly Wanted[], name: string, walletId?: string): Promise<ApiAnswer<TransferBody>[]> =>
  Promise.all(
    wanted.map(({ from, to, token, amount }, i) => {
      const fields = { toAddress: to, token, amount }
      const api = apis[i % 2] ?? 'api'
      if (walletId !== undefined) return ask<TransferBody>(api, `/crypto/wallets/${walletId}/transfers`, fields, `${name}-${i}`)
      return ask<TransferBody>(api, '/crypto/transfers/tokens', { chain: from.chain, fromPrivateKey: from.privateKey, ...fields }, `${name}-${i}`)
    }),
  )

/** The answers that refuse a transfer. */
const refusedIn = (answers: readonly ApiAnswer<TransferBody>[]) =>
  answers.filter(({ status }) => status !== 201).map(({ status, body }) => ({ status, body }))

/** Waits until each is confirmed, and holds recipients and the sender's transactions to what was asked for. */
async function expectAllLand(wanted: readonly Wanted[], answers: readonly ApiAnswer<TransferBody>[], elsewhere: readonly string[] = []) {
  const [first] = wanted
  if (!first) throw new Error('nothing was sent')
  const { chain, address } = first.from
  const ids = answers.map(({ body }) => body.id)
  expect(new Set(ids).size).toBe(wanted.length)
  const states = () =>
    stack.db.query<{ status: string; reason: string | null; count: number }>(
      'select status, reason, count(*)::int from intents where id = any($1) group by 1, 2 order by 1',
      [ids],
    )
  const ends = ['confirmed', 'failed', 'expired']
  await waitFor('the end of all', async () => (await states()).every(({ status }) => ends.includes(status)), 90_000)
  // What would come after its end has come by then.
  await stack.idle(30_000)
  const transfers = await Promise.all(ids.map((id) => getTransfer(stack, id)))
  // Whose nonce another program took while nothing was known of it expires, so that nothing is paid twice: that one, and for no other reason.
  const expired = new Set(transfers.filter(({ reason }) => reason === 'sequence_used').map(({ id }) => id))
  expect(transfers.filter(({ id, status }) => status !== 'confirmed' && !expired.has(id))).toEqual([])
  const nonces = await Promise.all(elsewhere.map(async (hash) => (await stack.client('ethereum').getTransaction({ hash: hash as Hex })).nonce))
  const lost = await stack.db.query<{ nonce: number }>(
    'select distinct on (intent_id) nonce::int as nonce from intent_attempts where intent_id = any($1) order by intent_id, number desc',
    [[...expired]],
  )
  expect(lost).toHaveLength(expired.size)
  expect(new Set(lost.map(({ nonce }) => nonce)).size).toBe(expired.size)
  for (const { nonce } of lost) expect(nonces).toContain(nonce)
  const landed = transfers.filter(({ id }) => !expired.has(id))
  for (const [i, each] of wanted.entries())
    expect(await heldOn(stack, chain, each.token, each.to)).toBe(expired.has(ids[i] ?? '') ? 0n : units(stack, each))
  // On EVM and Stellar in the order of their sequences, of which none is left out.
  const sent = await sentFrom(stack, chain, address)
  expect([...sent].sort()).toEqual([...landed.map(({ txHash }) => txHash), ...elsewhere].sort())
  for (const id of ids) expect(stack.receiver.types(id)).toEqual([expired.has(id) ? 'transfer.expired' : 'transfer.confirmed'])
}

/**
 * Uses the key with viem, as another program would that knows nothing of ours: with the next nonce as the node tells it and the price of the
 * day, which replaces nothing; again where something else had that nonce.
 */
async function useElsewhere({ privateKey }: Payer, to: Address, price: { maxFeePerGas: bigint; maxPriorityFeePerGas: bigint }): Promise<Hex> {
  const { rpcUrl } = stack.devnet
  const [client, account] = [stack.client('ethereum'), privateKeyToAccount(privateKey as Hex)]
  const wallet = createWalletClient({ account, chain: devnetChain('ethereum', rpcUrl), transport: http(rpcUrl, { retryCount: 0 }) })
  return waitFor('a transaction of another program', async () => {
    const nonce = await client.getTransactionCount({ ...account, blockTag: 'pending' })
    const hash = await wallet.sendTransaction({ to, value: 1n, nonce, gas: 21_000n, ...price })
    await waitFor('its nonce in a block', async () => (await client.getTransactionCount(account)) > nonce)
    await client.getTransactionReceipt({ hash })
    return hash
  })
}

/** What our own transactions pay now. */
async function priceOf([wanted]: readonly Wanted[]) {
  if (!wanted) throw new Error('nothing to send')
  const { maxFeePerGas = '', maxPriorityFeePerGas = '' } = (await estimate(stack, wanted)).body.terms
  return { maxFeePerGas: BigInt(maxFeePerGas), maxPriorityFeePerGas: BigInt(maxPriorityFeePerGas) }
}

/** The chains at the same time. */
const lanes = createLanes()

lanes.test('ethereum', 'fifty with one key that is used elsewhere meanwhile: each lands once or expires, and no nonce is left out', async () => {
  const from = newPayer('ethereum')
  await fund(stack, from, { native: '10', USDC: '2000' })
  const wanted = transfersOf(from, 'usdc', 50)
  const to = newPayer('ethereum').address as Address
  const stop = mining('ethereum')
  try {
    const price = await priceOf(wanted)
    const others = (async () => {
      const hashes: Hex[] = []
      while (hashes.length < 5) hashes.push(await useElsewhere(from, to, price))
      return hashes
    })()
    const answers = await sendAll(wanted, 'fifty')
    expect(refusedIn(answers)).toEqual([])
    const elsewhere = await others
    await expectAllLand(wanted, answers, elsewhere)
    expect(await heldOn(stack, 'ethereum', 'native', to)).toBe(5n)
    // The same requests again: the answers are those of the first time, and nothing else is sent.
    const again = await sendAll(wanted, 'fifty')
    expect(again.map(({ body }) => body.id)).toEqual(answers.map(({ body }) => body.id))
    expect(await sentFrom(stack, 'ethereum', from.address)).toHaveLength(55)
  } finally {
    await stop()
  }
})

lanes.test('ethereum', 'twenty from a stored wallet whose key is used elsewhere meanwhile: the same', async () => {
  const from = newPayer('ethereum')
  await fund(stack, from, { native: '10', USDC: '2000' })
  const walletId = await stored(from)
  const wanted = transfersOf(from, 'usdc', 20)
  const to = newPayer('ethereum').address as Address
  const stop = mining('ethereum')
  try {
    const price = await priceOf(wanted)
    const others = (async () => [await useElsewhere(from, to, price), await useElsewhere(from, to, price)])()
    const answers = await sendAll(wanted, 'wallet', walletId)
    expect(answers.map(({ status }) => status)).toEqual(wanted.map(() => 202))
    await expectAllLand(wanted, answers, await others)
  } finally {
    await stop()
  }
})

lanes.test('stellar', 'ten with one key on Stellar, which takes one a ledger: each lands, its sequences follow each other', async () => {
  const from = newPayer('stellar')
  await fund(stack, from, { native: '500' })
  const before = BigInt((await horizonOf(stack).loadAccount(from.address)).sequence)
  const wanted = transfersOf(from, 'native', 10)
  const stop = mining('stellar')
  try {
    const answers = await sendAll(wanted, 'stellar')
    expect(refusedIn(answers)).toEqual([])
    await expectAllLand(wanted, answers)
    const { records } = await horizonOf(stack).transactions().forAccount(from.address).limit(200).call()
    const sequences = records.filter((each) => each.source_account === from.address).map((each) => BigInt(each.source_account_sequence))
    expect(sequences).toEqual(wanted.map((_, i) => before + 1n + BigInt(i)))
  } finally {
    await stop()
  }
})

lanes.test('solana', 'twenty with one key on Solana: each lands', async () => {
  const from = newPayer('solana')
  await fund(stack, from, { native: '500' })
  const wanted = transfersOf(from, 'native', 20)
  const stop = mining('solana')
  try {
    const answers = await sendAll(wanted, 'solana')
    expect(refusedIn(answers)).toEqual([])
    await expectAllLand(wanted, answers)
  } finally {
    await stop()
  }
})

/** Five transfers of two coins to somebody who is there already. */
async function alikeOn(chain: ChainName) {
  const [from, to] = [newPayer(chain), newPayer(chain)]
  await fund(stack, from, { native: '100' })
  await fund(stack, to, { native: '10' })
  const wanted: Wanted[] = Array.from({ length: 5 }, () => ({ from, to: to.address, token: 'native', amount: '2' }))
  const all = 20n * 10n ** BigInt(decimalsOf(stack, chain).native)
  const expectAll = async () => {
    await waitFor('all five', async () => (await heldOn(stack, chain, 'native', to.address)) === all)
    expect(await sentFrom(stack, chain, from.address)).toHaveLength(5)
  }
  return { from, wanted, expectAll }
}

for (const chain of ['ethereum', 'solana', 'stellar'] as const)
  lanes.test(chain, `${chain}: five with one key that are alike in everything are five`, async () => {
    const { wanted, expectAll } = await alikeOn(chain)
    const stop = mining(chain)
    try {
      const answers = await sendAll(wanted, `alike-${chain}`)
      expect(refusedIn(answers)).toEqual([])
      await expectAll()
    } finally {
      await stop()
    }
  })

lanes.test('solana', 'solana: five from a stored wallet that are alike in everything are five, and nobody’s transfer waits behind them', async () => {
  const other = newPayer('ethereum')
  await fund(stack, other, { native: '1' })
  const { from, wanted, expectAll } = await alikeOn('solana')
  const [walletId, otherId] = [await stored(from), await stored(other)]
  const stop = mining('solana')
  try {
    const answers = await sendAll(wanted, 'alike-wallet', walletId)
    expect(answers.map(({ status }) => status)).toEqual(wanted.map(() => 202))
    const [behind] = await sendAll([{ from: other, to: newPayer('ethereum').address, token: 'native', amount: '0.5' }], 'behind', otherId)
    await waitFor('the signature of the one behind them', async () => (await getTransfer(stack, behind?.body.id ?? '')).txHash)
    await expectAll()
  } finally {
    await stop()
  }
})

lanes.test(
  'ethereum',
  'one request that is made ten times at once, with one Idempotency-Key or of one signed transfer, is one transfer',
  async () => {
    const from = newPayer('ethereum')
    await fund(stack, from, { native: '10' })
    const wanted: Wanted = { from, to: newPayer('ethereum').address, token: 'native', amount: '1.5' }
    const apiOf = (i: number) => apis[i % 2] ?? 'api'
    const times = Array.from({ length: 10 }, (_, i) => i)
    const body = { chain: 'ethereum', fromPrivateKey: from.privateKey, toAddress: wanted.to, amount: wanted.amount }
    const answers = await Promise.all(times.map((i) => ask<TransferBody>(apiOf(i), '/crypto/transfers/tokens', body, 'once')))
    const done = answers.filter(({ status }) => status === 201)
    expect(new Set(done.map(({ body }) => body.id)).size).toBe(1)
    for (const { status, body } of answers) if (status !== 201) expect([status, body.error]).toEqual([409, 'request_in_progress'])
    await stack.mine(1)

    const prepared = (await prepare(stack, wanted)).body
    const signed = { id: prepared.id, payload: await signPrepared(stack, from, prepared.payload) }
    const submitted = await Promise.all(times.map((i) => ask<TransferBody>(apiOf(i), '/crypto/transfers/submit', signed, `submitted-${i}`)))
    expect(submitted.map(({ status, body }) => `${status} ${body.id}`)).toEqual(times.map(() => `201 ${prepared.id}`))
    await stack.mine(1)
    expect(await heldOn(stack, 'ethereum', 'native', wanted.to)).toBe(2n * units(stack, wanted))
    expect(await sentFrom(stack, 'ethereum', from.address)).toEqual([done[0]?.body.txHash, submitted[0]?.body.txHash])
  },
)

async function stored({ chain, privateKey }: Payer): Promise<string> {
  const { status, body } = await stack.api<{ id: string }>('POST', '/crypto/wallets', { chain, privateKey })
  expect(status).toBe(201)
  return body.id
}
