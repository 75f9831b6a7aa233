import { createClient } from '../client.ts'
import { CowryError } from '../errors.ts'
import type { EventOptions } from '../events.ts'
import { pause } from '../retry.ts'
import { readArguments, type Surroundings, UsageError } from './commandLine.ts'
import { toBase64, utf8 } from './keys.ts'
import { type Answer, createSigner, headersOf, send } from './send.ts'

const usage = `cowry-webhooks listen --forward <url> [options]

Forwards the events of your business, as they happen, to a server that Cowry cannot reach, such as one on your machine. Each is signed like a webhook.
An event is sent until the server answers: while it is down, events wait, in order. An answer that is not 2xx is shown, and not sent again.

  --forward <url>        where events go, for instance http://localhost:3001/hooks
  --events <type>,…      types, or topics such as session.*; default: all
  --after <sequence>     starts after this event, 0 with the oldest; default: with the next one
  --secret whsec_…       signs events; also as COWRY_WEBHOOK_SECRET. Default: made from the API key, the same at each start
  --api <url>            ends in /api/v1; also as COWRY_API_URL; default: http://127.0.0.1:3000/api/v1
  --api-key <key>        with the permission webhooks:read; better as COWRY_API_KEY, which process lists do not show
  --timeout <seconds>    the deadline of an answer; default: 60

Exit codes: 0 stopped, 1 the API refused, 2 wrong usage.
`

interface Asked {
  forward: string
  types: EventOptions['types']
  after: number | null
  secret: string | null
  api: string
  apiKey: string
  timeoutMs: number
}

/** The receiver is away, or its proxy reports it. */
const away = new Set([null, 502, 503, 504])
const [firstRetryMs, maxRetryMs] = [250, 4000]

/** The command `listen`. @returns its exit code */
export async function listen(args: readonly string[], around: Surroundings): Promise<0 | 1 | 2> {
  if (args.includes('--help') || args.includes('-h')) {
    around.out(usage)
    return 0
  }
  try {
    return await forwardAll(read(args, around.env), around)
  } catch (error) {
    if (around.signal?.aborted) return 0
    if (error instanceof CowryError) {
      around.err(`${error.message}\n`)
      return 1
    }
    if (!(error instanceof UsageError || error instanceof TypeError)) throw error
    around.err(`${error.message}\n\n${usage}`)
    return 2
  }
}

async function forwardAll(
  { forward, types, after, secret, api, apiKey, timeoutMs }: Asked,
  { out, signal }: Surroundings,
): Promise<0> {
  const client = createClient({ baseUrl: api, apiKey })
  const key = secret ?? (await secretOf(apiKey))
  const signer = await createSigner(key)
  let last =
    after ?? (await client.call('listEvents', { query: { after: 0, limit: 1 }, signal })).latestSequence
  out(
    `Forwarding ${types?.join(', ') ?? 'all events'} after ${last} to ${forward}\nSigning secret: ${key}\n\n`,
  )
  try {
    for await (const event of client.events({ after: last, types, signal })) {
      const { id, ...body } = event
      const text = JSON.stringify(body)
      const answer = await untilAnswered(
        async () => {
          const timestamp = Math.floor(Date.now() / 1000)
          const signature = `${signer.scheme},${await signer.sign(`${id}.${timestamp}.${text}`)}`
          return send(forward, headersOf({ id, timestamp, body: text, signature }), text, timeoutMs)
        },
        (failure) =>
          out(`${String(event.sequence).padStart(8)}  ${event.type}  ${failure}; waiting for the server\n`),
        signal,
      )
      last = event.sequence
      out(lineOf(event, answer))
    }
  } catch (error) {
    if (!signal?.aborted) throw error
  }
  out(`\nStopped after event ${last}; continue with --after ${last}\n`)
  return 0
}

/** @param waiting called once, when the first attempt fails */
async function untilAnswered(
  attempt: () => Promise<Answer>,
  waiting: (failure: string) => void,
  signal: AbortSignal | undefined,
): Promise<Answer> {
  for (let retryMs = firstRetryMs; ; retryMs = Math.min(maxRetryMs, retryMs * 2)) {
    signal?.throwIfAborted()
    const answer = await attempt()
    // A server in a debugger answers late: it has the event.
    if (answer.isLate || !away.has(answer.status)) return answer
    if (retryMs === firstRetryMs) waiting(answer.failure ?? `it answered ${answer.status}`)
    await pause(retryMs, signal)
  }
}

function lineOf(
  { sequence, type }: { sequence: number; type: string },
  { status, failure, ms }: Answer,
): string {
  const again =
    status !== null && status >= 200 && status < 300 ? '' : `; to send it again: --after ${sequence - 1}`
  return `${String(sequence).padStart(8)}  ${type}  ${status === null ? failure : `${status} in ${ms} ms`}${again}\n`
}

/** A secret that stays the same, so that the server's configuration can. It does not reveal the API key. */
async function secretOf(apiKey: string): Promise<string> {
  const key = await crypto.subtle.importKey('raw', utf8(apiKey), { name: 'HMAC', hash: 'SHA-256' }, false, [
    'sign',
  ])
  return `whsec_${toBase64(await crypto.subtle.sign('HMAC', key, utf8('cowry-webhooks listen')))}`
}

/** @throws UsageError */
function read(args: readonly string[], env: Surroundings['env']): Asked {
  const { given, plain } = readArguments(args, [
    'forward',
    'events',
    'after',
    'secret',
    'api',
    'api-key',
    'timeout',
  ])
  if (plain.length > 0) throw new UsageError('Give the URL as --forward')
  const forward = given.get('forward') ?? ''
  if (!/^https?:$/.test(URL.canParse(forward) ? new URL(forward).protocol : ''))
    throw new UsageError('--forward must start with http:// or https://')
  const apiKey = given.get('api-key') ?? env.COWRY_API_KEY ?? ''
  if (apiKey === '') throw new UsageError('Give the API key: COWRY_API_KEY, or --api-key')
  const secret = given.get('secret') ?? env.COWRY_WEBHOOK_SECRET ?? null
  if (secret !== null && !secret.startsWith('whsec_')) throw new UsageError('--secret must start with whsec_')
  const after = given.get('after')
  if (after !== undefined && !/^\d{1,15}$/.test(after)) throw new UsageError('--after is a sequence number')
  const seconds = Number(given.get('timeout') ?? '60')
  if (!(seconds > 0 && seconds <= 600)) throw new UsageError('--timeout is a number of seconds, up to 600')
  const types = given
    .get('events')
    ?.split(',')
    .map((each) => each.trim())
  if (types?.some((type) => !/^[a-z]+\.([a-z_]+|\*)$/.test(type)))
    throw new UsageError('--events are types such as session.paid, or topics such as session.*')
  return {
    forward,
    types: types as EventOptions['types'],
    after: after === undefined ? null : Number(after),
    secret,
    api: given.get('api') ?? env.COWRY_API_URL ?? 'http://127.0.0.1:3000/api/v1',
    apiKey,
    timeoutMs: seconds * 1000,
  }
}
