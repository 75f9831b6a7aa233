/**
 * Faults that `test/faults/alerts` makes in a real deployment, and the alerts that a real Prometheus raises
 * for each, and no other.
 */
export const alertFaults = {
  'a job that was given up': ['CowryOutboxDead'],
  'a database that was restored': ['CowryRestored'],
  'a job that is tried again much later': ['CowryOutboxWaits'],
  'a treasury that has ended': ['CowryProcessDown', 'CowryProcessMissing'],
  'a treasury that ends again and again': ['CowryRestarts'],
  'nodes that answer nothing usable': ['CowryChainReadFails'],
  'a second node that is down': ['CowryProviderFails'],
  'an indexer whose place another session holds': ['CowryNoLeader'],
  'a balance that was changed behind the ledger': ['CowryLedgerDrift'],
  'a treasury that holds less than its operator wants': ['CowryTreasuryGasLow'],
  'money without a known owner': ['CowrySuspense'],
  'a payout that waits for its partner': ['CowryPayoutWaits'],
  'a receiver that takes nothing, for longer than deliveries are tried': ['CowryWebhookTypesLost'],
  'an event outside every week': ['CowryStrayRows'],
  'mails without a mail server': ['CowryMailsWait'],
  'a table that an operation misses': ['CowryServerErrorsFast'],
  'passwords that are guessed from many networks': ['CowryPasswordsGuessed'],
  'a Redis that is frozen': ['CowryRedisAway'],
  'a second node that is down while payments are credited': ['CowryBlocksUnwitnessed', 'CowryProviderFails'],
  'a second node that answers for another chain': ['CowryProviderOfAnotherChain'],
  'a transfer that is not signed': ['CowryTransferStuck'],
  'a transfer of which nobody knows if it was sent': ['CowryTransferUnknown'],
  'a payout of which nobody knows for two hours if it left': [
    'CowryPayoutUnknown',
    'CowryPayoutUnknownForAnHour',
  ],
  'an end by hand that no second operator looks at': ['CowryEndsWait'],
  'an entry of the audit log after its last month': ['CowryAuditStrayRows'],
  'a transfer that waits for a lower fee': ['CowryTransferWaitsForFee'],
  'a comparison with the chain that fails for a day': ['CowryChainCheckLate'],
  'a stake that is not paid back': ['CowryStakeNotPaid'],
  'rewards of a stake without money for them': ['CowryRewardsPending'],
  'a token that keeps a part of a transfer': ['CowryTokenTakesFee'],
} as const

export type AlertFault = keyof typeof alertFaults
