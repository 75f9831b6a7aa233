import type { Caller } from './accounts/caller.ts'
import type { FactorPolicy } from './accounts/factor.ts'
import type { Passwords } from './accounts/passwords.ts'
import type { SigningKeys } from './accounts/signingKeys.ts'
import type { Environment } from './apiKeys/form.ts'
import type { KeyUse } from './apiKeys/keyUse.ts'
import type { KnownPermissions } from './apiKeys/limits.ts'
import type { ApprovalSources } from './approvals/approvalSources.ts'
import type { Attestations } from './bridge/attestations.ts'
import type { BridgeLimits } from './bridge/settings.ts'
import type { BlockReader } from './chains/chain.ts'
import type { ChainAccounts } from './chains/chainAccounts.ts'
import type { ConfiguredChain } from './chains/registry.ts'
import type { EventType } from './events/recordEvents.ts'
import type { EventWaiters } from './events/waiters.ts'
import type { Mailing } from './mail/queueMail.ts'
import type { OutflowEvents } from './outflows/outflowEvents.ts'
import type { CollectionPartner } from './partnerPayments/collectionPartner.ts'
import type { PaymentPartner } from './partnerPayments/partner.ts'
import type { ModelDb } from './platform/database/modelDb.ts'
import type { Secret } from './platform/secrets.ts'
import type { Log } from './platform/telemetry/log.ts'
import type { ReadBanks } from './pricing/bankList.ts'
import type { CoinPrices } from './pricing/coinPrices.ts'
import type { PriceRates } from './pricing/priceRates.ts'
import type { Rates } from './pricing/rates.ts'
import type { Caps } from './rateLimits/caps.ts'
import type { KnownHashes } from './rateLimits/knownHashes.ts'
import type { RateLimiter } from './rateLimits/rateLimiter.ts'
import type { CheckoutUrl } from './sessions/checkout/checkoutToken.ts'
import type { OpenCheckouts } from './sessions/checkout/openCheckouts.ts'
import type { SwapProviders } from './swaps/provider.ts'
import type { WalletSendingContext } from './transfers/sendFromWallet.ts'
import type { KeySendingContext } from './txmgr/sendNow.ts'

/**
 * What capabilities bring to the api process (`startApi` of `Capability`): for their routes, for those of
 * others, and for the checks of credentials.
 */
export interface BroughtContext {
  passwords: Passwords
  signingKeys: SigningKeys
  /** The accounts that must use a second factor. */
  factorPolicy: FactorPolicy
  /** Recognize invented credentials without a query. */
  knownSessions: KnownHashes
  knownKeys: KnownHashes
  keyUse: KeyUse
  /** The key of hashed `Idempotency-Key`s. */
  requestKey(): Promise<Secret>
  /** Sends transactions. */
  txmgr: WalletSendingContext & KeySendingContext
  /** Null: the deployment sends no mail. */
  mailing: Mailing | null
  /** Requests that wait for events. */
  eventWaiters: EventWaiters
  /** Life of a stream of events. */
  eventStreamMs: number
  /** The checkout pages that are open on this process. */
  checkouts: OpenCheckouts
  /** Internal hosts that webhooks may be sent to. */
  allowHosts: readonly string[]
  /** Concurrent bulk calls of one business. */
  bulkCallsAtOnce: number
  /** How many blocks back monitoring of an address may start. */
  importBlocks: number
  quoteSeconds: number
  /** How long the link of a refund can be used. */
  refundClaimDays: number
  /** How long more than was asked for stays `pending` where a business has set nothing. */
  excessHoldDays: number
  /** What the operator allows of the bridge. */
  bridgeLimits: BridgeLimits
  /** The operator's prices of native coins. */
  coinUsd: CoinPrices
}

/** Its parts, each brought by one capability: the api starts with exactly these. */
export const broughtParts = {
  passwords: true,
  signingKeys: true,
  factorPolicy: true,
  knownSessions: true,
  knownKeys: true,
  keyUse: true,
  requestKey: true,
  txmgr: true,
  mailing: true,
  eventWaiters: true,
  eventStreamMs: true,
  checkouts: true,
  allowHosts: true,
  bulkCallsAtOnce: true,
  importBlocks: true,
  quoteSeconds: true,
  refundClaimDays: true,
  excessHoldDays: true,
  bridgeLimits: true,
  coinUsd: true,
} as const satisfies Record<keyof BroughtContext, true>

/**
 * What the api process gives to the routes of capabilities. The parameter of a capability's routes names the
 * part that it needs.
 */
export interface RouteContext extends BroughtContext {
  db: ModelDb
  log: Log
  chains: readonly ConfiguredChain[]
  /** Reads single transactions of a configured chain. */
  reader(chain: string): Promise<BlockReader>
  /** Reads balances on a configured chain. */
  accounts(chain: string): Promise<ChainAccounts>
  appKey: Secret
  /** `test`: a deployment of test networks. */
  environment: Environment
  /** The deployment's public URL, and the issuer of its access tokens. */
  issuer: string
  /** The URL of a session's checkout page. */
  checkoutUrl: CheckoutUrl
  limiter: RateLimiter
  /** A business's limits where the operator set no others. */
  caps: Caps
  /** The permissions that an API key can be limited to. */
  knownPermissions: KnownPermissions
  permissionsOfCaller(caller: Caller): string[]
  /** Of prices that customers pay. */
  rates: PriceRates
  /** The partner's own, of payouts to banks. Null without a payout partner. */
  payoutRates: Rates | null
  /** Null without a payout partner. Throws ApiError 503 `banks_unavailable` if there never was a list. */
  banks: ReadBanks | null
  /** Null without a payout partner. */
  paymentPartner: PaymentPartner | null
  /** The same. */
  collectionPartner: CollectionPartner | null
  /** Circle's, of the bridge. */
  attestations: Attestations
  /** Providers of swaps. */
  swaps: SwapProviders
  /** The events of payouts and refunds. */
  outflowEvents: OutflowEvents
  /** Settings and subjects of approvals. */
  approvalSources: ApprovalSources
  /** Every event type that capabilities record. */
  eventTypes: readonly EventType[]
}
