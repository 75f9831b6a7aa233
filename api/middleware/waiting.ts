import type { Request, Response } from 'express'
import type { Caller } from '../../src/accounts/caller.ts'
import { confirmActor } from '../../src/audit/recordAudit.ts'
import type { Db } from '../../src/platform/database/db.ts'
import { endWork } from './observe.ts'

const signals = new WeakMap<Request, AbortSignal>()

/**
 * The request starts to wait for something that may take as long as its caller likes.
 * @returns the same signal at each call; it is aborted when the caller has gone or the process stops
 */
export function startWaiting(
  ctx: { stopping: AbortSignal },
  request: Request,
  response: Response,
): AbortSignal {
  const known = signals.get(request)
  if (known) return known
  endWork(request)
  const gone = new AbortController()
  if (response.destroyed) gone.abort()
  response.once('close', () => gone.abort())
  const signal = AbortSignal.any([gone.signal, ctx.stopping])
  signals.set(request, signal)
  return signal
}

/** Waiting requests of one credential for one operation share a check that is not older: it locks rows. */
const sharedMs = 1000
const checksOf = new WeakMap<Db, Map<string, Promise<void>>>()

/**
 * Checks again that a caller has the right that admitted its request.
 * @param operationId whose right it is
 * @throws ApiError
 */
export function confirmShared(
  { db }: { db: Db },
  { actor, account, businessId }: Caller,
  operationId: string,
): Promise<void> {
  const checks = checksOf.get(db) ?? new Map<string, Promise<void>>()
  checksOf.set(db, checks)
  const key = [operationId, actor.kind, actor.id, actor.address, account?.signInId, businessId].join()
  const known = checks.get(key)
  if (known) return known
  const check = db.tx((tx) => confirmActor(tx, actor))
  checks.set(key, check)
  setTimeout(() => checks.delete(key), sharedMs).unref()
  return check
}
