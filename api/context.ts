import type { Counter } from 'prom-client'
import type { Caller } from '../src/accounts/caller.ts'
import type { FactorPolicy } from '../src/accounts/factor.ts'
import type { Passwords } from '../src/accounts/passwords.ts'
import type { SigningKeys } from '../src/accounts/signingKeys.ts'
import type { Environment } from '../src/apiKeys/form.ts'
import type { KeyUse } from '../src/apiKeys/keyUse.ts'
import type { KnownPermissions } from '../src/apiKeys/limits.ts'
import type { BlockReader } from '../src/chains/chain.ts'
import type { ConfiguredChain } from '../src/chains/registry.ts'
import type { ChainAccounts } from '../src/chains/sending.ts'
import type { Caps } from '../src/limits/caps.ts'
import type { KnownHashes } from '../src/limits/knownHashes.ts'
import type { RateLimiter } from '../src/limits/rateLimiter.ts'
import type { Mailing } from '../src/mail/queueMail.ts'
import type { ReadinessCheck } from '../src/platform/http.ts'
import type { Log } from '../src/platform/log.ts'
import type { Metrics } from '../src/platform/metrics.ts'
import type { ModelDb } from '../src/platform/modelDb.ts'
import type { Priority } from '../src/platform/priority.ts'
import type { Secret } from '../src/platform/secrets.ts'
import type { RatePartner, Rates } from '../src/pricing/rates.ts'
import type { WalletSendingContext } from '../src/transfers/sendFromWallet.ts'
import type { KeySendingContext } from '../src/txmgr/sendNow.ts'
import type { BodiesInFlight } from './middleware/bodiesInFlight.ts'
import type { RequestLimits } from './middleware/limits.ts'

/** Everything the HTTP process uses. A route's parameter type names the part that it needs. */
export interface ApiContext {
  db: ModelDb
  log: Log
  metrics: Metrics
  chains: readonly ConfiguredChain[]
  /** Reads single transactions of a configured chain. */
  reader(chain: string): Promise<BlockReader>
  /** Reads balances on a configured chain. */
  accounts(chain: string): Promise<ChainAccounts>
  /** Sends transactions. */
  txmgr: WalletSendingContext & KeySendingContext
  appKey: Secret
  /** Null: the deployment sends no mail. */
  mailing: Mailing | null
  /** The accounts that must use a second factor. */
  factorPolicy: FactorPolicy
  /** `test`: a deployment of test networks. */
  environment: Environment
  /** The deployment's public URL, and the issuer of its access tokens. */
  issuer: string
  signingKeys: SigningKeys
  passwords: Passwords
  limiter: RateLimiter
  requestLimits: RequestLimits
  /** A business's limits where the operator set no others. */
  caps: Caps
  /** Concurrent bulk calls of one business. */
  bulkCallsAtOnce: number
  /** How long the answer to an `Idempotency-Key` is kept when no money moved. */
  idempotencyDays: number
  /** Recognize invented credentials without asking the database. */
  knownKeys: KnownHashes
  knownSessions: KnownHashes
  bodies: BodiesInFlight
  /** Connections and requests refused before any work, by `reason`. */
  refusals: Counter
  keyUse: KeyUse
  /** The permissions that an API key can be limited to. */
  knownPermissions: KnownPermissions
  permissionsOfCaller(caller: Caller): string[]
  /** Networks of trusted reverse proxies. */
  trustedProxies: string[]
  /** The folder of the built dashboard. */
  dashboardFolder: string
  /** Answers that broke a contract. */
  brokenAnswers: Counter
  rates: Rates
  partner: Pick<RatePartner, 'banks'>
  quoteSeconds: number
  /** Internal hosts that webhooks may be sent to. */
  allowHosts: readonly string[]
  /** How many blocks back monitoring of an address may begin. */
  importBlocks: number
  /** `enforce`: an answer that breaks the contract is a 500. `count`: it is sent, logged and counted. */
  validateResponses: 'enforce' | 'count'
  /** Requests go before background work of the same process. */
  priority: Pick<Priority, 'begin'>
  /** Checks for `/health/ready`. */
  checks(): readonly ReadinessCheck[]
}
