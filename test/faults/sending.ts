import { expect } from '@jest/globals'
import type { CowryProcess } from '../../scripts/local/cowryProcess.ts'
import { addressCodec } from '../../src/chains/codecs.ts'
import { type ChainName, knownChain } from '../../src/chains/registry.ts'
import { fund, newPayer, type Payer } from '../support/payers.ts'
import type { ApiAnswer, Stack } from '../support/stack.ts'
import { waitFor } from '../support/waitFor.ts'

/** A transfer as the API shows it. */
export interface TransferBody {
  id: string
  chain: string
  txHash: string | null
  status: 'pending' | 'confirmed' | 'failed'
  reason: string | null
  blockHeight: number | null
  [field: string]: unknown
}

/** A sender, a new recipient and an amount. */
export interface Pair {
  chain: ChainName
  from: Payer
  to: string
  token: 'native' | 'usdc'
  amount: string
}

/** USDC on EVM, the native coin on other chains: more than the minimum to open an account. */
export async function newPair(stack: Stack, chain: ChainName): Promise<Pair> {
  const from = newPayer(chain)
  const isEvm = stack.devnets.has(chain)
  await fund(stack, from, isEvm ? { native: '1', USDC: '20' } : { native: '100' })
  return { chain, from, to: newPayer(chain).address, token: isEvm ? 'usdc' : 'native', amount: '2.5' }
}

/** The sender in its stored form. */
export const normalOf = ({ chain, from }: Pair): string =>
  addressCodec(knownChain(chain)?.family ?? 'evm').normalise(from.address) ?? ''

