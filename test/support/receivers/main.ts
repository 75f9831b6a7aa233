import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { Webhook } from 'standardwebhooks'
import { listen } from '../../../src/platform/http/http.ts'
import { seeded } from '../../faults/random.ts'
import { type Answering, answers, type Behaviour, failings, faults, give, giveAfter } from './answers.ts'

// Receivers of many endpoints in a process of their own, each at a path of one server, so that tenants share
// a host as they do behind a gateway.

process.on('disconnect', () => process.exit())

/** One request, as the receiver saw it. */
export interface Arrival {
  to: string
  method: string
  /** The event's; null if the body was not signed for this receiver. */
  id: string | null
  sequence: number
  /** The suite's number of the event. */
  n: number
  /** Milliseconds of the epoch. */
  at: number
  /** The time when the answer or the connection ended; null: still open. */
  end: number | null
  status: number | null
  sent: number
}

export type Order =
  | { kind: 'behave'; behaviours: Record<string, Behaviour> }
  | { kind: 'know'; secrets: Record<string, string> }
  /** `forgetEnded`: forgets requests that were reported and have ended. */
  | { kind: 'report'; forgetEnded: boolean }

export interface Report {
  arrivals: Arrival[]
  /** Why signatures were refused. */
  forged: string[]
  faults: Record<string, number>
}

const behaviours = new Map<string, Behaviour>()
const verifiers = new Map<string, Webhook>()
const redirects = [301, 302, 303, 307, 308]
const dice = seeded(Number(process.env.SEED))
let arrivals: Arrival[] = []
const forged: string[] = []
const chosen = new Map<string, number>()

function answer(arrival: Arrival, response: ServerResponse): void {
  const behaviour = behaviours.get(arrival.to) ?? { kind: 'healthy' }
  const answering: Answering = {
    sent: (bytes) => {
      arrival.sent += bytes
    },
    // An answered request has ended for the receiver, before the caller can know.
    answered: (status) => {
      arrival.status = status
      arrival.end = Date.now()
    },
  }
  if (behaviour.kind === 'redirects')
    give(response, redirects[arrivals.length % redirects.length] ?? 307, answering, {
      location: `${url}/${behaviour.to}`,
    })
  else if (behaviour.kind === 'takes') giveAfter(behaviour.ms, 204)(response, answering)
  else if (behaviour.kind === 'random') failRandomly(behaviour.share, response, answering)
  else answers[behaviour.kind](response, answering)
}

function failRandomly(share: number, response: ServerResponse, answering: Answering): void {
  const fault = dice() < share ? faults[Math.floor(dice() * faults.length)] : undefined
  if (fault === undefined) {
    answers.healthy(response, answering)
    return
  }
  chosen.set(fault, (chosen.get(fault) ?? 0) + 1)
  failings[fault](response, answering)
}

/** Reads the body if its signature is valid for this receiver. */
function verify(arrival: Arrival, request: IncomingMessage, body: Buffer): void {
  try {
    const verifier = verifiers.get(arrival.to)
    if (!verifier) throw new Error(`the secret of ${arrival.to} is not set`)
    const event = verifier.verify(body, request.headers as Record<string, string>) as {
      sequence: number
      data: { n: number }
    }
    Object.assign(arrival, {
      id: String(request.headers['webhook-id']),
      sequence: event.sequence,
      n: event.data.n,
    })
  } catch (error) {
    forged.push(`${arrival.to} ${arrival.method}: ${error}`)
  }
}

const server = createServer((request, response) => {
  const to = (request.url ?? '').slice(1)
  const arrival: Arrival = {
    to,
    method: request.method ?? '',
    id: null,
    sequence: 0,
    n: -1,
    at: Date.now(),
    end: null,
    status: null,
    sent: 0,
  }
  arrivals.push(arrival)
  const chunks: Buffer[] = []
  response.on('close', () => {
    arrival.end ??= Date.now()
  })
  request.on('error', () => {})
  request.on('data', (chunk: Buffer) => chunks.push(chunk))
  request.on('end', () => {
    verify(arrival, request, Buffer.concat(chunks))
    answer(arrival, response)
  })
})

process.on('message', (order: Order) => {
  if (order.kind === 'behave')
    for (const [name, behaviour] of Object.entries(order.behaviours)) behaviours.set(name, behaviour)
  if (order.kind === 'know')
    for (const [name, secret] of Object.entries(order.secrets)) verifiers.set(name, new Webhook(secret))
  process.send?.(order.kind === 'report' ? { arrivals, forged, faults: Object.fromEntries(chosen) } : {})
  if (order.kind === 'report' && order.forgetEnded) arrivals = arrivals.filter(({ end }) => end === null)
})

const url = `http://127.0.0.1:${await listen(server, 0, '127.0.0.1')}`
process.send?.({ url })
