import { isNativeError } from 'node:util/types'
import { messageOf } from '../../platform/errors.ts'
import { pause } from '../../platform/wait.ts'
import { ProviderError, UnreadableBlockError } from '../chain.ts'
import { type Budget, createBudget, ThrottledError } from './budget.ts'
import { createHealth, type Health } from './health.ts'
import { createSilence, type Silence, type SilenceOptions } from './silence.ts'

/** Receives events about providers; the indexer turns them into metrics. */
export interface ProviderObserver {
  /** A provider is configured: its counters start at 0. */
  configured?(provider: string): void
  called(provider: string, method: string, outcome: 'ok' | 'throttled' | 'error', seconds: number): void
  /** An answer was invalid: incomplete, or of another block, fork or chain. */
  refused(provider: string): void
  /** An answer was accepted although a part of it could not be verified. */
  unproven?(provider: string, what: string): void
  /** A block's answer was not understood from its bytes: it was parsed, which takes longer. */
  notUnderstood?(provider: string): void
}

/** One endpoint of a chain's network. */
export interface Endpoint {
  /** Safe to show: a host, never the whole URL, which often holds a key. */
  name: string
  close(): Promise<void>
}

/** Wraps every request of an endpoint: waits for the budget, counts and times it. */
export type Gate = <T>(method: string, request: () => Promise<T>) => Promise<T>

/** The endpoint is of another chain: ignore its answers. */
export class WrongChainError extends ProviderError {
  override readonly code = 'wrong_chain'
  override readonly retry = 'no'
}

/** State of an endpoint, for metrics and logs. */
export interface ProviderState {
  name: string
  /** The breaker is open: requests wait. */
  open: boolean
  wrongChain: boolean
  /** Milliseconds, from calls that all endpoints get; null before the first measurement. */
  score: number | null
  /** Requests per second; Infinity without a limit. */
  rate: number
}

/** Several endpoints of one chain: the best is called first, the others when it fails. */
export interface Providers<E extends Endpoint> {
  /**
   * Calls one endpoint after another until `accept` returns a result.
   * @param accept makes the calls and checks the answers; an error counts as that endpoint's failure. Null
   * means that this endpoint does not have it: not a failure, but the next one is called
   * @param only skips endpoints for which it returns false
   * @returns null if at least one endpoint answered and no endpoint had it
   * @throws ProviderError with every endpoint's reason, if all failed
   */
  ask<T>(accept: (endpoint: E) => Promise<T | null>, only?: (name: string) => boolean): Promise<T | null>
  /**
   * Calls all at once and returns the answers, without endpoints that are much slower than the first.
   * @param late keeps answers of slow endpoints until the next call with the same object: for repeated calls,
   * so that slow endpoints count too
   * @throws ProviderError if all failed
   */
  askAll<T>(accept: (endpoint: E) => Promise<T>, late?: LateAnswers<T>): Promise<T[]>
  /** Checks again that the endpoints are of this chain. @throws ProviderError if no endpoint is */
  verify(): Promise<void>
  readonly names: readonly string[]
  /**
   * An endpoint's data contradicts the others', although it answers: it is skipped for a while, longer each
   * time.
   */
  doubt(name: string): void
  /** Silent endpoints; updated by requests to all of them. */
  readonly silence: Silence
  states(): ProviderState[]
  close(): Promise<void>
}

/** Answers that came after the result was returned, by the endpoint's place in the configuration. */
export interface LateAnswers<T> {
  calls: number
  /** Newest answered call of each endpoint: answers to earlier calls are stale. */
  heard: Map<number, number>
  answers: Map<number, T>
}

export const createLateAnswers = <T>(): LateAnswers<T> => ({ calls: 0, heard: new Map(), answers: new Map() })

export interface ProvidersOptions<E> {
  observe: ProviderObserver
  /**
   * Checks an endpoint's chain: before its first use, after a rest, and every few minutes. @throws
   * WrongChainError
   */
  identify?: (endpoint: E) => Promise<void>
  silence?: SilenceOptions
  now?: () => number
  /** Waits until the grace period for the others is over. */
  grace?: () => Promise<void>
}

/** Grace period for the others after the first answer, when all are called. */
const graceMs = 150
const identifyEveryMs = 300_000
const identifyAfterRestMs = 20_000
const wrongChainRestMs = 30_000
/** Refuse a request that the budget would delay for longer: prefer another endpoint, or a later retry. */
const maxWaitMs = 5000

