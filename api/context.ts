import type { Request } from 'express'
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
import type { Queryable } from '../src/platform/db.ts'
import type { ReadinessCheck } from '../src/platform/http.ts'
import type { Log } from '../src/platform/log.ts'
import type { Metrics } from '../src/platform/metrics.ts'
import type { ModelDb } from '../src/platform/modelDb.ts'
import type { Priority } from '../src/platform/priority.ts'
import type { Secret } from '../src/platform/secrets.ts'
import type { RatePartner, Rates } from '../src/pricing/rates.ts'
import type { KeySendingContext } from '../src/transfers/createTransfer.ts'
import type { WalletSendingContext } from '../src/transfers/sendFromWallet.ts'
import type { BodiesInFlight } from './middleware/bodiesInFlight.ts'
import type { RequestLimits } from './middleware/limits.ts'

/** What the HTTP process works with. A route asks for the part that it uses. */
export interface ApiContext {
  db: ModelDb
  log: Log
  metrics: Metrics
  chains: readonly ConfiguredChain[]
  /** Reads a configured chain, for questions about single transactions. */
  reader(chain: string): Promise<BlockReader>
  /** Balances of a configured chain's addresses. */
  accounts(chain: string): Promise<ChainAccounts>
  /** What sends. */
  outgoing: WalletSendingContext & KeySendingContext
  appKey: Secret
  /** Null: the deployment sends no mail. */
  mailing: Mailing | null
  /** Whom the deployment requires a second factor of. */
  factorPolicy: FactorPolicy
  /** `test`: a deployment of test networks. */
  environment: Environment
  /** Where the deployment is reached; issues the access tokens. */
  issuer: string
  signingKeys: SigningKeys
  passwords: Passwords
  limiter: RateLimiter
  requestLimits: RequestLimits
  /** How much a business may have, or do in a day, where the operator set nothing else for it. */
  caps: Caps
  /** Bulk calls of a business that may be under way. */
  bulkCallsAtOnce: number
  /** How long the answer to an `Idempotency-Key` is kept where no money moved. */
  idempotencyDays: number
  /** Which credentials are surely invented. */
  knownKeys: KnownHashes
  knownSessions: KnownHashes
  bodies: BodiesInFlight
  /** Connections and requests that were refused before any work was done for them, by `reason`. */
  refusals: Counter
  keyUse: KeyUse
  /** What an API key can be limited to. */
  knownPermissions: KnownPermissions
  /** Networks whose word about a client's address is taken. */
  trustedProxies: string[]
  /** Where the pages of the dashboard were built to. */
  dashboardFolder: string
  /** Answers that broke a contract. */
  brokenAnswers: Counter
  rates: Rates
  partner: Pick<RatePartner, 'banks'>
  quoteSeconds: number
  /** Where webhooks may go although it is inside. */
  allowHosts: readonly string[]
  /** How many blocks back an address may be monitored from. */
  importBlocks: number
  /** `enforce`: an answer that breaks the contract is a 500. `count`: it is sent, logged and counted. */
  validateResponses: 'enforce' | 'count'
  /** Requests go before background work of the same process. */
  priority: Pick<Priority, 'begin'>
  /** What must hold for `/health/ready`. */
  checks(): readonly ReadinessCheck[]
}

/** A request after the contract has let it through. */
export interface ApiRequest<Body = unknown, Query = unknown> {
  body: Body
  query: Query
  params: Record<string, string>
  caller: Caller
  /**
   * Keeps, in the transaction of the effect, what must not be lost with it: the entry of the audit log, and the answer for the request's
   * `Idempotency-Key` where it has one. What a route does not keep itself is kept when it answers.
   */
  remember(db: Queryable, answer: Answer, change?: { before?: object; after?: object }, short?: ShortAnswer): Promise<void>
  /** A bulk call that takes long says from time to time that it goes on, with the rows that it has done since. */
  goesOn(rows: number): Promise<void>
  /** For what belongs to HTTP alone: cookies, the address. */
  request: Request
}

/** Answers of which ids are stored. */
export type ShortKind = 'monitored_addresses'

/** What is stored of a large answer: its ids, from which `restoreAnswer` makes it again. */
export interface ShortAnswer {
  kind: ShortKind
  body: object
}

export interface Answer {
  status: number
  body: object
  cookies?: string[]
}

export type Route = (request: ApiRequest) => Promise<Answer>
