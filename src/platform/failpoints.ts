import { appendFileSync } from 'node:fs'

/**
 * Every step of the pipeline after which something is persisted or published. The crash test kills the
 * process at each of them and reads this list, so that a step added here without a test fails.
 */
export const failpoints = [
  'treasury.seed-stored',
  'treasury.pool-filled',
  'api.idempotency-leased',
  'api.session-stored',
  'api.session-cancelled',
  'indexer.leader-elected',
  'indexer.cursor-moved',
  'indexer.block-committed',
  'indexer.rewound',
  'indexer.reread',
  'relay.published',
  'relay.claimed',
  'session-payment.settled',
  'suspense.settled',
  'webhook-delivery.woken',
  'webhook-delivery.claimed',
  'webhook-delivery.sent',
  'webhook-delivery.recorded',
] as const

export type Failpoint = (typeof failpoints)[number]

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
