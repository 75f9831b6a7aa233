import { setTimeout as delay } from 'node:timers/promises'
import { expect } from '@jest/globals'
import { newId } from '../../src/platform/ids.ts'
import { addCredit, makeVerificationKey, setPrice } from '../support/madeVerifications.ts'
import type { Stack } from '../support/stack.ts'
import { waitFor } from '../support/waitFor.ts'

/**
 * Verifications without a pause, of a host that is away while it is replaced. A request that finds no host is
 * sent again with the same id, as its caller should; any answer but a success is a failure.
 */
export interface RollingVerifications {
  failures: string[]
  /** Waits until some that are requested from now on have ended. */
  goesOn(): Promise<void>
  /** No more requests; waits until all of them have ended. */
  finish(): Promise<void>
  /** Each has one row, one charge and one event. */
  expectOnce(): Promise<void>
}

const everyMs = 500
const againMs = 100
const withinMs = 60_000
const perPhase = 2
const price = 250_000n

/** @param port of the host that runs now */
export async function startRollingVerifications(
  stack: Stack,
  port: () => number | undefined,
): Promise<RollingVerifications> {
  await setPrice(stack.db, 'NG', 'passport', price)
  await addCredit(stack.db, stack.businessId, 10_000n * price)
  const key = (await makeVerificationKey(stack.db, stack.businessId)).secret.reveal()
  const failures: string[] = []
  const requested: string[] = []
  const asking = new AbortController()

  async function verify(): Promise<void> {
    const requestId = `rolling-${newId()}`
    requested.push(requestId)
    for (const until = Date.now() + withinMs; Date.now() < until; await delay(againMs)) {
      const answer = await fetch(`http://127.0.0.1:${port()}/api/kyc/verify`, {
        method: 'POST',
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        body: JSON.stringify({ requestId, country: 'NG', idType: 'passport', idNumber: 'A01234567' }),
      }).catch(() => null)
      if (answer && !answer.ok) failures.push(`${requestId}: ${answer.status} ${await answer.text()}`)
      if (answer) return
    }
    failures.push(`${requestId}: no host answered within ${withinMs / 1000} s`)
  }
  async function keepOn(): Promise<void> {
    while (!asking.signal.aborted) {
      await verify()
      await delay(everyMs)
    }
  }
  const running = keepOn()

  const endedOf = async (ids: readonly string[]): Promise<number> =>
    (
      await stack.db.query(
        'select 1 from verifications where request_id = any($1) and completed_at is not null',
        [ids],
      )
    ).length
  return {
    failures,
    async goesOn() {
      const from = requested.length
      await waitFor(
        'verifications that were requested in this phase',
        async () => (await endedOf(requested.slice(from))) >= perPhase,
        withinMs,
      )
    },
    async finish() {
      asking.abort()
      await running
      await waitFor(
        'the end of all verifications',
        async () => (await endedOf(requested)) === requested.length,
        withinMs,
      )
    },
    async expectOnce() {
      const rows = await stack.db.query(
        `select v.request_id as "requestId", v.status,
           (select count(*)::int from ledger_entries e where e.cause_kind = 'verification' and e.kind = 'verification.taken' and e.reference = v.id::text) as charges,
           (select count(*)::int from events where data->>'id' = v.id::text) as events
         from verifications v where v.request_id = any($1) order by 1`,
        [requested],
      )
      expect(rows).toEqual(
        [...requested].sort().map((requestId) => ({ requestId, status: 'completed', charges: 1, events: 1 })),
      )
    },
  }
}
