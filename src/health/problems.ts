import { type AlertName, alerts } from './alerts.ts'
import type { BackupHealth } from './backupHealth.ts'
import type { ChainHealth } from './chainHealth.ts'
import type { DatabaseHealth } from './databaseHealth.ts'
import type { PartnerHealth } from './partnerHealth.ts'
import type { QueuesHealth } from './queueHealth.ts'

/** The parts of the page; null: no answer in time. */
export interface Parts {
  chains: ChainHealth[] | null
  queues: QueuesHealth | null
  partners: PartnerHealth[] | null
  backups: BackupHealth | null
  database: DatabaseHealth | null
}

export interface Problem {
  /** Its counterpart among the alerts. */
  alert: AlertName
  severity: 'page' | 'ticket'
  message: string
  /** Below docs/runbooks. */
  runbook: string
}

const minute = 60
const day = 86_400

/** What does not work, the urgent first; thresholds are those of the alerts. */
export function problemsOf(parts: Parts, now = Date.now()): Problem[] {
  const found = [
    ...(parts.chains ?? []).flatMap(ofChain),
    ...(parts.queues ? ofQueues(parts.queues, now) : []),
    ...(parts.partners ?? []).flatMap(ofPartner),
    ...(parts.backups ? ofBackups(parts.backups) : []),
    ...(parts.database ? ofDatabase(parts.database, now) : []),
  ]
  return found.toSorted((a, b) => Number(a.severity === 'ticket') - Number(b.severity === 'ticket'))
}

const problem = (alert: AlertName, message: string): Problem => ({ alert, message, ...alerts[alert] })
const when = (holds: boolean, alert: AlertName, message: string): Problem[] =>
  holds ? [problem(alert, message)] : []

function ofChain({ chain, state, lag, gaps, nodes, lowGas }: ChainHealth): Problem[] {
  return [
    ...when(state === 'silent', 'CowryNoLeader', `No indexer reports ${chain}: its blocks are not read.`),
    ...when(
      state === 'unreadable',
      'CowryChainUnreadable',
      `A block of ${chain} holds something that this version cannot read.`,
    ),
    ...when(
      state === 'halted',
      'CowryChainStale',
      `${chain} has no new block for longer than it ever should be.`,
    ),
    ...when(
      state === 'behind' || (state === 'ok' && (lag ?? 0) > 50),
      'CowryChainLags',
      `The indexer of ${chain} is ${lag === null ? 'behind' : `${lag} blocks behind`}.`,
    ),
    ...when(gaps > 0, 'CowryChainGap', `Blocks of ${chain} below the newest one were not read: ${gaps}.`),
    ...nodes.flatMap((node) => [
      ...when(
        node.state === 'resting',
        'CowryProviderFails',
        `${node.name} of ${chain} is left alone after failures.`,
      ),
      ...when(
        node.state === 'wrong_chain',
        'CowryProviderOfAnotherChain',
        `${node.name} answers for another chain than ${chain}.`,
      ),
    ]),
    ...(lowGas
      ? [
          problem(
            'CowryTreasuryGasLow',
            `The treasury has ${lowGas.balance} ${lowGas.symbol} on ${chain}; it needs ${lowGas.lowWater}.`,
          ),
        ]
      : []),
  ]
}

function ofQueues({ redis, queues }: QueuesHealth, now: number): Problem[] {
  return [
    ...when(
      redis === 'unknown',
      'CowryProcessMissing',
      'No worker reports: jobs are not done, and queues are not known.',
    ),
    ...when(redis === 'no_answer', 'CowryRedisAway', 'Redis does not answer the workers.'),
    ...queues.flatMap(({ queue, dead, unfinishedSince }) => [
      ...when(dead > 0, 'CowryOutboxDead', `Jobs of ${queue} were given up: ${dead}.`),
      ...when(
        unfinishedSince !== null && now - Date.parse(unfinishedSince) > minute * 1000,
        'CowryOutboxWaits',
        `A job of ${queue} waits for longer than a minute.`,
      ),
    ]),
  ]
}

function ofPartner({ name, unknown, comparison }: PartnerHealth): Problem[] {
  return [
    ...when(
      unknown > 0,
      'CowryPayoutUnknown',
      `The outcome of ${counted(unknown, 'payout')} through ${name} is not known.`,
    ),
    ...when(
      (comparison?.unmatched ?? 0) > 0,
      'CowryPartnerDisagrees',
      `Payments of ${name} have no match in the books: ${comparison?.unmatched ?? 0}.`,
    ),
  ]
}

const ofBackups = ({ archiveSeconds, checkSeconds }: BackupHealth): Problem[] => [
  ...when(
    archiveSeconds > 15 * minute,
    'CowryArchiveLate',
    'The log of the database was not archived for 15 minutes.',
  ),
  ...when(
    checkSeconds > 9 * day,
    'CowryBackupUnchecked',
    'No backup was restored and checked for nine days.',
  ),
]

const ofDatabase = ({ isRestored, close }: DatabaseHealth, now: number): Problem[] => [
  ...when(
    isRestored,
    'CowryRestored',
    'The database was restored: nothing is signed or sent before it is reconciled.',
  ),
  ...when(
    (close?.drifts ?? 0) > 0,
    'CowryLedgerDrift',
    `The last close found ${counted(close?.drifts ?? 0, 'difference')}.`,
  ),
  ...when(
    close !== null && now - Date.parse(close.at) > 25 * 3_600_000,
    'CowryLedgerCloseLate',
    'The books were not closed for more than 25 hours.',
  ),
]

const counted = (n: number, what: string): string => `${n} ${what}${n === 1 ? '' : 's'}`
