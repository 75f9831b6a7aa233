import { accounts } from './accounts/capability.ts'
import { apiKeys } from './apiKeys/capability.ts'
import type { ApprovalSources } from './approvals/approvalSources.ts'
import { approvals } from './approvals/capability.ts'
import { audit } from './audit/capability.ts'
import { backup } from './backup/capability.ts'
import { bridge } from './bridge/capability.ts'
import { businesses } from './businesses/capability.ts'
import type { Capability, OutboxFed, RowFed } from './capability.ts'
import { collections } from './collections/capability.ts'
import { adjustments, suspense } from './corrections/capability.ts'
import { custody } from './custody/capability.ts'
import { events } from './events/capability.ts'
import type { EventTopic, EventType } from './events/recordEvents.ts'
import { health } from './health/capability.ts'
import { ledger } from './ledger/capability.ts'
import { mail } from './mail/capability.ts'
import { monitoring } from './monitoring/capability.ts'
import { notifications } from './notifications/capability.ts'
import type { OutflowEventSources } from './outflows/outflowEvents.ts'
import { overview } from './overview/capability.ts'
import { partnerPayments } from './partnerPayments/capability.ts'
import { paymentLinks } from './paymentLinks/capability.ts'
import { payouts } from './payouts/capability.ts'
import type { Grants } from './platform/database/grants.ts'
import {
  type BridgeFailpoint,
  type CollectionFailpoint,
  type IncomingFailpoint,
  type NativeStakingFailpoint,
  type PayoutFailpoint,
  processFailpoints,
  type RollingFailpoint,
  type SendingFailpoint,
  type StakingFailpoint,
  type SwapFailpoint,
  type SweepFailpoint,
  type VerifyingFailpoint,
} from './platform/failpoints.ts'
import type { OutboxQueue, QueueName } from './platform/jobs.ts'
import type { Settings } from './platform/settings.ts'
import { pricing } from './pricing/capability.ts'
import { reconciliation } from './reconciliation/capability.ts'
import { refunds } from './refunds/capability.ts'
import { sessions } from './sessions/capability.ts'
import { sendLimits } from './spendingLimits/capability.ts'
import { staking } from './staking/capability.ts'
import { books } from './statements/capability.ts'
import { swaps } from './swaps/capability.ts'
import { sweeps } from './sweeps/capability.ts'
import { till } from './till/capability.ts'
import { transfers } from './transfers/capability.ts'
import { txmgr } from './txmgr/capability.ts'
import { verification } from './verification/capability.ts'
import { wallets } from './wallets/capability.ts'
import type { WatchHandlings } from './watches/purposes.ts'
import { webhooks } from './webhooks/capability.ts'

/** Every capability. Only processes, generators and tests read it: a capability knows no other through it. */
export const capabilities: readonly Capability[] = [
  accounts,
  businesses,
  apiKeys,
  approvals,
  sendLimits,
  audit,
  custody,
  wallets,
  pricing,
  partnerPayments,
  payouts,
  refunds,
  collections,
  ledger,
  sessions,
  paymentLinks,
  till,
  monitoring,
  suspense,
  books,
  overview,
  health,
  adjustments,
  transfers,
  swaps,
  bridge,
  staking,
  sweeps,
  reconciliation,
  backup,
  txmgr,
  verification,
  mail,
  notifications,
  events,
  webhooks,
]

/** Joins a field of all capabilities. @throws Error naming what two of them bring */
function joined<All extends object>(
  what: string,
  of: (capability: Capability) => Partial<All> | undefined,
): All {
  const all = new Map<string, unknown>()
  for (const capability of capabilities) {
    for (const [name, value] of Object.entries(of(capability) ?? {})) {
      if (all.has(name))
        throw new Error(`two capabilities bring the ${what} ${name}; the second is ${capability.name}`)
      all.set(name, value)
    }
  }
  return Object.fromEntries(all) as All
}

