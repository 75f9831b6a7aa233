import type { OutflowKind, OutflowStatus } from '../outflow.ts'

/** Who ends an outflow. `operators`: two of them. */
export type Ender = 'customer' | 'member' | 'owner' | 'worker' | 'operators' | 'partner' | 'chain'

/** One way in which the reservation of an outflow ends. */
export interface Way {
  by: Ender
  kinds: readonly OutflowKind[]
  from: readonly OutflowStatus[]
  to: 'completed' | 'failed' | 'cancelled'
  /** What must be true; for the docs. */
  when: string
  /**
   * While the database is restored: it happens; a request is refused (409 `restore_unsettled`); the row
   * waits, and a worker tries again.
   */
  whileRestored: 'happens' | 'refused' | 'waits'
}

const every = ['payout', 'refund', 'top_up', 'suspense'] as const
const ofBusiness = ['payout', 'refund'] as const
const submitted = ['processing', 'unknown'] as const
const unsubmitted = ['awaiting_approval', 'pending'] as const

/** The ways that give the money back. Each goes through `changeOutflow`, which names its way here. */
export const releases = {
  cancelled: {
    by: 'member',
    kinds: ['payout'],
    from: unsubmitted,
    to: 'cancelled',
    when: '`POST /payouts/{id}/cancel`',
    whileRestored: 'refused',
  },
  paid_elsewhere: {
    by: 'owner',
    kinds: ['payout'],
    from: unsubmitted,
    to: 'cancelled',
    when: '`POST /payouts/{id}/mark-paid`: the business has paid it itself',
    whileRestored: 'refused',
  },
  refund_cancelled: {
    by: 'member',
    kinds: ['refund'],
    from: ['awaiting_claim', ...unsubmitted],
    to: 'cancelled',
    when: '`POST …/refunds/{refundId}/cancel`',
    whileRestored: 'refused',
  },
  approval_refused: {
    by: 'owner',
    kinds: ofBusiness,
    from: ['awaiting_approval'],
    to: 'failed',
    when: 'an owner refuses the approval',
    whileRestored: 'refused',
  },
  approval_over: {
    by: 'worker',
    kinds: ofBusiness,
    from: unsubmitted,
    to: 'failed',
    when: 'the approval was refused, has expired, or requester or approver has lost the right',
    whileRestored: 'waits',
  },
  claim_expired: {
    by: 'worker',
    kinds: ['refund'],
    from: ['awaiting_claim'],
    to: 'cancelled',
    when: 'the link of the refund has expired unclaimed',
    whileRestored: 'waits',
  },
  payment_reversed: {
    by: 'chain',
    kinds: ['payout', 'refund', 'suspense'],
    from: ['awaiting_claim', ...unsubmitted],
    to: 'cancelled',
    when: 'a fork took away the payment that it pays out (automatic ones), or gives back',
    whileRestored: 'waits',
  },
  destination_archived: {
    by: 'worker',
    kinds: ['payout'],
    from: ['pending'],
    to: 'failed',
    when: 'the destination is archived',
    whileRestored: 'waits',
  },
  destination_unproven: {
    by: 'worker',
    kinds: ['payout'],
    from: ['pending'],
    to: 'failed',
    when: 'the destination has no proof, from an earlier version',
    whileRestored: 'waits',
  },
  screening_denied: {
    by: 'worker',
    kinds: ['payout', 'refund', 'suspense'],
    from: ['pending'],
    to: 'failed',
    when: "the operator's screening denies it",
    whileRestored: 'waits',
  },
  refused_by_worker: {
    by: 'worker',
    kinds: every,
    from: ['pending'],
    to: 'failed',
    when: 'its row, destination or approval is not proven',
    whileRestored: 'waits',
  },
  amount_too_small: {
    by: 'worker',
    kinds: ['payout'],
    from: ['pending'],
    to: 'failed',
    when: 'nothing is left for the bank after the fee',
    whileRestored: 'waits',
  },
  partner_refused: {
    by: 'partner',
    kinds: ofBusiness,
    from: ['processing'],
    to: 'failed',
    when: 'the partner refuses the submission, and has no payment of this id',
    whileRestored: 'waits',
  },
  partner_failed: {
    by: 'partner',
    kinds: ofBusiness,
    from: submitted,
    to: 'failed',
    when: 'the partner says `FAILED`, `EXPIRED` or `DENIED` in an answer about this id',
    whileRestored: 'waits',
  },
  chain_failed: {
    by: 'chain',
    kinds: every,
    from: submitted,
    to: 'failed',
    when: 'its transaction failed for good, or the treasury refused it',
    whileRestored: 'waits',
  },
  taken_back: {
    by: 'chain',
    kinds: every,
    from: ['completed'],
    to: 'failed',
    when: 'a fork took its transaction back for good',
    whileRestored: 'waits',
  },
  operators_failed: {
    by: 'operators',
    kinds: every,
    from: ['unknown'],
    to: 'failed',
    when: '`npm run cowry -- payouts end`, with evidence; a second operator approves',
    whileRestored: 'refused',
  },
} as const satisfies Record<string, Way>

export type Release = keyof typeof releases

/** The ways by which the money is booked as paid. */
const payments = {
  chain_paid: {
    by: 'chain',
    kinds: every,
    from: submitted,
    to: 'completed',
    when: 'its transaction is confirmed',
    whileRestored: 'happens',
  },
  partner_paid: {
    by: 'partner',
    kinds: ofBusiness,
    from: submitted,
    to: 'completed',
    when: 'the partner says `COMPLETE` in an answer about this id',
    whileRestored: 'happens',
  },
  operators_paid: {
    by: 'operators',
    kinds: every,
    from: ['unknown'],
    to: 'completed',
    when: '`npm run cowry -- payouts end`, with evidence; a second operator approves',
    whileRestored: 'happens',
  },
  paid_by_platform: {
    by: 'operators',
    kinds: ofBusiness,
    from: ['awaiting_claim', ...unsubmitted],
    to: 'completed',
    when: '`… completed --elsewhere`: the platform has paid it, from its capital',
    whileRestored: 'refused',
  },
  left_before_restore: {
    by: 'operators',
    kinds: every,
    from: [...unsubmitted, 'processing'],
    to: 'completed',
    when: 'the same, only while the database is restored: its transaction to a wallet is known',
    whileRestored: 'happens',
  },
} as const satisfies Record<string, Way>

type WayName = Release | keyof typeof payments

export const waysToEnd: Readonly<Record<WayName, Way>> = { ...releases, ...payments }

export const wayOf = (name: WayName): Way => waysToEnd[name]
