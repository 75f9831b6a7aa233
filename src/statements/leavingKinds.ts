/** Kinds of entries by which money left, or came back from where it went. */
export const leavingKinds = ['payout.posted', 'payout.returned', 'refund.posted', 'refund.returned'] as const
