import type { Caller } from '../src/accounts/apiKey.ts'
import type { BlockReader } from '../src/chains/chain.ts'
import type { ConfiguredChain } from '../src/chains/registry.ts'
import type { Db, Queryable } from '../src/platform/db.ts'
import type { ReadinessCheck } from '../src/platform/http.ts'
import type { Log } from '../src/platform/log.ts'
import type { Metrics } from '../src/platform/metrics.ts'
import type { Secret } from '../src/platform/secrets.ts'
import type { RatePartner, Rates } from '../src/pricing/rates.ts'
import type { WarmUpKey } from './warmUp.ts'

/** What the HTTP process works with. A route asks for the part that it uses. */
export interface ApiContext {
  db: Db
  log: Log
  metrics: Metrics
  chains: readonly ConfiguredChain[]
  /** Reads a configured chain, for questions about single transactions. */
  reader(chain: string): BlockReader
  appKey: Secret
  rates: Rates
  partner: Pick<RatePartner, 'banks'>
  quoteSeconds: number
  warmUpKey: WarmUpKey
  /** `enforce`: an answer that breaks the contract is a 500. `count`: it is sent, logged and counted. */
  validateResponses: 'enforce' | 'count'
  /** What must hold for `/health/ready`. */
  checks(): readonly ReadinessCheck[]
}

/** A request after the contract has let it through. */
export interface ApiRequest<Body = unknown, Query = unknown> {
  body: Body
  query: Query
  params: Record<string, string>
  caller: Caller
  /** Stores the answer for the request's `Idempotency-Key` in the transaction of its effect; does nothing without one. */
  remember(db: Queryable, answer: Answer): Promise<void>
}

export interface Answer {
  status: number
  body: object
}

export type Route = (request: ApiRequest) => Promise<Answer>
