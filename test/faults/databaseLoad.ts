import { randomUUID } from 'node:crypto'
import { expect } from '@jest/globals'
import { createOneByOne } from '../../src/platform/database/oneByOne.ts'
import { pause } from '../../src/platform/wait.ts'
import { expectNothingLeftOver } from '../support/outcome.ts'
import type { ApiAnswer, SessionBody, Stack } from '../support/stack.ts'
import { waitFor } from '../support/waitFor.ts'
import { expectEachPaidOnce } from './behindProxies.ts'
import { heldBy, unitsOf } from './onChain.ts'
import {
  expectNothingLeft,
  newPair,
  type Pair,
  rowOf,
  sendFromWallet,
  type TransferBody,
  walletOf,
} from './sending.ts'

/** One call of the API. */
interface Call {
  at: number
  ms: number
  /** 0: the connection failed. */
  status: number
  retryAfter: string | null
}

interface Paid {
  session: SessionBody
  minedAt: number
}

/**
 * Payments and transfers of stored wallets, one after the other, each request repeated under its key until it
 * succeeds.
 */
export interface DatabaseLoad {
  calls: Call[]
  paid: Paid[]
  /** Sends a payment and a transfer now. */
  once(): Promise<{ paid: Paid; transferId: string }>
  /**
   * Waits until a new payment was reported and a new transfer confirmed: nothing is stuck. @returns
   * milliseconds from the block to the webhook
   */
  works(withinMs?: number): Promise<number>
  /** Milliseconds from the block of a payment to its first webhook. */
  detectedAfter(paid: Paid): number | null
  end(): Promise<void>
  /**
   * Each payment is credited once, each transfer moved its amount once, each event came at least once, no row
   * is left.
   */
  expectNothingLostOrDoubled(): Promise<void>
}

const retryMs = 100

export async function startDatabaseLoad(
  stack: Stack,
  { everyMs, wallets }: { everyMs: number; wallets: number },
): Promise<DatabaseLoad> {
  const pairs: { pair: Pair; walletId: string }[] = []
  for (let n = 0; n < wallets; n++) {
    const pair = await newPair(stack, 'ethereum')
    pairs.push({ pair, walletId: await walletOf(stack, pair) })
  }
  const calls: Call[] = []
  const paid: Paid[] = []
  const transfers: { id: string; pair: Pair }[] = []
  const ending = new AbortController()
  const oneByOne = createOneByOne()

  async function call<T>(ask: () => Promise<ApiAnswer<T>>): Promise<ApiAnswer<T> | null> {
    const at = Date.now()
    const answer = await ask().catch(() => null)
    calls.push({
      at,
      ms: Date.now() - at,
      status: answer?.status ?? 0,
      retryAfter: answer?.headers.get('retry-after') ?? null,
    })
    return answer
  }
  /** Repeats the request under one key until it succeeds. */
  async function persistently<T>(ask: (key: string) => Promise<ApiAnswer<T>>): Promise<T> {
    const key = randomUUID()
    for (;;) {
      const answer = await call(() => ask(key))
      if (answer && answer.status < 300) return answer.body
      await pause(retryMs)
    }
  }

  async function pay(): Promise<Paid> {
    const body = { chain: 'ethereum', token: 'USDC', amount: '5' }
    const session = await persistently((key) =>
      stack.api<SessionBody>('POST', '/pos/sessions', body, { 'idempotency-key': key }),
    )
    const minedAt = await oneByOne('the faucet', async () => {
      await stack.send(session.address, 5_000_000n)
      await stack.mine()
      return Date.now()
    })
    const each = { session, minedAt }
    paid.push(each)
    await call(() => stack.api('GET', `/pos/sessions/${session.id}`))
    return each
  }
  let turn = 0
  async function send(): Promise<string> {
    const from = pairs[turn++ % pairs.length]
    if (!from) throw new Error('there is no wallet')
    // A recipient for each, so that its balance shows a second send.
    const pair = { ...from.pair, to: (await newRecipient()).to, amount: '0.01' }
    const { id } = await persistently<TransferBody>((key) => sendFromWallet(stack, pair, from.walletId, key))
    transfers.push({ id, pair })
    return id
  }
  const newRecipient = async () => ({ to: `0x${randomUUID().replaceAll('-', '').padStart(40, '0')}` })

  const loop = async (work: () => Promise<unknown>) => {
    while (!ending.signal.aborted) {
      await work()
      await pause(everyMs, ending.signal)
    }
  }
  const running = Promise.all([loop(pay), loop(send)])
  const detectedAfter = ({ session, minedAt }: Paid) => {
    const event = stack.receiver.received.find(
      ({ type, data }) => type === 'session.detected' && data.id === session.id,
    )
    return event ? Math.max(0, event.at - minedAt) : null
  }

  const load: DatabaseLoad = {
    calls,
    paid,
    detectedAfter,
    async once() {
      return { paid: await pay(), transferId: await send() }
    },
    async works(withinMs = 60_000) {
      const { paid: last, transferId } = await load.once()
      const ms = await waitFor(
        'the webhook of a payment',
        async () => detectedAfter(last) ?? false,
        withinMs,
      ).catch(withTroubles)
      await waitFor(
        'the end of a transfer',
        async () => {
          await stack.mine()
          return (await rowOf(stack, transferId))?.status === 'confirmed'
        },
        withinMs,
      ).catch(withTroubles)
      return ms
    },
    async end() {
      ending.abort()
      await running
    },
    async expectNothingLostOrDoubled() {
      await load.end()
      expect(paid.length).toBeGreaterThan(0)
      for (const { id, pair } of transfers) {
        await waitFor(`the end of ${id}`, async () => {
          await stack.mine()
          return (await rowOf(stack, id))?.isSettled
        }).catch(withTroubles)
        expect([id, (await rowOf(stack, id))?.status, await heldBy(stack, pair, pair.to)]).toEqual([
          id,
          'confirmed',
          unitsOf(stack, pair),
        ])
      }
      // With no transfer under way: its end is an event, and no delivery may be left over.
      await expectEachPaidOnce(
        stack,
        paid.map(({ session }) => session),
      )
      const [rows] = await stack.db.query<{ count: number }>('select count(*)::int as count from intents')
      expect(rows?.count).toBe(transfers.length)
      await stack.idle(60_000)
      await expectNothingLeft(stack)
      const events = await stack.db.query<{ id: string }>('select id from events')
      const received = new Set(stack.receiver.received.map(({ id }) => id))
      expect(events.filter(({ id }) => !received.has(id))).toEqual([])
      expect([...received].filter((id) => !events.some((event) => event.id === id))).toEqual([])
      await expectNothingLeftOver(stack)
    },
  }
  const withTroubles = (error: Error) => {
    throw new Error(`${error.message}\n${stack.troubles()}`)
  }
  return load
}

export const percentile = (values: readonly number[], share: number): number => {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? Number.NaN
}
