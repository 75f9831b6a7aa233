import { existsSync } from 'node:fs'
import { expect } from '@jest/globals'
import type { ChainName } from '../../src/chains/registry.ts'
import type { SendingFailpoint } from '../../src/platform/failpoints.ts'
import { newPayer } from '../support/payers.ts'
import type { Stack } from '../support/stack.ts'
import { waitFor } from '../support/waitFor.ts'
import { heldBy, sentBy, unitsOf } from './onChain.ts'
import {
  eventsOf,
  miningUntil,
  newPair,
  type Pair,
  rowOf,
  sendFromWallet,
  transferOf,
  walletOf,
} from './sending.ts'

/** A stored wallet with transfers, each to a recipient of its own. */
export interface Sender {
  pair: Pair
  walletId: string
  transfers: { id: string; to: string }[]
}

async function newSender(stack: Stack, chain: ChainName): Promise<Sender> {
  const pair = await newPair(stack, chain)
  return { pair, walletId: await walletOf(stack, pair), transfers: [] }
}

/** So many senders on each chain. One at a time: the faucet of a chain sends in order. */
export async function newSenders(
  stack: Stack,
  chains: readonly ChainName[],
  count: number,
): Promise<Sender[]> {
  const all = await Promise.all(
    chains.map(async (chain) => {
      const senders: Sender[] = []
      while (senders.length < count) senders.push(await newSender(stack, chain))
      return senders
    }),
  )
  return all.flat()
}

/** Requests transfers of a sender. */
export async function queueTransfers(
  stack: Stack,
  { pair, walletId, transfers }: Sender,
  count: number,
): Promise<void> {
  for (let i = 0; i < count; i++) {
    const { address: to } = newPayer(pair.chain)
    const { status, body } = await sendFromWallet(stack, { ...pair, to }, walletId)
    expect([status, body]).toMatchObject([202, { status: 'pending' }])
    transfers.push({ id: body.id, to })
  }
}

const idsOf = (senders: readonly Sender[]): string[] =>
  senders.flatMap(({ transfers }) => transfers.map(({ id }) => id))

/**
 * Mines every chain until all transfers are settled, and checks on chain that each moved its amount, by one
 * transaction.
 */
export async function expectSentOnce(stack: Stack, senders: readonly Sender[]): Promise<void> {
  const chains = [...new Set(senders.map(({ pair }) => pair.chain))]
  await Promise.all(
    chains.map((chain) => {
      const ids = idsOf(senders.filter(({ pair }) => pair.chain === chain))
      // Blocks age what is not at a node yet: on solana a signature is for 150 of them.
      const everyMs = async () => ((await open(stack, ids, "status <> 'created'")) > 0 ? 120 : 2000)
      return miningUntil(
        stack,
        chain,
        `the end of the transfers on ${chain}`,
        async () => (await open(stack, ids)) === 0,
        90_000,
        everyMs,
      )
    }),
  )
  for (const { pair, transfers } of senders) {
    for (const { id, to } of transfers) {
      expect(await rowOf(stack, id)).toMatchObject({ status: 'confirmed', reason: null })
      expect([pair.chain, await heldBy(stack, pair, to)]).toEqual([pair.chain, unitsOf(stack, pair)])
      expect(await eventsOf(stack, id)).toEqual(['transfer.confirmed'])
      expect(await transferOf(stack, id)).toMatchObject({ id, status: 'confirmed' })
    }
    expect([pair.chain, await sentBy(stack, pair)]).toEqual([pair.chain, transfers.length])
  }
}

const open = async ({ db }: Stack, ids: readonly string[], which = 'true'): Promise<number> =>
  (
    await db.query(
      `select 1 from intents where id = any($1::uuid[]) and next_reconcile_at is not null and ${which}`,
      [[...ids]],
    )
  ).length

/** Signatures of these transfers in the treasury's own record, by transfer. */
export async function signaturesOf({ db }: Pick<Stack, 'db'>, senders: readonly Sender[]): Promise<number[]> {
  const rows = await db.query<{ count: number }>(
    'select count(s.intent_id)::int as count from intents o left join treasury_signatures s on s.intent_id = o.id where o.id = any($1::uuid[]) group by o.id',
    [idsOf(senders)],
  )
  return rows.map(({ count }) => count)
}

/**
 * Launches a process that stands still at a failpoint, sends SIGTERM to it there, and lets it continue. Its
 * work of all chains ends before it does: it gets the time that a process has by default. @returns when it
 * has ended
 */
export async function terminatedAt(
  stack: Stack,
  program: 'treasury' | 'worker',
  name: SendingFailpoint,
  proof: string,
): Promise<void> {
  const as = `${program} ${proof}`
  const logged = stack.logs().length
  const env = {
    COWRY_FAILPOINT: name,
    COWRY_FAILPOINT_PROOF: proof,
    COWRY_FAILPOINT_SIGNAL: 'SIGSTOP',
    SHUTDOWN_SECONDS: '20',
  }
  const process = stack.launch(program, env, { as })
  await waitFor(`${name} in the ${program}`, async () => existsSync(proof), 60_000)
  process.kill('SIGTERM')
  const hasEnded = async () => {
    // It writes its proof before it stands still: a single signal may come too early.
    process.kill('SIGCONT')
    return !process.running()
  }
  await waitFor(`the end of the ${program} that was stopped at ${name}`, hasEnded, 30_000)
  await process.ended
  // 1: it was forced to exit, after SHUTDOWN_SECONDS.
  expect(process.exitCode()).toBe(0)
  expect(stack.logs().slice(logged)).not.toContain('a part did not stop cleanly')
}

/** After the treasury stopped: each of its signatures is stored with its bytes. */
export async function expectNothingHalfSigned({ db }: Stack, senders: readonly Sender[]): Promise<void> {
  const halfSigned = await db.query(
    `select s.intent_id from treasury_signatures s where s.intent_id = any($1::uuid[])
       and not exists (select 1 from intent_attempts t where t.intent_id = s.intent_id and t.tx_id = s.tx_id and t.bytes is not null)`,
    [idsOf(senders)],
  )
  expect(halfSigned).toEqual([])
  expect((await signaturesOf({ db }, senders)).reduce((sum, each) => sum + each, 0)).toBeGreaterThan(0)
}

/** After the worker stopped: no send was counted and not answered, and no intent is leased to it. */
export async function expectNothingHalfSent({ db }: Stack, senders: readonly Sender[]): Promise<void> {
  const ids = idsOf(senders)
  const unanswered = await db.query(
    `select intent_id, number, sends from intent_attempts
     where intent_id = any($1::uuid[]) and void_at is null and sends > 0 and accepted_at is null and refused is null`,
    [ids],
  )
  expect(unanswered).toEqual([])
  // A lease is 30 s; the next reconcile of a transfer comes much sooner.
  expect(
    await db.query(
      "select id from intents where id = any($1::uuid[]) and next_reconcile_at > now() + interval '10 seconds'",
      [ids],
    ),
  ).toEqual([])
}
