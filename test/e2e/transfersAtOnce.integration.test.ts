import { afterAll, beforeAll, expect } from '@jest/globals'
import { type Address, createWalletClient, type Hex, http, numberToHex, parseGwei } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import type { ChainName } from '../../src/chains/registry.ts'
import { pause } from '../../src/platform/wait.ts'
import { devnetChain, rpc } from '../devnets/evm.ts'
import { type Asset, heldOn, horizonOf, sentFrom } from '../support/chainBooks.ts'
import { createParallelTests } from '../support/parallelTests.ts'
import { decimalsOf, fund, type Holdings, newPayer, type Payer } from '../support/payers.ts'
import { signPrepared } from '../support/signPrepared.ts'
import { type ApiAnswer, createStack, type Stack } from '../support/stack.ts'
import {
  estimate,
  getTransfer,
  prepare,
  type RequestedTransfer,
  type TransferBody,
  units,
} from '../support/transfers.ts'
import { waitFor } from '../support/waitFor.ts'

// Many transfers of one address at once, through two API processes that share only the database.

let stack: Stack
const apis = ['api', 'api-2']

beforeAll(async () => {
  // Every chain uses its own confirmation rule here, as in production.
  stack = await createStack({
    chains: ['ethereum', 'solana', 'stellar'],
    processes: ['treasury', 'api', 'worker'],
    finalizedTag: true,
    // A request with a key waits 5 s for the chain to report its sequence as used, as in production; a worker
    // gives up clearly later, as there.
    env: { RPC_TIMEOUT_MS: '5000', TXMGR_UNMINABLE_MS: '12000' },
  })
  await stack.start('api', {}, { as: 'api-2' })
})
afterAll(() => stack?.close())

const baseFee = parseGwei('1')

/** One payer after the other: the payers of a chain are funded with one key. */
function fundInTurn(payer: Payer, holdings: Holdings): Promise<void> {
  const funded = lastFunded.then(() => fund(stack, payer, holdings))
  lastFunded = funded.catch(() => {})
  return funded
}
let lastFunded = Promise.resolve()

/**
 * Mines a block periodically until it is stopped. On Ethereum gas costs the same in each, so that all pay the
 * same price.
 */
function mining(chain: ChainName) {
  // A sequence counts as used when its block is deep enough, while the caller waits: slow blocks use up that
  // time.
  const everyMs = 100
  let isOver = false
  const done = (async () => {
    while (!isOver) {
      if (chain === 'ethereum')
        await rpc(stack.devnet.rpcUrl, 'anvil_setNextBlockBaseFeePerGas', [numberToHex(baseFee)])
      await stack.mine(1, chain)
      await pause(everyMs)
    }
  })()
  return async () => {
    isOver = true
    await done
  }
}

/** Calls one of the API's processes. */
async function ask<T>(api: string, path: string, body: object, key: string): Promise<ApiAnswer<T>> {
  const response = await fetch(`http://127.0.0.1:${stack.processes.get(api)?.port()}/api/v1${path}`, {
    method: 'POST',
    headers: { 'x-api-key': stack.apiKey, 'content-type': 'application/json', 'idempotency-key': key },
    body: JSON.stringify(body),
  })
  return { status: response.status, body: (await response.json()) as T, headers: response.headers }
}

/** Transfers of different amounts, each to a new recipient. */
const transfersOf = (from: Payer, token: Asset, count: number): RequestedTransfer[] =>
  Array.from({ length: count }, (_, i) => ({
    from,
    to: newPayer(from.chain).address,
    token,
    amount: `${1 + i}.000001`,
  }))

/**
 * Sends all of them at once, half by each API. @param walletId of a stored wallet; without it the key is sent
 */
const sendAll = (
  requested: readonly RequestedTransfer[],
  name: string,
  walletId?: string,
): Promise<ApiAnswer<TransferBody>[]> =>
  Promise.all(
    requested.map(({ from, to, token, amount }, i) => {
      const fields = { toAddress: to, token, amount }
      const api = apis[i % 2] ?? 'api'
      if (walletId !== undefined)
        return ask<TransferBody>(api, `/crypto/wallets/${walletId}/transfers`, fields, `${name}-${i}`)
      return ask<TransferBody>(
        api,
        '/crypto/transfers/tokens',
        { chain: from.chain, fromPrivateKey: from.privateKey, ...fields },
        `${name}-${i}`,
      )
    }),
  )

