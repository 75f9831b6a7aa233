import { appendFileSync } from 'node:fs'

/**
 * Every step of an incoming payment after which something is stored or published. The crash test kills the process at
 * each step in this list, so a step added without a test fails.
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

/** The same for what leaves, with either kind of signer. */
export const sendingFailpoints = [
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
  'txmgr.enqueued',
  'txmgr.planned',
  'txmgr.counted',
  'txmgr.sent',
  'txmgr.recorded',
  'txmgr.bumped',
  'txmgr.resigned',
  'txmgr.reconciled',
] as const

export type IncomingFailpoint = (typeof incomingFailpoints)[number]
export type SendingFailpoint = (typeof sendingFailpoints)[number]
export type Failpoint = IncomingFailpoint | SendingFailpoint

const armed = process.env.COWRY_FAILPOINT
const proof = process.env.COWRY_FAILPOINT_PROOF
const freezes = process.env.COWRY_FAILPOINT_SIGNAL === 'SIGSTOP'
let frozen = false

/** Much longer than the kernel takes to deliver a signal to its sender. */
const deliveryMs = 100

/**
 * Kills this process with SIGKILL if it is armed for `name` (`COWRY_FAILPOINT`), after writing the name to
 * `COWRY_FAILPOINT_PROOF`. Unarmed it costs one comparison. With `COWRY_FAILPOINT_SIGNAL` set to SIGSTOP the process is
 * frozen instead, the first time only, and continues here after a SIGCONT.
 */
export function failpoint(name: Failpoint): void {
  if (armed === undefined || armed !== name || frozen) return
  if (proof) appendFileSync(proof, `${name}\n`)
  frozen = freezes
  process.kill(process.pid, freezes ? 'SIGSTOP' : 'SIGKILL')
  // Signals are delivered asynchronously; nothing after this point may run before.
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, freezes ? deliveryMs : Number.POSITIVE_INFINITY)
}
