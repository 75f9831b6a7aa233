import { appendFileSync } from 'node:fs'

/**
 * Steps after which something is stored or published. The crash tests kill the process at each of them, so a
 * step added without a test fails. Each capability adds its own, in two kinds: `incoming` is the way of a
 * payment and its events,
 * `sending` the way of what leaves, `swapping` that of swaps, `staking` that of pooled stakes,
 * `nativeStaking` that of native ones, `sweeping` that of what deposit addresses hold, `paying` that of
 * payouts, refunds and top-ups, `collecting` that of fiat collections, `bridging` that of bridge transfers,
 * `verifying` that of identity checks. `rolling` is the change of a key, `migrating` the way of an upgrade.
 */
export interface Failpoints
  extends Record<(typeof processFailpoints.incoming)[number], 'incoming'>,
    Record<(typeof processFailpoints.migrating)[number], 'migrating'> {}

export type Failpoint = keyof Failpoints
/** Failpoints of one kind. */
export type FailpointOf<Kind> = {
  [Name in Failpoint]: Failpoints[Name] extends Kind ? Name : never
}[Failpoint]
export type IncomingFailpoint = FailpointOf<'incoming'>
export type SendingFailpoint = FailpointOf<'sending'>
export type SwapFailpoint = FailpointOf<'swapping'>
export type StakingFailpoint = FailpointOf<'staking'>
export type NativeStakingFailpoint = FailpointOf<'nativeStaking'>
export type SweepFailpoint = FailpointOf<'sweeping'>
export type PayoutFailpoint = FailpointOf<'paying'>
export type CollectionFailpoint = FailpointOf<'collecting'>
export type BridgeFailpoint = FailpointOf<'bridging'>
export type VerifyingFailpoint = FailpointOf<'verifying'>
export type RollingFailpoint = FailpointOf<'rolling'>

/** Steps of the processes themselves. */
export const processFailpoints = {
  incoming: [
    'api.idempotency-leased',
    'indexer.leader-elected',
    'indexer.cursor-moved',
    'indexer.block-committed',
    'indexer.rewound',
    'indexer.reread',
    'indexer.import-piece',
    'relay.published',
    'relay.claimed',
    'relay.taken',
  ],
  migrating: ['migrate.step-applied', 'migrate.step-recorded'],
} as const

const armed = process.env.COWRY_FAILPOINT
const proof = process.env.COWRY_FAILPOINT_PROOF
const freezes = process.env.COWRY_FAILPOINT_SIGNAL === 'SIGSTOP'
let frozen = false

/** Much longer than the kernel takes to deliver a signal to its sender. */
const deliveryMs = 100

/**
 * Kills this process with SIGKILL if it is armed for `name` (`COWRY_FAILPOINT`), after writing the name to
 * `COWRY_FAILPOINT_PROOF`. Unarmed it costs one comparison. With `COWRY_FAILPOINT_SIGNAL` set to SIGSTOP the
 * process is frozen instead, the first time only, and continues here after a SIGCONT.
 */
export function failpoint(name: Failpoint): void {
  if (armed === undefined || armed !== name || frozen) return
  if (proof) appendFileSync(proof, `${name}\n`)
  frozen = freezes
  process.kill(process.pid, freezes ? 'SIGSTOP' : 'SIGKILL')
  // Signals are delivered asynchronously; nothing after this point may run before.
  Atomics.wait(
    new Int32Array(new SharedArrayBuffer(4)),
    0,
    0,
    freezes ? deliveryMs : Number.POSITIVE_INFINITY,
  )
}