/** The answers that refuse a transfer. */
const refusedIn = (answers: readonly ApiAnswer<TransferBody>[]) =>
  answers.filter(({ status }) => status !== 201).map(({ status, body }) => ({ status, body }))

/** Waits until each is confirmed, and checks recipients and the sender's transactions against the request. */
async function expectAllLand(
  requested: readonly RequestedTransfer[],
  answers: readonly ApiAnswer<TransferBody>[],
  elsewhere: readonly string[] = [],
) {
  const [first] = requested
  if (!first) throw new Error('nothing was sent')
  const { chain, address } = first.from
  const ids = answers.map(({ body }) => body.id)
  expect(new Set(ids).size).toBe(requested.length)
  const states = () =>
    stack.db.query<{ status: string; reason: string | null; count: number }>(
      'select status, reason, count(*)::int from intents where id = any($1) group by 1, 2 order by 1',
      [ids],
    )
  const ends = ['confirmed', 'failed', 'expired']
  await waitFor(
    'the end of all',
    async () => (await states()).every(({ status }) => ends.includes(status)),
    90_000,
  )
  // Late events have arrived by then.
  await stack.idle()
  const transfers = await Promise.all(ids.map((id) => getTransfer(stack, id)))
  // A transfer expires when another program took its nonce before any attempt was known, so that nothing is
  // paid twice. No other transfer expires.
  const expired = new Set(transfers.filter(({ reason }) => reason === 'sequence_used').map(({ id }) => id))
  expect(transfers.filter(({ id, status }) => status !== 'confirmed' && !expired.has(id))).toEqual([])
  const nonces = await Promise.all(
    elsewhere.map(
      async (hash) => (await stack.client('ethereum').getTransaction({ hash: hash as Hex })).nonce,
    ),
  )
  const lost = await stack.db.query<{ nonce: number }>(
    'select distinct on (intent_id) nonce::int as nonce from intent_attempts where intent_id = any($1) order by intent_id, number desc',
    [[...expired]],
  )
  expect(lost).toHaveLength(expired.size)
  expect(new Set(lost.map(({ nonce }) => nonce)).size).toBe(expired.size)
  for (const { nonce } of lost) expect(nonces).toContain(nonce)
  const landed = transfers.filter(({ id }) => !expired.has(id))
  for (const [i, each] of requested.entries())
    expect(await heldOn(stack, chain, each.token, each.to)).toBe(
      expired.has(ids[i] ?? '') ? 0n : units(stack, each),
    )
  // On EVM and Stellar in the order of their sequences, without a gap.
  const sent = await sentFrom(stack, chain, address)
  expect([...sent].sort()).toEqual([...landed.map(({ txHash }) => txHash), ...elsewhere].sort())
  for (const id of ids)
    expect(stack.receiver.types(id)).toEqual([expired.has(id) ? 'transfer.expired' : 'transfer.confirmed'])
}

/**
 * Uses the key with viem, as an independent program would: with the node's next nonce and the current price,
 * which replaces nothing. Retries where another transaction took that nonce.
 */
async function useElsewhere(
  { privateKey }: Payer,
  to: Address,
  price: { maxFeePerGas: bigint; maxPriorityFeePerGas: bigint },
): Promise<Hex> {
  const { rpcUrl } = stack.devnet
  const [client, account] = [stack.client('ethereum'), privateKeyToAccount(privateKey as Hex)]
  const wallet = createWalletClient({
    account,
    chain: devnetChain('ethereum', rpcUrl),
    transport: http(rpcUrl, { retryCount: 0 }),
  })
  return waitFor('a transaction of another program', async () => {
    const nonce = await client.getTransactionCount({ ...account, blockTag: 'pending' })
    const hash = await wallet.sendTransaction({ to, value: 1n, nonce, gas: 21_000n, ...price })
    await waitFor('its nonce in a block', async () => (await client.getTransactionCount(account)) > nonce)
    await client.getTransactionReceipt({ hash })
    return hash
  })
}

