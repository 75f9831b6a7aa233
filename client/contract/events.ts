// Made by `npm run generate` from the contract.

import type { components } from './api.ts'

type Schemas = components['schemas']

/** Bodies of webhooks by type. */
export interface EventsByType {
  /** Money came to the address of a session, or moved to or from a monitored address: it was found in a block. A fork may still remove it. */
  'transaction.detected': Schemas['TransactionDetectedEvent']
  /** The block of a movement is as deep as required, or the chain calls it finalized. */
  'transaction.confirmed': Schemas['TransactionConfirmedEvent']
  /** A fork removed a movement. In another block it is another movement; if the same block returns, it is reported as detected again. */
  'transaction.reverted': Schemas['TransactionRevertedEvent']
  /** It waits for its payment. For systems that did not create it themselves: its data is the answer of create-session. */
  'session.created': Schemas['SessionCreatedEvent']
  /** The first money of a session was found in a block. Nothing is confirmed yet. */
  'session.detected': Schemas['SessionDetectedEvent']
  /** Enough is confirmed. Hand over the goods. */
  'session.paid': Schemas['SessionPaidEvent']
  /** Its automatic payout is completed. A session stays `paid_out`; a fork that takes its payment back afterwards leaves a debt in your balance (`receivable`). */
  'session.paid_out': Schemas['SessionPaidOutEvent']
  /** The session expired with too little. Sent together with `session.expired`. */
  'session.underpaid': Schemas['SessionUnderpaidEvent']
  /** More than enough is confirmed. Sent together with `session.paid`. */
  'session.overpaid': Schemas['SessionOverpaidEvent']
  /** Money came after the deadline, or to a cancelled session, and is confirmed: one event for each payment. `data.payment` is that payment. */
  'session.late': Schemas['SessionLateEvent']
  /** The deadline has passed by the chain's clock, and the payments were not enough. */
  'session.expired': Schemas['SessionExpiredEvent']
  /** The session was cancelled. */
  'session.cancelled': Schemas['SessionCancelledEvent']
  /** A fork removed a payment from a paid session. It is `pending` again, or `expired`. */
  'session.reversed': Schemas['SessionReversedEvent']
  /** A refund of the session is final on its chain: one event for each. `data.refund` is that refund. */
  'session.refunded': Schemas['SessionRefundedEvent']
  /** A transfer of yours is in a block that is as deep as required. If a fork removes the block after all, the event is sent again once the transfer is back. */
  'transfer.confirmed': Schemas['TransferConfirmedEvent']
  /** It is in a block but failed there (`reverted`), the network refused it, or it could not be made when it was due. `reason` and `message` say which. */
  'transfer.failed': Schemas['TransferFailedEvent']
  /** It has expired (`expired`), or another transaction used its nonce (`sequence_used`). Its `status` is `failed`. */
  'transfer.expired': Schemas['TransferExpiredEvent']
  /** A swap of yours is in a block that is as deep as required: the recipient has `minBuyAmount` or more. If a fork removes the block after all, the event is sent again once the swap is back. */
  'swap.confirmed': Schemas['SwapConfirmedEvent']
  /** It is in a block but failed there (`reverted`), the network refused it, its approval failed (`step_failed`), or it could not be sent within ten minutes (`stopped`). Nothing was swapped. `allowanceLeft` is what was left allowed when it ended. */
  'swap.failed': Schemas['SwapFailedEvent']
  /** It has expired (`expired`), or another transaction used its nonce (`sequence_used`). Nothing was swapped. `allowanceLeft` is what was left allowed when it ended. */
  'swap.expired': Schemas['SwapExpiredEvent']
  /** Its burn is confirmed. From now on it cannot fail, only take longer. */
  'bridge.in_progress': Schemas['BridgeInProgressEvent']
  /** Its mint is confirmed. If a fork removes the mint after all, the event is sent again once it is back. */
  'bridge.completed': Schemas['BridgeCompletedEvent']
  /** Nothing was burnt. `errorMessage` says why. */
  'bridge.failed': Schemas['BridgeFailedEvent']
  /** Its transaction is confirmed: the stake earns from `confirmedAt` on. If a fork removes the block after all, the event is sent again once the transaction is back. */
  'stake.active': Schemas['StakeActiveEvent']
  /** `amount`, `penalty`, `netAmount` and `rewards` are fixed. The rest of a split stake goes on under an id of its own. */
  'stake.unstaking': Schemas['StakeUnstakingEvent']
  /** The payment of `netAmount` is confirmed, with `rewards` unless `rewardsPending`. With a `reason`: its transaction failed or expired, and nothing was staked. */
  'stake.withdrawn': Schemas['StakeWithdrawnEvent']
  /** For systems that did not create it themselves: its data is the answer of create-payout. */
  'payout.created': Schemas['PayoutCreatedEvent']
  /** The first time that it may have left: its transaction is on the way, or the partner was given the payment. */
  'payout.sent': Schemas['PayoutSentEvent']
  /** The transaction is final, the partner has paid the bank, or the operator has paid it in another way (`paidElsewhere`). */
  'payout.completed': Schemas['PayoutCompletedEvent']
  /** It follows `payout.completed`, days later. What was sent is available again; the platform keeps its fee. `reason` says why, where the bank does. */
  'payout.returned': Schemas['PayoutReturnedEvent']
  /** `reason` says why. Its money is available again. It may follow `payout.completed`, if a fork of the chain took the transaction back for good. */
  'payout.failed': Schemas['PayoutFailedEvent']
  /** Before anything left. Its money is available again. */
  'payout.cancelled': Schemas['PayoutCancelledEvent']
  /** Neither the chain nor the partner says. It is asked again until it is known; do not pay it in another way. */
  'payout.unknown': Schemas['PayoutUnknownEvent']
  /** A bank payout has waited for so long that its price was renewed, and pays less than was agreed to. Confirm the price, or cancel the payout. */
  'payout.price_changed': Schemas['PayoutPriceChangedEvent']
  /** For systems that did not create it themselves: its data is the answer of create-refund, without `claimUrl`. */
  'refund.created': Schemas['RefundCreatedEvent']
  /** The link of the refund was used: `toAddress` is where it goes. It is sent now, or after a second owner has approved it. */
  'refund.claimed': Schemas['RefundClaimedEvent']
  /** The first time that it may have left: its transaction is on the way. */
  'refund.sent': Schemas['RefundSentEvent']
  /** It has arrived. `session.refunded` reports the same with the session. */
  'refund.completed': Schemas['RefundCompletedEvent']
  /** `reason` says why. Its money is available again. It may follow `refund.completed`, if a fork of the chain took the transaction back for good. */
  'refund.failed': Schemas['RefundFailedEvent']
  /** Before it left. Its money is available again, and its link is void. */
  'refund.cancelled': Schemas['RefundCancelledEvent']
  /** No customer named an address in time. Its money is available again. */
  'refund.expired': Schemas['RefundExpiredEvent']
  /** Only the chain can say if it has left, and it has not. Do not pay it in another way. One of the other events follows. */
  'refund.unknown': Schemas['RefundUnknownEvent']
  /** The partner has taken it: it waits for the customer, or settles the money. Its data is the answer of get-collection, as of then. */
  'collection.processing': Schemas['CollectionProcessingEvent']
  /** The partner has settled it. Its data is the answer of get-collection, as of then. */
  'collection.completed': Schemas['CollectionCompletedEvent']
  /** The customer did not pay in time. Late money can still complete or refund it. Its data is the answer of get-collection, as of then. */
  'collection.expired': Schemas['CollectionExpiredEvent']
  /** It will not be settled: `reason` says why. Late money can still complete or refund it. Its data is the answer of get-collection, as of then. */
  'collection.failed': Schemas['CollectionFailedEvent']
  /** The customer's money went back. Its data is the answer of get-collection, as of then. */
  'collection.refunded': Schemas['CollectionRefundedEvent']
  /** A stored wallet that sends has less of the native coin than the threshold of its chain: soon it may not pay for fees. Reported once, and again when it was topped up and runs low again. */
  'wallet.low_balance': Schemas['WalletLowBalanceEvent']
  /** Cowry paused an endpoint of yours: it failed for days, or it answered 410. */
  'endpoint.paused': Schemas['EndpointPausedEvent']
  /** An endpoint of yours took an event again after Cowry had paused it, or one of a type that a `delivery.failed` had named. Sent to your other
endpoints only.
 */
  'endpoint.recovered': Schemas['EndpointRecoveredEvent']
  /** Deliveries to an endpoint of yours were given up: all attempts failed, or the endpoint answered 410. Sent to your other endpoints only, at once
and then at most once an hour for each endpoint, with the number since. Deliveries of `endpoint.*` and `delivery.*` are not reported.
 */
  'delivery.failed': Schemas['DeliveryFailedEvent']
  /** A test event was requested for this endpoint. */
  'endpoint.test': Schemas['EndpointTestEvent']
  /** The person is who they say they are. Read the result by its `id`, with a secret key. */
  'verification.completed': Schemas['VerificationCompletedEvent']
  /** The check was made, and the person did not pass it: `reasonCode` says why. */
  'verification.failed': Schemas['VerificationFailedEvent']
  /** No identity with this number is known. It is charged. */
  'verification.not_found': Schemas['VerificationNotFoundEvent']
  /** The check could not be made, and costs nothing: its price went back to your credit. */
  'verification.error': Schemas['VerificationErrorEvent']
}

export type EventType = keyof EventsByType
/** The body of a webhook, of any type known to this version: later versions add more. */
export type CowryEvent = EventsByType[EventType]
