import type { AlertFault } from './alertFaults.ts'

const killed: readonly AlertFault[] = ['a treasury that ends again and again']
const lies: readonly AlertFault[] = [
  'nodes that answer nothing usable',
  'a second node that is down',
  'a second node that answers for another chain',
  'a second node that is down while payments are credited',
]

/**
 * For each suite of `test/faults`: the faults of `alertFaults` that an operator would see where its faults
 * last, or why they raise no alert.
 */
export const suiteAlerts: Readonly<Record<string, readonly AlertFault[] | string>> = {
  alerts: 'it is the suite that raises the alerts of this table',
  backup: ['a database that was restored'],
  bridgeCrash: killed,
  bridgeSolanaCrash: killed,
  bulkCrash: killed,
  collectionCrash: killed,
  copiedVolume: ['a database that was restored'],
  crash: killed,
  database:
    'a failover of seconds: readiness fails meanwhile; one that lasts ends the metrics of each process (`CowryProcessDown`)',
  databaseTls: 'refused at the start, with a sentence: the process does not run (`CowryProcessDown`)',
  deliveries: ['a receiver that takes nothing, for longer than deliveries are tried'],
  disagreement:
    '`CowryProvidersDisagree`, `CowryBlocksAwaitAgreement`: by promtool alone, the forged blocks need minutes',
  familySweepCrash: killed,
  falseFinality: lies,
  fiveHundred: lies,
  flush: ['a Redis that is frozen'],
  isolation: ['a receiver that takes nothing, for longer than deliveries are tried'],
  lateCommit: 'nothing is wrong: a transaction is slow, and its payment is found in the next block',
  manyPayments: lies,
  nativeStakingCrash: killed,
  oneProcess: ['an indexer whose place another session holds', 'nodes that answer nothing usable'],
  partnerMisbehaves: [
    'a payout that waits for its partner',
    'a payout of which nobody knows for two hours if it left',
  ],
  payoutCrash: killed,
  payoutFailpoints: 'it compares lists',
  payoutPartnerCrash: killed,
  pgBouncer: 'nothing is wrong: a pooler between processes and Postgres',
  pooler: 'refused at the start, with a sentence: the process does not run (`CowryProcessDown`)',
  providers: lies,
  redisCluster: ['a Redis that is frozen'],
  redisSentinel: ['a Redis that is frozen'],
  refundCrash: killed,
  replica: '`CowryReplicaNotRead`: by promtool alone, it needs a standby',
  restored: ['a database that was restored'],
  rollKeys: 'nothing is wrong: keys are replaced while processes go on',
  rollingRestart: 'nothing is wrong: each process is replaced once, and alerts begin with the fourth time',
  sendingCrash: [...killed, 'a transfer that is not signed'],
  sendingExpiry: 'transfers that expire are signed again or fail, and the business gets an event',
  sendingGuards: ['a database that was restored', 'a transfer that is not signed'],
  sendingOutcomes: ['a transfer of which nobody knows if it was sent'],
  falseSolanaNode: lies,
  ssrf: 'refused targets of webhooks are failed deliveries of their business, which its endpoint reports',
  stakingCrash: killed,
  standby: ['an indexer whose place another session holds'],
  falseStellarNode: lies,
  stop: 'nothing is wrong: processes end in order',
  swapCrash: killed,
  sweepCrash: killed,
  falseTronNode: lies,
  twoTreasuries: killed,
  verificationCrash: killed,
}