/** The same stack with requests to another API process. */
export function through(stack: Stack, process: CowryProcess): Stack {
  // Not spread: that would read what a stack of one family does not have.
  return Object.assign(Object.create(stack) as Stack, {
    async api<T>(method: string, path: string, body?: unknown, headers: Record<string, string> = {}) {
      const response = await fetch(`http://127.0.0.1:${process.port()}/api/v1${path}`, {
        method,
        headers: {
          'x-api-key': stack.apiKey,
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          ...headers,
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      })
      return { status: response.status, body: (await response.json()) as T, headers: response.headers }
    },
  })
}

/** The body that every sending operation takes. */
export const transferBody = ({ to, token, amount }: Pair) => ({ toAddress: to, token, amount })

export const sendWithKey = (
  stack: Stack,
  pair: Pair,
  key?: string,
  more: object = {},
): Promise<ApiAnswer<TransferBody>> =>
  stack.api(
    'POST',
    '/crypto/transfers/tokens',
    { chain: pair.chain, fromPrivateKey: pair.from.privateKey, ...transferBody(pair), ...more },
    key === undefined ? {} : { 'idempotency-key': key },
  )

export const sendFromWallet = (
  stack: Stack,
  pair: Pair,
  walletId: string,
  key?: string,
): Promise<ApiAnswer<TransferBody>> =>
  stack.api(
    'POST',
    `/crypto/wallets/${walletId}/transfers`,
    transferBody(pair),
    key === undefined ? {} : { 'idempotency-key': key },
  )

export const storeWallet = (
  stack: Stack,
  { chain, from }: Pair,
  key?: string,
): Promise<ApiAnswer<{ id: string }>> =>
  stack.api(
    'POST',
    '/crypto/wallets',
    { chain, privateKey: from.privateKey },
    key === undefined ? {} : { 'idempotency-key': key },
  )

/** Stores a wallet of the pair's sender. @returns its id */
export async function walletOf(stack: Stack, pair: Pair): Promise<string> {
  const { status, body } = await storeWallet(stack, pair)
  if (status !== 201) throw new Error(`the wallet was not stored: ${JSON.stringify(body)}`)
  return body.id
}

/** The transfer by its id or a hash. */
export const transferOf = async (stack: Stack, name: string): Promise<TransferBody> =>
  (await stack.api<TransferBody>('GET', `/crypto/transfers/${name}`)).body

export interface Row {
  id: string
  status: string
  reason: string | null
  txId: string | null
  /** Its state is final. */
  isSettled: boolean
}

export async function rowOf(stack: Stack, id: string): Promise<Row | undefined> {
  const [row] = await stack.db.query<Row>(
    'select id, status, reason, tx_id as "txId", next_reconcile_at is null as "isSettled" from intents where id = $1',
    [id],
  )
  return row
}

/** Ends the leases that killed processes hold on rows. */
export const expireLeases = (stack: Stack) =>
  stack.db.query('update intents set next_reconcile_at = now() where next_reconcile_at is not null')

/** Mines a few blocks at a time until the condition holds. @param everyMs the shortest time between them */
export function miningUntil<T>(
  stack: Stack,
  chain: ChainName,
  what: string,
  ask: () => Promise<T | null | undefined | false>,
  withinMs = 60_000,
  everyMs = async () => 120,
) {
  let mined = 0
  return waitFor(
    what,
    async () => {
      const answer = await ask()
      if (answer === null || answer === undefined || answer === false) {
        if (Date.now() - mined >= (await everyMs())) {
          await stack.mine(3, chain)
          mined = Date.now()
        }
      }
      return answer
    },
    withinMs,
  ).catch((error) => {
    throw new Error(`${error.message}\n${stack.troubles()}`)
  })
}

/** Mines until a transfer is settled. @returns its row */
export const settledAt = async (stack: Stack, pair: Pair, id: string): Promise<Row> =>
  miningUntil(stack, pair.chain, `the end of ${id}`, async () => {
    const row = await rowOf(stack, id)
    return row?.isSettled ? row : null
  })

/** Types of the stored events about a transfer, in order; requires that the receiver got each of them. */
export async function eventsOf(stack: Stack, id: string): Promise<string[]> {
  await stack.idle()
  const events = await stack.db.query<{ id: string; type: string }>(
    "select id, type from events where data->>'id' = $1 order by sequence",
    [id],
  )
  // One that could not be delivered at once is delivered again seconds later, further ahead than `idle`
  // covers.
  await waitFor(`${events.map(({ type }) => type).join()} at the receiver`, async () => {
    const received = new Set(stack.receiver.received.map((event) => event.id))
    return events.every((event) => received.has(event.id))
  })
  return events.map(({ type }) => type)
}

/**
 * Waits until no work for finished transfers remains: the receiver gets an event before its delivery is
 * settled.
 */
export const expectNothingLeft = (stack: Stack): Promise<true> =>
  waitFor('no remaining work for transfers', async () => {
    expect(await leftovers(stack)).toEqual({ outbox: 0, deliveries: 0, unsettled: 0, unsigned: 0 })
    return true
  })

async function leftovers(stack: Stack): Promise<Record<string, number> | undefined> {
  const [row] = await stack.db.query<Record<string, number>>(
    `select (select count(*)::int from outbox) as outbox,
       (select count(*)::int from webhook_deliveries where status = 'pending') as deliveries,
       (select count(*)::int from intents where next_reconcile_at is not null and status <> 'confirmed') as unsettled,
       (select count(*)::int from intent_attempts where signed_at is null and void_at is null) as unsigned`,
  )
  return row
}

/** The nonces of an address's transfers that may be in blocks, without released ones. */
export const sequencesOf = async (stack: Stack, pair: Pair): Promise<number[]> =>
  (
    await stack.db.query<{ nonce: number }>(
      `select distinct t.nonce::float8 as nonce from intent_attempts t join intents o on o.id = t.intent_id
       where t.chain = $1 and o.from_address = $2 and o.purpose = 'transfer' and t.void_at is null and t.refused is null order by 1`,
      [pair.chain, normalOf(pair)],
    )
  ).map(({ nonce }) => nonce)

/** A transaction that may carry a transfer. */
export interface Transaction {
  number: number
  txId: string | null
  nonce: number | null
  sends: number
  accepted: boolean
  void: boolean
}

/** Transactions that may still be mined; with `all` also void ones. */
export const transactionsOf = ({ db }: Stack, id: string, all = false): Promise<Transaction[]> =>
  db.query<Transaction>(
    `select number, tx_id as "txId", nonce::float8 as nonce, sends, accepted_at is not null as accepted, void_at is not null as void from intent_attempts
     where intent_id = $1 ${all ? '' : 'and void_at is null'} order by number`,
    [id],
  )

/** Waits until this many more reconciles of a transfer have ended. */
export async function waitForReconciles(stack: Stack, id: string, count = 4): Promise<void> {
  const reconciles = async () =>
    (await stack.db.query<{ reconciles: number }>('select reconciles from intents where id = $1', [id]))[0]
      ?.reconciles ?? 0
  const before = await reconciles()
  await waitFor('further reconciles', async () => (await reconciles()) >= before + count)
}
