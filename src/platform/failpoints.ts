import { appendFileSync } from 'node:fs'

/**
 * Every step on a payment's way in after which something is persisted or published. The crash test kills the
 * process at each of them and reads this list, so that a step added here without a test fails.
 */
export const incomingFailpoints = [
  'treasury.seed-stored',
  'treasury.pool-filled',
  'treasury.pool-renewed',
  'api.idempotency-leased',
  'api.session-stored',
  'api.session-cancelled',
  'api.address-monitored',
  'api.addition-stored',
  'indexer.leader-elected',
  'indexer.cursor-moved',
  'indexer.block-committed',
  'indexer.rewound',
  'indexer.reread',
  'indexer.import-piece',
  'relay.published',
  'relay.claimed',
  'session-payment.settled',
  'suspense.settled',
  'monitoring.recorded',
  'additions.piece',
  'additions.stored',
  'webhook-delivery.woken',
  'webhook-delivery.claimed',
  'webhook-delivery.sent',
  'webhook-delivery.recorded',
] as const

/** The same for what leaves: between every two steps of a transfer, by whomever it is signed. */
export const outgoingFailpoints = [
  'api.transfer-claimed',
  'api.transfer-signed',
  'api.transfer-sent',
  'api.transfer-recorded',
  'api.transfer-prepared',
  'api.transfer-queued',
  'api.wallet-stored',
  'treasury.wallet-key-stored',
  'treasury.transfer-opened',
  'treasury.transfer-signed',
  'outgoing.woken',
  'outgoing.planned',
  'outgoing.counted',
  'outgoing.sent',
  'outgoing.recorded',
  'outgoing.raised',
  'outgoing.renewed',
  'outgoing.judged',
] as const

export type IncomingFailpoint = (typeof incomingFailpoints)[number]
export type OutgoingFailpoint = (typeof outgoingFailpoints)[number]
export type Failpoint = IncomingFailpoint | OutgoingFailpoint

const armed = process.env.COWRY_FAILPOINT
const proof = process.env.COWRY_FAILPOINT_PROOF
const freezes = process.env.COWRY_FAILPOINT_SIGNAL === 'SIGSTOP'
let frozen = false

/** Much longer than the kernel takes to deliver a signal to its sender. */
const deliveryMs = 100

/**
 * Kills this process with SIGKILL when it is armed for `name` (`COWRY_FAILPOINT`), after writing the name
 * to `COWRY_FAILPOINT_PROOF`. With nothing armed, the cost is one comparison. Where `COWRY_FAILPOINT_SIGNAL`
 * is SIGSTOP it is frozen instead, the first time only, and goes on from here after a SIGCONT.
 */
export function failpoint(name: Failpoint): void {
  if (armed === undefined || armed !== name || frozen) return
  if (proof) appendFileSync(proof, `${name}\n`)
  frozen = freezes
  process.kill(process.pid, freezes ? 'SIGSTOP' : 'SIGKILL')
  // The signal is delivered asynchronously; nothing after this point may run before it was.
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, freezes ? deliveryMs : Number.POSITIVE_INFINITY)
}
