import { randomUUID } from 'node:crypto'
import type { Clock } from './clock.ts'
import type { Collection, CollectionStatus } from './collection.ts'
import type { NewCollection } from './collectionRequest.ts'
import { createSettling, type Pay } from './settling.ts'

const second = 1000
const minute = 60 * second
/**
 * How long a collection stays in a state (docs/events-api; all but the first by our own choice). "Receive
 * requests have ten minutes to be accepted".
 */
const lasts: Partial<Record<CollectionStatus, number>> = {
  pending_approval: 10 * minute,
  created: 1,
  process: second,
  processing: 3 * second,
  pending_refund: second,
  refund_processing: minute,
}
/** Between `pending` and the payment of a payer that pays by itself. */
const paysAfter = 5 * second
/** "We've tried to refund the receive 5 times" (docs/events-api). */
const refundTries = 5

/** The collections of an account. */
export interface Collections {
  all(): readonly Collection[]
  byId(id: string): Collection | undefined
  bySequence(sequenceId: string): Collection | undefined
  /** All by their last change, the oldest first. */
  byChange(): readonly Collection[]
  now(): number
  /**
   * The number of the first one in a list: 1 by docs/list-collections-guide-api, other pages leave it open.
   */
  countsFrom: 0 | 1
  /** Ids that lists leave out. */
  hidden: Set<string>
  /** Look-ups by the caller's own id do not find what was made. */
  lags: boolean
  /** Sends the crypto of a settlement, and answers with its transaction id; null: it is only stated. */
  pay: Pay | null
  /** Refunds fail, until it is false again. */
  refundsFail: boolean
  /**
   * How one ends whose payer did not pay in time: the pages leave it open (docs/error-codes has the
   * `errorCode`).
   */
  unpaid: 'expired' | 'failed'
  /**
   * After `complete`, the status itself shows the settlement (docs/sandbox-testing-api); otherwise only
   * `settlementStatus`.
   */
  showsSettlement: boolean
  add(request: NewCollection): Collection
  /** The payer's money has come: also late, after it expired, failed or was cancelled. */
  receive(collection: Collection): void
  /** False: its state does not allow it. */
  accept(collection: Collection): boolean
  deny(collection: Collection): boolean
  cancel(collection: Collection): boolean
  refund(collection: Collection): boolean
  /** Puts one into any state, with a new time. */
  enter(collection: Collection, status: CollectionStatus, errorCode?: string | null): void
  /** Carries out everything that is due by now; of one collection in its order. */
  settle(): void
  /** Resolves when every transfer under way was answered. */
  settled(): Promise<void>
}

