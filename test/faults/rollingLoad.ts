import { createHash } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { expect } from '@jest/globals'
import type { Address } from 'viem'
import { systemActor } from '../../src/audit/recordAudit.ts'
import { knownChain } from '../../src/chains/registry.ts'
import { setLegalProfile } from '../../src/outflows/bank/legalProfile.ts'
import { newId } from '../../src/platform/ids.ts'
import { appKey, payoutMakers, profile } from '../support/bankPayouts.ts'
import { heldOn, sentFrom } from '../support/chainBooks.ts'
import { makeDestination } from '../support/madeDestination.ts'
import { effectsOn, expectNothingLeftOver } from '../support/outcome.ts'
import { fund, newPayer } from '../support/payers.ts'
import { owe, putIn } from '../support/paying.ts'
import type { SessionBody, Stack } from '../support/stack.ts'
import { waitFor } from '../support/waitFor.ts'

/** Payments, transfers and payouts without a pause, by requests to one address that are made once. */
export interface RollingLoad {
  /** Requests that were not answered as they should be. */
  failures: string[]
  sessions: SessionBody[]
  /**
   * Waits until some of what is requested from now on is done: sessions are paid, and a transfer is
   * confirmed.
   */
  goesOn(): Promise<void>
  /** Many more requests while this goes on: one of them is always under way. */
  denselyDuring(work: () => Promise<void>): Promise<void>
  /** No more requests; waits until all of the work is done. */
  finish(): Promise<void>
  /**
   * Everything that was requested happened once: in the books, on the chain, at the partner and at the
   * receiver.
   */
  expectOnce(): Promise<void>
}

const everyMs = { session: 250, transfer: 1000, payout: 1000, bank: 1500, block: 200 }
/** Callers that read without a pause while an api is replaced. */
const readers = 8
/** Whole tokens; the business has a fee of 1 %. */
const [transferAmount, payoutAmount] = [2, 3]
const million = 1_000_000n
/**
 * Of what is requested in each phase: sessions that are paid, and transfers that are confirmed, before the
 * next one.
 */
const perPhase = [3, 1]

const addressOf = (name: string): Address =>
  `0x${createHash('sha256').update(name).digest('hex').slice(0, 40)}`