/** The price that our own transactions pay now. */
async function priceOf([requested]: readonly RequestedTransfer[]) {
  if (!requested) throw new Error('nothing to send')
  const { maxFeePerGas = '', maxPriorityFeePerGas = '' } = (await estimate(stack, requested)).body.terms
  return { maxFeePerGas: BigInt(maxFeePerGas), maxPriorityFeePerGas: BigInt(maxPriorityFeePerGas) }
}

/** The chains run at the same time. */
const parallel = createParallelTests()

parallel.test(
  'ethereum',
  'fifty with one key that is used elsewhere meanwhile: each lands once or expires, and no nonce is left out',
  async () => {
    const from = newPayer('ethereum')
    await fundInTurn(from, { native: '10', USDC: '2000' })
    const requested = transfersOf(from, 'usdc', 50)
    const to = newPayer('ethereum').address as Address
    const stop = mining('ethereum')
    try {
      const price = await priceOf(requested)
      const others = (async () => {
        const hashes: Hex[] = []
        while (hashes.length < 5) hashes.push(await useElsewhere(from, to, price))
        return hashes
      })()
      const answers = await sendAll(requested, 'fifty')
      expect(refusedIn(answers)).toEqual([])
      const elsewhere = await others
      await expectAllLand(requested, answers, elsewhere)
      expect(await heldOn(stack, 'ethereum', 'native', to)).toBe(5n)
      // The same requests again get the same answers, and nothing more is sent, for those that expired too.
      const sent = await sentFrom(stack, 'ethereum', from.address)
      const again = await sendAll(requested, 'fifty')
      expect(again.map(({ body }) => body.id)).toEqual(answers.map(({ body }) => body.id))
      expect(await sentFrom(stack, 'ethereum', from.address)).toEqual(sent)
    } finally {
      await stop()
    }
  },
)

parallel.test(
  'ethereum',
  'twenty from a stored wallet whose key is used elsewhere meanwhile: the same',
  async () => {
    const from = newPayer('ethereum')
    await fundInTurn(from, { native: '10', USDC: '2000' })
    const walletId = await stored(from)
    const requested = transfersOf(from, 'usdc', 20)
    const to = newPayer('ethereum').address as Address
    const stop = mining('ethereum')
    try {
      const price = await priceOf(requested)
      const others = (async () => [
        await useElsewhere(from, to, price),
        await useElsewhere(from, to, price),
      ])()
      const answers = await sendAll(requested, 'wallet', walletId)
      expect(answers.map(({ status }) => status)).toEqual(requested.map(() => 202))
      await expectAllLand(requested, answers, await others)
    } finally {
      await stop()
    }
  },
)

parallel.test(
  'stellar',
  'ten with one key on Stellar, which takes one a ledger: each lands, and their sequences are consecutive',
  async () => {
    const from = newPayer('stellar')
    await fundInTurn(from, { native: '500' })
    const before = BigInt((await horizonOf(stack).loadAccount(from.address)).sequence)
    const requested = transfersOf(from, 'native', 10)
    const stop = mining('stellar')
    try {
      const answers = await sendAll(requested, 'stellar')
      expect(refusedIn(answers)).toEqual([])
      await expectAllLand(requested, answers)
      const { records } = await horizonOf(stack).transactions().forAccount(from.address).limit(200).call()
      const sequences = records
        .filter((each) => each.source_account === from.address)
        .map((each) => BigInt(each.source_account_sequence))
      expect(sequences).toEqual(requested.map((_, i) => before + 1n + BigInt(i)))
    } finally {
      await stop()
    }
  },
)

parallel.test('solana', 'twenty with one key on Solana: each lands', async () => {
  const from = newPayer('solana')
  await fundInTurn(from, { native: '500' })
  const requested = transfersOf(from, 'native', 20)
  const stop = mining('solana')
  try {
    const answers = await sendAll(requested, 'solana')
    expect(refusedIn(answers)).toEqual([])
    await expectAllLand(requested, answers)
  } finally {
    await stop()
  }
})