/** @param changed called for each new state @param settlementChanged for each new state of a transfer */
export function createCollections(
  clock: Clock,
  changed: (collection: Collection) => void,
  settlementChanged: (collection: Collection) => void,
): Collections {
  const ids = new Map<string, Collection>()
  const sequences = new Map<string, Collection>()
  /** Those that time alone can change. */
  const open = new Set<Collection>()
  /** Nothing is due before; a test has tens of thousands of them. */
  let quietUntil = Number.NEGATIVE_INFINITY
  let sorted: Collection[] | null = []

  function touch(collection: Collection, at: number): void {
    // Two states of one collection never have the same time.
    collection.updatedAt = Math.max(at, collection.updatedAt + 1)
    sorted = null
  }

  function move(
    collection: Collection,
    status: CollectionStatus,
    at: number,
    errorCode: string | null = null,
  ): void {
    Object.assign(collection, { status, since: at, errorCode })
    touch(collection, at)
    if (status === 'processing') giveDetails(collection)
    if (Number.isFinite(dueAt(collection))) open.add(collection)
    else open.delete(collection)
    quietUntil = Math.min(quietUntil, dueAt(collection))
    changed(collection)
    if (status === 'complete' && collection.settlement) settling.begin(collection)
  }
  const moveNow = (collection: Collection, status: CollectionStatus, errorCode: string | null = null) =>
    move(collection, status, clock.now(), errorCode)

  function giveDetails(collection: Collection): void {
    if (collection.reference !== null) return
    const digits = BigInt(`0x${collection.id.replaceAll('-', '')}`).toString()
    collection.reference = `JJ${digits.slice(-7)}`
    collection.depositId = randomUUID()
    if (
      collection.given.source &&
      (collection.given.source as { accountType?: string }).accountType === 'bank'
    )
      collection.bank = { name: 'PAGA', accountNumber: digits.slice(-10), accountName: 'Ken Adams' }
  }

  function dueAt({ status, since, payer, expiresAt }: Collection): number {
    if (status === 'pending') return payer === 'waits' ? expiresAt : since + paysAfter
    return since + (lasts[status] ?? Number.POSITIVE_INFINITY)
  }

  /** The state after this one, when its time is over. */
  function nextOf(collection: Collection): [status: CollectionStatus, errorCode?: string] {
    switch (collection.status) {
      case 'created':
        return [collection.forceAccept ? 'process' : 'pending_approval']
      case 'pending_approval':
        return ['expired']
      case 'process':
        return ['processing']
      case 'processing':
        return ['pending']
      case 'pending':
        if (collection.payer === 'pays') return ['complete']
        return collection.payer === 'refuses' ? ['failed', 'REFUSED'] : [collections.unpaid, 'EXPIRED']
      case 'pending_refund':
        return ['refund_processing']
      case 'refund_processing':
        return nextOfRefund(collection)
      default:
        throw new Error(`${collection.status} is final`)
    }
  }

  function nextOfRefund(collection: Collection): [status: CollectionStatus] {
    if (!collections.refundsFail) return ['refunded']
    collection.refundRetry++
    return [collection.refundRetry % refundTries === 0 ? 'refund_failed' : 'refund_processing']
  }

  const settling = createSettling({
    pay: (payout) => collections.pay?.(payout) ?? Promise.resolve(null),
    showsStatus: () => collections.showsSettlement,
    moved: (collection) => {
      touch(collection, clock.now())
      settlementChanged(collection)
    },
    enter: moveNow,
  })

  const collections: Collections = {
    all: () => [...ids.values()],
    byId: (id) => ids.get(id),
    bySequence: (sequenceId) => sequences.get(sequenceId),
    byChange: () => (sorted ??= [...ids.values()].sort((a, b) => a.updatedAt - b.updatedAt)),
    now: clock.now,
    countsFrom: 1,
    hidden: new Set(),
    lags: false,
    pay: null,
    refundsFail: false,
    unpaid: 'expired',
    showsSettlement: false,
    add(request) {
      const now = clock.now()
      const made: Collection = {
        ...request,
        id: randomUUID(),
        status: 'created',
        since: now,
        createdAt: now,
        updatedAt: now,
        expiresAt: now + 10 * minute,
        bank: null,
        reference: null,
        depositId: null,
        refundRetry: 0,
        errorCode: null,
      }
      ids.set(made.id, made)
      sequences.set(made.sequenceId, made)
      open.add(made)
      quietUntil = Math.min(quietUntil, dueAt(made))
      sorted = null
      changed(made)
      // The answer to one that is accepted at once already has the bank's details
      // (reference/submit-collection-request).
      if (made.forceAccept) for (const status of ['process', 'processing'] as const) move(made, status, now)
      return made
    },
    receive(collection) {
      if (collection.status === 'cancelled') moveNow(collection, 'pending_refund')
      else if (['processing', 'pending', 'expired', 'failed'].includes(collection.status))
        moveNow(collection, 'complete')
    },
    accept(collection) {
      if (
        collection.forceAccept ||
        (collection.status !== 'created' && collection.status !== 'pending_approval')
      )
        return false
      for (const status of ['process', 'processing'] as const) moveNow(collection, status)
      return true
    },
    deny(collection) {
      if (
        collection.forceAccept ||
        (collection.status !== 'created' && collection.status !== 'pending_approval')
      )
        return false
      moveNow(collection, 'failed', 'DENIED')
      return true
    },
    cancel(collection) {
      if (collection.status !== 'pending' && collection.status !== 'processing') return false
      moveNow(collection, 'cancelled')
      return true
    },
    refund(collection) {
      if (!['complete', 'cancelled', 'refund_failed'].includes(collection.status)) return false
      moveNow(collection, 'pending_refund')
      return true
    },
    enter: moveNow,
    settle() {
      for (;;) {
        const now = clock.now()
        if (now < quietUntil) return
        quietUntil = Number.POSITIVE_INFINITY
        const due: Collection[] = []
        for (const each of open) {
          if (dueAt(each) <= now) due.push(each)
          else quietUntil = Math.min(quietUntil, dueAt(each))
        }
        due.sort((a, b) => dueAt(a) - dueAt(b))
        for (const each of due) {
          const at = dueAt(each)
          // A test's `pay` may have moved it since.
          if (at > now) continue
          const [status, errorCode = null] = nextOf(each)
          move(each, status, at, errorCode)
        }
      }
    },
    settled: settling.ended,
  }
  return collections
}
