import { messageOf } from '../../platform/errors.ts'
import { pause } from '../../platform/wait.ts'
import { ProviderError } from '../chain.ts'
import { type JsonRpc, ThrottledError } from './jsonRpc.ts'

/** What is counted about providers; the indexer turns it into metrics. */
export interface ProviderObserver {
  called(provider: string, method: string, outcome: 'ok' | 'throttled' | 'error', seconds: number): void
  /** An answer came and did not hold together: incomplete, of another block, of another fork. */
  refused(provider: string): void
}

/** Several endpoints of one chain: asked in order of preference, each rested after a failure. */
export interface Providers {
  /**
   * Asks until one endpoint gives an answer that `accept` takes.
   * @param accept turns the raw answers into a result; what it throws counts as that endpoint's failure. Null says
   *   that this endpoint does not have it: no failure, but another one may
   * @returns null when some endpoint said so and none had it
   * @throws ProviderError with every endpoint's reason, when none could answer
   */
  ask<T>(accept: (rpc: JsonRpc) => Promise<T | null>): Promise<T | null>
  /**
   * Asks all at once and gives what came in; an endpoint that is much slower than the first is not waited for.
   * @throws ProviderError when all failed
   */
  askAll<T>(accept: (rpc: JsonRpc) => Promise<T>): Promise<T[]>
  close(): Promise<void>
}

/** How much longer than the first the others may take when all are asked. */
const graceMs = 150

const restMs = { first: 500, most: 30_000 }

/** Errors of calls that failed by themselves; any other one is our refusal of what a call answered. */
const failedCalls = new WeakSet<Error>()

interface Endpoint {
  rpc: JsonRpc
  failures: number
  restUntil: number
}

export function createProviders(rpcs: readonly JsonRpc[], observe: ProviderObserver, now: () => number = Date.now): Providers {
  const endpoints: Endpoint[] = rpcs.map((rpc) => ({ rpc: watched(rpc, observe), failures: 0, restUntil: 0 }))

  async function attempt<T>(endpoint: Endpoint, accept: (rpc: JsonRpc) => Promise<T>): Promise<T> {
    try {
      const result = await accept(endpoint.rpc)
      endpoint.failures = 0
      endpoint.restUntil = 0
      return result
    } catch (error) {
      endpoint.failures++
      if (error instanceof ProviderError && !failedCalls.has(error)) observe.refused(endpoint.rpc.name)
      const rest = error instanceof ThrottledError ? error.retryAfterMs : Math.min(restMs.first * 2 ** (endpoint.failures - 1), restMs.most)
      endpoint.restUntil = now() + rest
      throw error
    }
  }

  /** The rested ones in the configured order, then the others, the one that rests longest last. */
  const ranked = () => {
    const at = now()
    const rank = (endpoint: Endpoint) => Math.max(0, endpoint.restUntil - at)
    return [...endpoints].sort((a, b) => rank(a) - rank(b))
  }

  return {
    async ask(accept) {
      const reasons: string[] = []
      let absent = false
      for (const endpoint of ranked()) {
        try {
          const result = await attempt(endpoint, accept)
          if (result !== null) return result
          absent = true
        } catch (error) {
          if (!(error instanceof ProviderError)) throw error
          reasons.push(error.message)
        }
      }
      if (absent) return null
      throw new ProviderError(reasons.join('; '))
    },
    async askAll<T>(accept: (rpc: JsonRpc) => Promise<T>) {
      const at = now()
      const rested = endpoints.filter((endpoint) => endpoint.restUntil <= at)
      const answers: T[] = []
      const failures: unknown[] = []
      const all = (rested.length > 0 ? rested : endpoints).map((endpoint) =>
        attempt(endpoint, accept).then(
          (answer) => void answers.push(answer),
          (error) => void failures.push(error),
        ),
      )
      const everybody = Promise.all(all)
      await Promise.race([everybody, firstOf(all, () => answers.length > 0).then(() => pause(graceMs))])
      if (answers.length === 0) await everybody
      if (answers.length > 0) return answers
      const foreign = failures.find((failure) => !(failure instanceof ProviderError))
      if (foreign) throw foreign
      throw new ProviderError(failures.map(messageOf).join('; '))
    },
    close: async () => {
      await Promise.all(endpoints.map(({ rpc }) => rpc.close()))
    },
  }
}

/** Resolves when, after one of `all` settled, `enough` is true; never when none gets there. */
function firstOf(all: readonly Promise<unknown>[], enough: () => boolean): Promise<void> {
  return new Promise((resolve) => {
    for (const each of all) void each.then(() => enough() && resolve())
  })
}

function watched(rpc: JsonRpc, observe: ProviderObserver): JsonRpc {
  return {
    ...rpc,
    async call(method, params) {
      const started = performance.now()
      const done = (outcome: 'ok' | 'throttled' | 'error') => observe.called(rpc.name, method, outcome, (performance.now() - started) / 1000)
      try {
        const result = await rpc.call(method, params)
        done('ok')
        return result
      } catch (error) {
        done(error instanceof ThrottledError ? 'throttled' : 'error')
        if (error instanceof Error) failedCalls.add(error)
        throw error
      }
    },
  }
}