/** Five transfers of two coins to an existing recipient. */
async function identicalOn(chain: ChainName) {
  const [from, to] = [newPayer(chain), newPayer(chain)]
  await fundInTurn(from, { native: '100' })
  await fundInTurn(to, { native: '10' })
  const requested: RequestedTransfer[] = Array.from({ length: 5 }, () => ({
    from,
    to: to.address,
    token: 'native',
    amount: '2',
  }))
  const all = 20n * 10n ** BigInt(decimalsOf(stack, chain).native)
  const expectAll = async () => {
    await waitFor('all five', async () => (await heldOn(stack, chain, 'native', to.address)) === all)
    expect(await sentFrom(stack, chain, from.address)).toHaveLength(5)
  }
  return { from, requested, expectAll }
}

for (const chain of ['ethereum', 'solana', 'stellar'] as const)
  parallel.test(chain, `${chain}: five identical ones with one key are five`, async () => {
    const { requested, expectAll } = await identicalOn(chain)
    const stop = mining(chain)
    try {
      const answers = await sendAll(requested, `alike-${chain}`)
      expect(refusedIn(answers)).toEqual([])
      await expectAll()
    } finally {
      await stop()
    }
  })

parallel.test(
  'solana',
  'solana: five identical ones from a stored wallet are five, and no other transfer waits behind them',
  async () => {
    const other = newPayer('ethereum')
    await fundInTurn(other, { native: '1' })
    const { from, requested, expectAll } = await identicalOn('solana')
    const [walletId, otherId] = [await stored(from), await stored(other)]
    const stop = mining('solana')
    try {
      const answers = await sendAll(requested, 'alike-wallet', walletId)
      expect(answers.map(({ status }) => status)).toEqual(requested.map(() => 202))
      const [behind] = await sendAll(
        [{ from: other, to: newPayer('ethereum').address, token: 'native', amount: '0.5' }],
        'behind',
        otherId,
      )
      await waitFor(
        'the signature of the one behind them',
        async () => (await getTransfer(stack, behind?.body.id ?? '')).txHash,
      )
      await expectAll()
    } finally {
      await stop()
    }
  },
)

parallel.test(
  'ethereum',
  'one request made ten times at once, with one Idempotency-Key or of one signed transfer, is one transfer',
  async () => {
    const from = newPayer('ethereum')
    await fundInTurn(from, { native: '10' })
    const requested: RequestedTransfer = {
      from,
      to: newPayer('ethereum').address,
      token: 'native',
      amount: '1.5',
    }
    const apiOf = (i: number) => apis[i % 2] ?? 'api'
    const times = Array.from({ length: 10 }, (_, i) => i)
    const body = {
      chain: 'ethereum',
      fromPrivateKey: from.privateKey,
      toAddress: requested.to,
      amount: requested.amount,
    }
    const answers = await Promise.all(
      times.map((i) => ask<TransferBody>(apiOf(i), '/crypto/transfers/tokens', body, 'once')),
    )
    const done = answers.filter(({ status }) => status === 201)
    expect(new Set(done.map(({ body }) => body.id)).size).toBe(1)
    for (const { status, body } of answers)
      if (status !== 201) expect([status, body.error]).toEqual([409, 'request_in_progress'])
    await stack.mine(1)

    const prepared = (await prepare(stack, requested)).body
    const signed = { id: prepared.id, payload: await signPrepared(stack, from, prepared.payload) }
    const submitted = await Promise.all(
      times.map((i) => ask<TransferBody>(apiOf(i), '/crypto/transfers/submit', signed, `submitted-${i}`)),
    )
    expect(submitted.map(({ status, body }) => `${status} ${body.id}`)).toEqual(
      times.map(() => `201 ${prepared.id}`),
    )
    await stack.mine(1)
    expect(await heldOn(stack, 'ethereum', 'native', requested.to)).toBe(2n * units(stack, requested))
    expect(await sentFrom(stack, 'ethereum', from.address)).toEqual([
      done[0]?.body.txHash,
      submitted[0]?.body.txHash,
    ])
  },
)

async function stored({ chain, privateKey }: Payer): Promise<string> {
  const { status, body } = await stack.api<{ id: string }>('POST', '/crypto/wallets', { chain, privateKey })
  expect(status).toBe(201)
  return body.id
}
