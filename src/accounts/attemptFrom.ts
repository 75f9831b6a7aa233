import type { IncomingHttpHeaders } from 'node:http'
import type { Caller } from './caller.ts'

/** A header as UTF-8: Node gives each byte as a character. One that is not valid UTF-8 was refused. */
const textOf = (header: string | undefined): string | null =>
  header === undefined ? null : Buffer.from(header, 'latin1').toString('utf8')

/** The origin of a sign-in attempt. */
export const attemptFrom = ({ caller, headers }: { caller: Caller; headers: IncomingHttpHeaders }) => ({
  origin: { address: caller.actor.address ?? '', userAgent: textOf(headers['user-agent']) },
  requestId: caller.actor.requestId ?? '',
})
