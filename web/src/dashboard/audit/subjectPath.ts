import { bridgePath } from '../bridge/paths.ts'
import { collectionPath } from '../collections/paths.ts'
import { paymentLinkPath } from '../paymentLinks/paths.ts'
import { batchPath } from '../payouts/batches/paths.ts'
import { destinationsPath, payoutPath } from '../payouts/paths.ts'
import { sessionPath } from '../posSessions/paths.ts'
import { businessPath } from '../shell/navigation.ts'
import { stakePath } from '../staking/paths.ts'
import { swapPath } from '../swaps/paths.ts'
import { transferPath } from '../transfers/paths.ts'
import type { AuditEntry } from '../types.ts'
import { verificationPath } from '../verification/paths.ts'
import { walletPath } from '../wallets/paths.ts'
import { endpointPath, endpointsPath } from '../webhooks/paths.ts'

type Subject = NonNullable<AuditEntry['subject']>

const paths: Record<string, ((businessId: string, id: string) => string) | undefined> = {
  key: (businessId, id) => `${businessPath(businessId)}/settings/api-keys/${encodeURIComponent(id)}`,
  verification_key: (businessId) => `${businessPath(businessId)}/settings/verification-keys`,
  invitation: (businessId) => `${businessPath(businessId)}/members`,
  account: (businessId) => `${businessPath(businessId)}/members`,
  endpoint: endpointPath,
  callback_host: endpointsPath,
  destination: destinationsPath,
  payout: payoutPath,
  monitored_address: (businessId) => `${businessPath(businessId)}/monitoring`,
  session: sessionPath,
  collection: collectionPath,
  swap: swapPath,
  bridge: bridgePath,
  stake: stakePath,
  approval: (businessId) => `${businessPath(businessId)}/approvals`,
  transfer: transferPath,
  payment_link: paymentLinkPath,
  payout_batch: batchPath,
  verification: verificationPath,
  wallet: walletPath,
  business: (businessId) => `${businessPath(businessId)}/settings/business`,
}

const platformPaths: Record<string, ((id: string) => string) | undefined> = {
  business: (id) => `/platform/businesses/${encodeURIComponent(id)}`,
  staking_plan: () => '/platform/plans',
  adjustment: () => '/platform/adjustments',
}

/** The page of an entry's object: in its business, or of the platform. Undefined where there is none. */
export const subjectPath = (
  { kind, id }: Pick<Subject, 'kind' | 'id'>,
  businessId: string | null,
): string | undefined => {
  const of = <T>(known: Record<string, T>) => (Object.hasOwn(known, kind) ? known[kind] : undefined)
  return businessId === null ? of(platformPaths)?.(id) : of(paths)?.(businessId, id)
}

const kinds: Record<string, string | undefined> = {
  key: 'API key',
  endpoint: 'Webhook endpoint',
  session: 'Payment',
  account: 'Account',
  destination: 'Payout destination',
  bridge: 'Bridge transfer',
}

/** `monitored_address` as `Monitored address`. */
export function subjectKind(kind: string): string {
  const words = kind.replaceAll('_', ' ')
  return (
    (Object.hasOwn(kinds, kind) ? kinds[kind] : undefined) ?? words.charAt(0).toUpperCase() + words.slice(1)
  )
}
