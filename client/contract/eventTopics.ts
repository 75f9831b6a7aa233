// Made by `npm run generate` from the capabilities.

/** Event types by topic, in the order of the choices. */
export const eventTopics = [
  {
    "topic": "wallet",
    "label": "Wallets",
    "hint": "Stored wallets that you send from.",
    "types": [
      {
        "type": "wallet.low_balance",
        "hint": "Its native coin runs low: fees may soon not be paid."
      }
    ]
  },
  {
    "topic": "payout",
    "label": "Payouts",
    "hint": "The progress of a payout.",
    "types": [
      {
        "type": "payout.created",
        "hint": "It was created."
      },
      {
        "type": "payout.sent",
        "hint": "It may have left."
      },
      {
        "type": "payout.completed",
        "hint": "It was paid."
      },
      {
        "type": "payout.returned",
        "hint": "The bank returned it; its money is available again, without the fee."
      },
      {
        "type": "payout.failed",
        "hint": "It was not paid; its money is available again."
      },
      {
        "type": "payout.cancelled",
        "hint": "It was cancelled before it left."
      },
      {
        "type": "payout.unknown",
        "hint": "It is not known if it was paid."
      },
      {
        "type": "payout.price_changed",
        "hint": "Its price was renewed and has to be confirmed."
      }
    ]
  },
  {
    "topic": "refund",
    "label": "Refunds",
    "hint": "The progress of a refund.",
    "types": [
      {
        "type": "refund.created",
        "hint": "It was created."
      },
      {
        "type": "refund.claimed",
        "hint": "Its customer has named an address."
      },
      {
        "type": "refund.sent",
        "hint": "It may have left."
      },
      {
        "type": "refund.completed",
        "hint": "It has arrived."
      },
      {
        "type": "refund.failed",
        "hint": "It was not paid; its money is available again."
      },
      {
        "type": "refund.cancelled",
        "hint": "It was cancelled before it left."
      },
      {
        "type": "refund.expired",
        "hint": "Its link was not used in time; its money is available again."
      },
      {
        "type": "refund.unknown",
        "hint": "It is not known if it was paid."
      }
    ]
  },
  {
    "topic": "collection",
    "label": "Fiat collections",
    "hint": "The progress of a fiat collection.",
    "types": [
      {
        "type": "collection.processing",
        "hint": "The partner waits for the customer, or settles the money."
      },
      {
        "type": "collection.completed",
        "hint": "The partner has settled it."
      },
      {
        "type": "collection.expired",
        "hint": "The customer did not pay in time."
      },
      {
        "type": "collection.failed",
        "hint": "It will not be settled."
      },
      {
        "type": "collection.refunded",
        "hint": "The money went back to the customer."
      }
    ]
  },
  {
    "topic": "session",
    "label": "Payment sessions",
    "hint": "The progress of a payment that you requested.",
    "types": [
      {
        "type": "session.created",
        "hint": "It was created, and waits for its payment."
      },
      {
        "type": "session.detected",
        "hint": "A payment was seen, and is not final yet."
      },
      {
        "type": "session.paid",
        "hint": "It is paid."
      },
      {
        "type": "session.paid_out",
        "hint": "Its automatic payout is completed."
      },
      {
        "type": "session.underpaid",
        "hint": "Less came than was requested."
      },
      {
        "type": "session.overpaid",
        "hint": "More came than was requested."
      },
      {
        "type": "session.late",
        "hint": "A payment came after its deadline."
      },
      {
        "type": "session.expired",
        "hint": "Its deadline has passed."
      },
      {
        "type": "session.cancelled",
        "hint": "It was cancelled."
      },
      {
        "type": "session.reversed",
        "hint": "The chain took a payment back."
      },
      {
        "type": "session.refunded",
        "hint": "A refund has arrived."
      }
    ]
  },
  {
    "topic": "transaction",
    "label": "Transactions",
    "hint": "Each movement, of payments and of monitored addresses.",
    "types": [
      {
        "type": "transaction.detected",
        "hint": "It was seen in a block."
      },
      {
        "type": "transaction.confirmed",
        "hint": "It is final."
      },
      {
        "type": "transaction.reverted",
        "hint": "The chain took it back."
      }
    ]
  },
  {
    "topic": "transfer",
    "label": "Transfers",
    "hint": "The progress of a transfer that you send.",
    "types": [
      {
        "type": "transfer.confirmed",
        "hint": "It is final."
      },
      {
        "type": "transfer.failed",
        "hint": "The chain refused it."
      },
      {
        "type": "transfer.expired",
        "hint": "It was in no block in time."
      }
    ]
  },
  {
    "topic": "swap",
    "label": "Swaps",
    "hint": "The progress of a swap that you execute.",
    "types": [
      {
        "type": "swap.confirmed",
        "hint": "It is deep enough in the chain: the recipient has the minimum or more."
      },
      {
        "type": "swap.failed",
        "hint": "The chain refused it, or it was not sent: nothing was swapped."
      },
      {
        "type": "swap.expired",
        "hint": "It was in no block in time: nothing was swapped."
      }
    ]
  },
  {
    "topic": "bridge",
    "label": "Bridge",
    "hint": "The progress of USDC on its way to another chain.",
    "types": [
      {
        "type": "bridge.in_progress",
        "hint": "Its burn is confirmed."
      },
      {
        "type": "bridge.completed",
        "hint": "Its mint is confirmed."
      },
      {
        "type": "bridge.failed",
        "hint": "Nothing was burnt."
      }
    ]
  },
  {
    "topic": "stake",
    "label": "Stakes",
    "hint": "The progress of a stake.",
    "types": [
      {
        "type": "stake.active",
        "hint": "Its transaction is confirmed: it earns rewards from the time of its block on."
      },
      {
        "type": "stake.unstaking",
        "hint": "It has ended, or a part of it: what it earned and lost is fixed."
      },
      {
        "type": "stake.withdrawn",
        "hint": "Its payment is confirmed; or, with a reason, nothing was staked."
      }
    ]
  },
  {
    "topic": "verification",
    "label": "Verifications",
    "hint": "The outcome of an identity check.",
    "types": [
      {
        "type": "verification.completed",
        "hint": "The person is who they say they are."
      },
      {
        "type": "verification.failed",
        "hint": "The check was made, and the person did not pass."
      },
      {
        "type": "verification.not_found",
        "hint": "No such identity is known."
      },
      {
        "type": "verification.error",
        "hint": "The check could not be made. It costs nothing."
      }
    ]
  },
  {
    "topic": "endpoint",
    "label": "Endpoints",
    "hint": "Webhooks themselves.",
    "types": [
      {
        "type": "endpoint.paused",
        "hint": "Cowry paused an endpoint."
      },
      {
        "type": "endpoint.recovered",
        "hint": "An endpoint that failed takes events again."
      },
      {
        "type": "endpoint.test",
        "hint": "The test that you send from its page."
      }
    ]
  },
  {
    "topic": "delivery",
    "label": "Deliveries",
    "hint": "Of webhooks to your other endpoints.",
    "types": [
      {
        "type": "delivery.failed",
        "hint": "Deliveries to an endpoint were given up."
      }
    ]
  }
] as const
