import type { ApiRequest } from '../http/request.ts'

/** The origin of a sign-in attempt. */
export const attemptFrom = ({ caller, headers }: Pick<ApiRequest, 'caller' | 'headers'>) => ({
  origin: { address: caller.actor.address ?? '', userAgent: headers['user-agent'] ?? null },
  requestId: caller.actor.requestId ?? '',
})
