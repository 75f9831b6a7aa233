import type { IncomingHttpHeaders } from 'node:http'
import type { Caller } from './caller.ts'

/** The origin of a sign-in attempt. */
export const attemptFrom = ({ caller, headers }: { caller: Caller; headers: IncomingHttpHeaders }) => ({
  origin: { address: caller.actor.address ?? '', userAgent: headers['user-agent'] ?? null },
  requestId: caller.actor.requestId ?? '',
})
