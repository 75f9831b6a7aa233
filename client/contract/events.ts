// Made by `npm run generate` from the contract.

import type { components } from './api.ts'

type Schemas = components['schemas']

/** What the body of a webhook is, by its type. */
export interface EventsByType {
  /** Money came to the address of a session, or moved to or from a monitored address: it was found in a block. It may still be taken back by a fork. */
  'transaction.detected': Schemas['TransactionDetectedEvent']
  /** The block of a movement is as deep as it must be, or the chain calls it finalized. */
  'transaction.confirmed': Schemas['TransactionConfirmedEvent']
  /** A fork took a movement back. If it comes again in another block, that is another movement; if the same block returns, it is told as detected again. */
  'transaction.reverted': Schemas['TransactionRevertedEvent']
  /** The first money of a session was found in a block. Nothing is confirmed yet. */
  'session.detected': Schemas['SessionDetectedEvent']
  /** Enough is confirmed. Hand over the goods. */
  'session.paid': Schemas['SessionPaidEvent']
  /** The session expired with too little. Comes besides `session.expired`. */
  'session.underpaid': Schemas['SessionUnderpaidEvent']
  /** More than enough is confirmed. Comes besides `session.paid`. */
  'session.overpaid': Schemas['SessionOverpaidEvent']
  /** Money came after the deadline, or to a cancelled session, and is confirmed: one event for each payment. `data.payment` is that payment. */
  'session.late': Schemas['SessionLateEvent']
  /** The time is over by the chain's clock, and it was not enough. */
  'session.expired': Schemas['SessionExpiredEvent']
  /** Somebody cancelled the session. */
  'session.cancelled': Schemas['SessionCancelledEvent']
  /** A fork took money back from a session that was paid. It is `pending` again, or `expired`. */
  'session.reversed': Schemas['SessionReversedEvent']
  /** A transfer of yours is in a block that is as deep as it must be. Should a fork take the block after all, it is told again when it has come back. */
  'transfer.confirmed': Schemas['TransferConfirmedEvent']
  /** It is in a block and did not do what it should (`reverted`), the network refused it, or it could not be made when its turn came. `reason` and `message` say which. */
  'transfer.failed': Schemas['TransferFailedEvent']
  /** Its time is over (`expired`), or its nonce was used by something else (`sequence_used`). Its `status` is `failed`. */
  'transfer.expired': Schemas['TransferExpiredEvent']
  /** Cowry paused an endpoint of yours: it failed for days, or it answered 410. */
  'endpoint.paused': Schemas['EndpointPausedEvent']
  /** Somebody asked for a test event to this endpoint. */
  'endpoint.test': Schemas['EndpointTestEvent']
}

export type EventType = keyof EventsByType
/** The body of a webhook of a type that is known so far: there will be more. */
export type CowryEvent = EventsByType[EventType]