/** Errors of the calls themselves. Any other error means that `accept` refused the answer. */
const failedCalls = new WeakSet<Error>()

interface Member<E> {
  endpoint: E
  /** Its place in the configuration. */
  place: number
  health: Health
  budget: Budget
  identifiedAt: number
  identifying: Promise<void> | null
  wrongChainUntil: number
}

/**
 * @param open opens each endpoint, in the order of preference; the endpoint sends every request through the
 * gate
 */
export function createProviders<E extends Endpoint>(
  open: readonly ((gate: Gate) => E)[],
  options: ProvidersOptions<E>,
): Providers<E> {
  const {
    observe,
    identify,
    silence = { blockMs: 1000 },
    now = Date.now,
    grace = () => pause(graceMs),
  } = options
  const members = open.map((each, place) => {
    const [health, budget] = [createHealth(now), createBudget(maxWaitMs, now)]
    const member: Member<E> = {
      endpoint: each((method, request) => send(member, method, request)),
      place,
      health,
      budget,
      identifiedAt: Number.NEGATIVE_INFINITY,
      identifying: null,
      wrongChainUntil: 0,
    }
    observe.configured?.(member.endpoint.name)
    return member
  })

  async function send<T>(member: Member<E>, method: string, request: () => Promise<T>): Promise<T> {
    const { name } = member.endpoint
    const held = () => {
      observe.called(name, method, 'throttled', 0)
      return new ThrottledError(
        `${name}: ${method}: not sent, the provider's request limit is reached`,
        member.budget.waitMs(),
      )
    }
    const wait = member.budget.take()
    if (wait === null) throw held()
    if (wait > 0) await pause(wait)
    // The provider may have throttled again during the wait.
    if (wait > 0 && member.budget.pausedMs() > 0) throw held()
    const started = now()
    const done = (outcome: 'ok' | 'throttled' | 'error') =>
      observe.called(name, method, outcome, (now() - started) / 1000)
    try {
      const result = await request()
      done('ok')
      return result
    } catch (error) {
      done(error instanceof ThrottledError ? 'throttled' : 'error')
      if (error instanceof ThrottledError) member.budget.throttled(error.retryAfterMs)
      if (error instanceof Error) failedCalls.add(error)
      throw error
    }
  }

  /** Checks the endpoint's chain before its answers are used. Concurrent callers share one check. */
  async function identified(member: Member<E>): Promise<void> {
    if (!identify || now() - member.identifiedAt < identifyEveryMs) return
    member.identifying ??= identify(member.endpoint)
      .then(() => {
        member.identifiedAt = now()
        member.wrongChainUntil = 0
      })
      .finally(() => {
        member.identifying = null
      })
    await member.identifying
  }

  async function attempt<T>(member: Member<E>, accept: (endpoint: E) => Promise<T>): Promise<T> {
    // Identify again after an outage: another node may have the address now.
    if (member.health.openUntil() > 0 && now() - member.identifiedAt > identifyAfterRestMs)
      member.identifiedAt = Number.NEGATIVE_INFINITY
    member.health.began()
    try {
      await identified(member)
      const result = await accept(member.endpoint)
      member.health.succeeded()
      return result
    } catch (thrown) {
      const error = asRefusal(member.endpoint.name, thrown)
      if (error instanceof ProviderError && !failedCalls.has(error)) observe.refused(member.endpoint.name)
      if (error instanceof WrongChainError) {
        member.identifiedAt = Number.NEGATIVE_INFINITY
        member.wrongChainUntil = now() + wrongChainRestMs
      }
      // Throttled is not down: the budget waits, the breaker stays closed.
      if (error instanceof ThrottledError) member.health.ended()
      else member.health.failed()
      throw error
    }
  }

  const usable = (member: Member<E>) => member.wrongChainUntil <= now() && member.health.available()

  /**
   * Endpoints that can answer at once first; then by score in powers of two, so that similar ones keep the
   * configured order. An unmeasured endpoint has the best score.
   */
  function ranked(among: readonly Member<E>[]): Member<E>[] {
    const step = (member: Member<E>) => Math.floor(Math.log2(Math.max(1, member.health.score() ?? 1)))
    return [...among].sort(
      (a, b) => a.budget.waitMs() - b.budget.waitMs() || step(a) - step(b) || a.place - b.place,
    )
  }

  /** If all rest, returns all of them, the one that rests for the shortest time first. */
  function candidates(only: (name: string) => boolean): Member<E>[] {
    const asked = members.filter((member) => only(member.endpoint.name))
    const ready = asked.filter(usable)
    if (ready.length > 0) return ranked(ready)
    const right = asked.filter((member) => member.wrongChainUntil <= now())
    return (right.length > 0 ? right : asked).sort((a, b) => a.health.openUntil() - b.health.openUntil())
  }

  return {
    async ask(accept, only = () => true) {
      const reasons: ProviderError[] = []
      let absent = false
      for (const member of candidates(only)) {
        try {
          const result = await attempt(member, accept)
          if (result !== null) return result
          absent = true
        } catch (error) {
          if (!(error instanceof ProviderError)) throw error
          reasons.push(error)
        }
      }
      if (absent) return null
      const message = reasons.map((reason) => reason.message).join('; ') || 'there is no provider'
      throw reasons.some((reason) => reason instanceof UnreadableBlockError)
        ? new UnreadableBlockError(message)
        : new ProviderError(message)
    },
    async askAll<T>(accept: (endpoint: E) => Promise<T>, late: LateAnswers<T> = createLateAnswers()) {
      const call = ++late.calls
      const answers = new Map<number, T>()
      const failures: unknown[] = []
      let taken = false
      const all = candidates(() => true).map((member) => {
        const { place } = member
        const started = now()
        return attempt(member, accept).then(
          (answer) => {
            member.health.measured(now() - started)
            if (!taken) answers.set(place, answer)
            if ((late.heard.get(place) ?? 0) > call) return
            late.heard.set(place, call)
            if (taken) late.answers.set(place, answer)
            else late.answers.delete(place)
          },
          (error) => void failures.push(error),
        )
      })
      const settled = Promise.all(all)
      await Promise.race([settled, firstOf(all, () => answers.size > 0).then(grace)])
      if (answers.size === 0) await settled
      taken = true
      if (answers.size > 0) {
        for (const [place, answer] of late.answers)
          if (members[place]?.wrongChainUntil === 0) answers.set(place, answer)
        late.answers.clear()
        return [...answers.values()]
      }
      const foreign = failures.find((failure) => !(failure instanceof ProviderError))
      if (foreign) throw foreign
      throw new ProviderError(failures.map(messageOf).join('; '))
    },
    async verify() {
      for (const member of members) member.identifiedAt = Number.NEGATIVE_INFINITY
      const failures = members
        .filter((member) => !usable(member))
        .map(({ endpoint }) => `${endpoint.name}: skipped, it failed recently`)
      await Promise.all(
        members
          .filter(usable)
          .map((member) =>
            attempt(member, async () => true).catch((error) => void failures.push(messageOf(error))),
          ),
      )
      if (members.every((member) => now() - member.identifiedAt >= identifyEveryMs)) {
        throw new ProviderError(`no provider confirms its chain: ${failures.join('; ')}`)
      }
    },
    names: members.map(({ endpoint }) => endpoint.name),
    doubt: (name) => members.find(({ endpoint }) => endpoint.name === name)?.health.doubted(),
    silence: createSilence(members.length, silence, now),
    states: () =>
      members.map(({ endpoint, health, budget, wrongChainUntil }) => ({
        name: endpoint.name,
        open: health.openUntil() > now(),
        wrongChain: wrongChainUntil > now(),
        score: health.score(),
        rate: budget.rate(),
      })),
    close: async () => {
      await Promise.all(members.map(({ endpoint }) => endpoint.close()))
    },
  }
}

/**
 * JavaScript's own errors are about the answer that was read: a list in place of a text, a number too large,
 * nesting too deep. The next endpoint may answer better.
 */
function asRefusal(name: string, error: unknown): unknown {
  // By name: a library may run in another realm.
  const isOfLanguage = isNativeError(error) && /^(Type|Range|Syntax)Error$/.test(error.name)
  return isOfLanguage
    ? new ProviderError(`${name}: malformed answer: ${messageOf(error)}`, { cause: error })
    : error
}

/** Resolves once `enough` is true after one of `all` settled; never if it does not become true. */
function firstOf(all: readonly Promise<unknown>[], enough: () => boolean): Promise<void> {
  return new Promise((resolve) => {
    for (const each of all) void each.then(() => enough() && resolve())
  })
}
