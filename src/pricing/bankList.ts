import type { Queryable } from '../platform/database/db.ts'
import { ApiError, messageOf } from '../platform/errors.ts'
import type { Log } from '../platform/telemetry/log.ts'
import { inTime, pause } from '../platform/wait.ts'
import type { Bank, KnownBanks, RatePartner } from './rates.ts'
import {
  claimQuestion,
  endQuestion,
  freshMs,
  readBanks,
  type StoredBanks,
  storeBanks,
} from './storedBanks.ts'

/** Reads a partner's banks. @throws ApiError 503 `banks_unavailable` if there never was a list */
export type ReadBanks = () => Promise<KnownBanks>

/**
 * How long requests wait for a new list, since its request: with an old one at hand, and without any.
 */
const maxWaitMs = { old: 2000, missing: 10_000 }
/** Pause between two reads of the database while the list is old. */
const lookMs = 1000
/** The same while another process queries the partner. */
const pollMs = 200

/**
 * The partner's banks: at most a minute old while it answers, otherwise the last good list of any process.
 * Postgres keeps it through outages and restarts, and lets one process at a time query the partner.
 */
export function createBankList(ctx: {
  db: Queryable
  log: Log
  partner: Pick<RatePartner, 'name' | 'url' | 'banks'>
  now?: () => number
}): ReadBanks {
  const { db, log, partner, now = () => performance.now() } = ctx
  let known: KnownBanks | null = null
  /** When the list is too old, by this process's clock. */
  let oldAt = Number.NEGATIVE_INFINITY
  let looking: Promise<void> | null = null
  let beganAt = Number.NEGATIVE_INFINITY
  let lookedAt = Number.NEGATIVE_INFINITY

  function remember(list: KnownBanks, ageMs: number): void {
    known = list
    oldAt = now() + freshMs - ageMs
  }

  async function takeStored(): Promise<StoredBanks> {
    const stored = await readBanks(db, partner)
    if (stored.known) remember(stored.known, stored.ageMs)
    return stored
  }

  /** Takes the list of another process, waits for it, or queries the partner if that is due. */
  async function look(): Promise<void> {
    for (let stored = await takeStored(); stored.ageMs > freshMs; ) {
      const askedAt = await claimQuestion(db, partner)
      if (askedAt !== null) return ask(askedAt)
      stored = await takeStored()
      if (!stored.isAsking) return
      await pause(pollMs)
    }
  }

  async function ask(askedAt: string): Promise<void> {
    const startedAt = now()
    let banks: Bank[]
    try {
      banks = requireGood(await partner.banks())
    } catch (cause) {
      log.warn({ err: cause }, 'could not read banks from the partner')
      return endQuestion(db, partner, askedAt)
    }
    const list = await storeBanks(db, partner, askedAt, banks)
    if (list) remember(list, now() - startedAt)
  }

  /** Reads once at a time, and not again within a moment. */
  function refresh(): Promise<void> {
    if (looking === null && now() - lookedAt >= lookMs) {
      beganAt = now()
      looking = look().finally(() => {
        looking = null
        lookedAt = now()
      })
    }
    return looking ?? Promise.resolve()
  }

  return async function read(): Promise<KnownBanks> {
    if (now() > oldAt) {
      const refreshed = refresh().catch((error) => {
        if (known === null) throw error
        log.warn({ err: messageOf(error) }, 'could not refresh the list of banks')
      })
      // While a partner hangs, only the first requests wait.
      await inTime(beganAt + maxWaitMs.old - now(), refreshed, null)
      if (known === null) await inTime(beganAt + maxWaitMs.missing - now(), refreshed, null)
    }
    if (known) return known
    throw new ApiError(503, 'banks_unavailable', 'The list of banks is not available right now', {
      retryAfterSeconds: 10,
    })
  }
}

/** A partner without a bank, or whose banks take no currency, has answered wrongly. */
function requireGood(banks: Bank[]): Bank[] {
  if (!banks.some(({ currencies }) => currencies.length > 0))
    throw new Error('the partner answered no bank that takes a currency')
  return banks
}