/** @param url of the API, as callers see it */
export async function startRollingLoad(stack: Stack, url: string): Promise<RollingLoad> {
  const failures: string[] = []
  const sessions: SessionBody[] = []
  const transfers = new Map<string, Address>()
  const payouts = new Map<string, Address>()
  const bank: string[] = []

  /** A request that is sent once. */
  async function ask<T>(method: string, path: string, body?: object): Promise<T | null> {
    const headers = {
      'x-api-key': stack.apiKey,
      ...(body && { 'content-type': 'application/json', 'idempotency-key': newId() }),
    }
    try {
      const answer = await fetch(`${url}/api/v1${path}`, {
        method,
        headers,
        ...(body && { body: JSON.stringify(body) }),
      })
      const text = await answer.text()
      if (answer.ok) return JSON.parse(text) as T
      failures.push(`${method} ${path}: ${answer.status} ${text}`)
    } catch (error) {
      failures.push(`${method} ${path}: ${error}`)
    }
    return null
  }

  const { treasury, payer, walletId, makers } = await prepare(stack, ask)

  async function session(): Promise<void> {
    const made = await ask<SessionBody>('POST', '/pos/sessions', {
      chain: 'ethereum',
      token: 'USDC',
      amount: '5',
    })
    if (!made) return
    sessions.push(made)
    await stack.pay(made)
    const read = await ask<SessionBody>('GET', `/pos/sessions/${made.id}`)
    if (read && read.id !== made.id) failures.push(`another session than ${made.id}`)
  }
  async function transfer(): Promise<void> {
    const to = addressOf(`transfer ${newId()}`)
    const made = await ask<{ id: string }>('POST', `/crypto/wallets/${walletId}/transfers`, {
      ...{ toAddress: to, token: 'usdc', amount: String(transferAmount) },
    })
    if (made) transfers.set(made.id, to)
  }
  async function payout(): Promise<void> {
    const to = addressOf(`payout ${newId()}`)
    const id = await makeDestination(stack.db, stack.businessId, { address: to })
    const source = { chain: 'ethereum', token: 'USDC' }
    const made = await ask<{ id: string }>('POST', '/payouts', {
      amount: String(payoutAmount),
      source,
      destination: { id },
    })
    if (made) payouts.set(made.id, to)
  }
  // By the API: the columns of the version before are others.
  async function bankPayout(): Promise<void> {
    const id = await makers.destinationOf(stack.businessId, '1111111111')
    const source = { chain: 'ethereum', token: 'USDC' }
    const made = await ask<{ id: string }>('POST', '/payouts', { amount: '10', source, destination: { id } })
    if (made) bank.push(made.id)
  }
  async function block(): Promise<void> {
    stack.partner.move(1000)
    await stack.mine()
  }

  const asking = new AbortController()
  const mining = new AbortController()
  const broken: unknown[] = []
  const keep = async (signal: AbortSignal, ms: number, work: () => Promise<unknown>) => {
    while (!signal.aborted) {
      await work().catch((error) => broken.push(error))
      await delay(ms)
    }
  }
  const loops = [
    keep(asking.signal, everyMs.session, session),
    keep(asking.signal, everyMs.transfer, transfer),
    keep(asking.signal, everyMs.payout, payout),
    keep(asking.signal, everyMs.bank, bankPayout),
    keep(mining.signal, everyMs.block, block),
  ]

  const countOf = async (sql: string, ids: readonly string[]): Promise<number> => {
    const [row] = await stack.db.query<{ count: number }>(
      `select count(*)::int as count from ${sql} and id = any($1::uuid[])`,
      [ids],
    )
    return row?.count ?? 0
  }
  const done = async (from = [0, 0, 0, 0]): Promise<number[]> =>
    Promise.all([
      countOf(
        "pos_sessions where status = 'paid'",
        sessions.slice(from[0]).map(({ id }) => id),
      ),
      countOf("intents where status = 'confirmed'", [...transfers.keys()].slice(from[1])),
      countOf("outflows where status = 'completed'", [...payouts.keys()].slice(from[2])),
      countOf("outflows where status = 'completed'", bank.slice(from[3])),
    ])
  const asked = () => [sessions.length, transfers.size, payouts.size, bank.length]
  const reach = (what: string, from: readonly number[], wanted: () => number[]) =>
    waitFor(
      what,
      async () => {
        if (broken.length > 0) throw broken[0]
        const reached = await done([...from])
        if (wanted().every((count, index) => (reached[index] ?? 0) >= count)) return true
        throw new Error(`${reached} of ${wanted()}`)
      },
      60_000,
    ).catch((error) => {
      throw new Error(`${error.message}\n${failures.join('\n')}\n${stack.troubles()}`)
    })

  return {
    failures,
    sessions,
    async goesOn() {
      await reach('work that was requested in this phase', asked(), () => perPhase)
    },
    async denselyDuring(work) {
      const reading = new AbortController()
      const read = async () => {
        while (!reading.signal.aborted) await ask('GET', `/pos/sessions/${sessions.at(-1)?.id}`)
      }
      const all = Array.from({ length: readers }, read)
      await work().finally(() => reading.abort())
      await Promise.all(all)
    },
    async finish() {
      asking.abort()
      await Promise.all(loops.slice(0, -1))
      await reach('the end of all work', [0, 0, 0, 0], asked)
      await stack.idle(60_000)
      mining.abort()
      await Promise.all(loops)
      await expectNothingLeftOver(stack)
    },
    async expectOnce() {
      const effects = await effectsOn(
        stack,
        sessions.map(({ id }) => id),
      )
      const once = { detections: 1, credits: 1, status: 'paid', paidEvents: 1, paidDeliveries: 1 }
      expect([...effects].filter(([, each]) => JSON.stringify(each) !== JSON.stringify(once))).toEqual([])
      expect(effects.size).toBe(sessions.length)
      await expectHeld(stack, transfers.values(), BigInt(transferAmount) * million)
      await expectHeld(stack, payouts.values(), (BigInt(payoutAmount) * million * 99n) / 100n)
      expect(await sentFrom(stack, 'ethereum', payer)).toHaveLength(transfers.size)
      expect(await sentFrom(stack, 'ethereum', treasury)).toHaveLength(payouts.size)
      const paid = stack.partner.payments.all()
      expect(paid.map(({ sequenceId, status }) => [sequenceId, status]).sort()).toEqual(
        bank.map((id) => [id, 'complete']).sort(),
      )
      // At least once is the promise; with an orderly stop it is once.
      const received = stack.receiver.received.map(({ id }) => id)
      expect(received.filter((id, index) => received.indexOf(id) !== index)).toEqual([])
      const delivered = await stack.db.query('select 1 from webhook_deliveries where business_id = $1', [
        stack.businessId,
      ])
      expect(received).toHaveLength(delivered.length)
      expect(stack.receiver.forged).toEqual([])
    },
  }
}

async function expectHeld(stack: Stack, addresses: Iterable<Address>, amount: bigint): Promise<void> {
  for (const address of addresses)
    expect([address, await heldOn(stack, 'ethereum', 'usdc', address)]).toEqual([address, amount])
}

/** The money that leaves: of the treasury, of a stored wallet, and of a business with bank accounts. */
async function prepare(
  stack: Stack,
  ask: <T>(method: string, path: string, body?: object) => Promise<T | null>,
) {
  const chain = knownChain('ethereum')
  const [row] = await stack.db.query<{ address: Address }>(
    "select address from treasury_addresses where family = 'evm'",
  )
  if (!chain || !row) throw new Error('no treasury')
  const [float, coins] = [5_000n * million, 10n ** 19n]
  await stack.sendNative(row.address, coins)
  await stack.send(row.address, float)
  await stack.mine(2)
  const of = { db: stack.db, businessId: stack.businessId, chain }
  await putIn(of, 'USDC', float)
  await putIn(of, chain.native.symbol, coins)
  await owe(of, 'USDC', float)
  const payer = newPayer('ethereum')
  await fund(stack, payer, { native: '10', USDC: '1000' })
  const wallet = await ask<{ id: string }>('POST', '/crypto/wallets', {
    chain: 'ethereum',
    privateKey: payer.privateKey,
  })
  if (!wallet) throw new Error('the wallet was not stored')
  await setLegalProfile({ db: stack.db, appKey }, systemActor('test'), stack.businessId, profile)
  return { treasury: row.address, payer: payer.address, walletId: wallet.id, makers: payoutMakers(stack.db) }
}