export const eventTopics: readonly EventTopic[] = capabilities.flatMap(({ events = [] }) => events)
export const eventTypes = Object.keys(
  joined<Record<EventType, unknown>>('event type', ({ events = [] }) =>
    Object.assign({}, ...events.map(({ types }) => types)),
  ),
) as EventType[]

/** The events of outflows, by kind. */
export const outflowEventSources = joined<OutflowEventSources>(
  'kind of outflow',
  ({ outflowEvents }) => outflowEvents,
)

/** What approvals are about. */
export const approvalSources: ApprovalSources = {
  settings: joined('setting of approvals', (capability) => capability.approvals?.settings),
  subjects: capabilities.flatMap((capability) => capability.approvals?.subjects ?? []),
}

export const queueDefinitions = joined<{
  readonly [Q in QueueName]: Q extends OutboxQueue ? OutboxFed<Q> : RowFed<Q>
}>('queue', ({ queues }) => queues)
export const queueNames = Object.keys(queueDefinitions) as QueueName[]
/** Queues fed from the outbox. */
export const outboxQueues = queueNames.filter(
  (name): name is OutboxQueue => queueDefinitions[name].source === 'outbox',
)

export const watchHandlings = joined<WatchHandlings>('watch purpose', ({ watches }) => watches)

export const incomingFailpoints = [
  ...processFailpoints.incoming,
  ...capabilities.flatMap(({ failpoints }) => failpoints?.incoming ?? []),
] as readonly IncomingFailpoint[]
export const sweepFailpoints = capabilities.flatMap(
  ({ failpoints }) => failpoints?.sweeping ?? [],
) as readonly SweepFailpoint[]
export const swapFailpoints = capabilities.flatMap(
  ({ failpoints }) => failpoints?.swapping ?? [],
) as readonly SwapFailpoint[]
export const stakingFailpoints = capabilities.flatMap(
  ({ failpoints }) => failpoints?.staking ?? [],
) as readonly StakingFailpoint[]
export const nativeStakingFailpoints = capabilities.flatMap(
  ({ failpoints }) => failpoints?.nativeStaking ?? [],
) as readonly NativeStakingFailpoint[]
export const sendingFailpoints = capabilities.flatMap(
  ({ failpoints }) => failpoints?.sending ?? [],
) as readonly SendingFailpoint[]

export const payoutFailpoints = capabilities.flatMap(
  ({ failpoints }) => failpoints?.paying ?? [],
) as readonly PayoutFailpoint[]

export const collectionFailpoints = capabilities.flatMap(
  ({ failpoints }) => failpoints?.collecting ?? [],
) as readonly CollectionFailpoint[]

export const bridgeFailpoints = capabilities.flatMap(
  ({ failpoints }) => failpoints?.bridging ?? [],
) as readonly BridgeFailpoint[]

export const verifyingFailpoints = capabilities.flatMap(
  ({ failpoints }) => failpoints?.verifying ?? [],
) as readonly VerifyingFailpoint[]

/** Steps of the rolls of keys. */
export const rollingFailpoints = capabilities.flatMap(
  ({ failpoints }) => failpoints?.rolling ?? [],
) as readonly RollingFailpoint[]

/** Every column that is sealed with the application's key. */
export const sealedColumns = capabilities.flatMap(({ sealed = [] }) => sealed)

/** Tables with their rights, of the capabilities that name theirs. */
export const capabilityTables = joined<Record<string, Grants>>('table', ({ tables }) => tables)

/** Purposes of intents. */
export const intentPurposes = capabilities.flatMap(({ intents = [] }) => intents)

/** Tasks that every worker runs each minute. */
export const maintenanceTasks = capabilities.flatMap(({ maintenance = [] }) => maintenance)

/** The settings that capabilities read in one process. */
export const settingsOf = (process: 'api' | 'worker' | 'treasury'): Settings[] =>
  capabilities.flatMap(({ settings }) => settings?.[process] ?? [])
