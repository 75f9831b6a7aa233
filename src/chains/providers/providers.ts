import { messageOf } from '../../platform/errors.ts'
import { pause } from '../../platform/wait.ts'
import { ProviderError, UnreadableBlockError } from '../chain.ts'
import { type Budget, createBudget, ThrottledError } from './budget.ts'
import { createHealth, type Health } from './health.ts'
import { createSilence, type Silence, type SilenceOptions } from './silence.ts'

/** What is counted about providers; the indexer turns it into metrics. */
export interface ProviderObserver {
  called(provider: string, method: string, outcome: 'ok' | 'throttled' | 'error', seconds: number): void
  /** An answer came and did not hold together: incomplete, of another block, of another fork, of another chain. */
  refused(provider: string): void
  /** An answer was believed, a part of which nothing proves. */
  unproven?(provider: string, what: string): void
}

/** One endpoint of a chain's network. */
export interface Endpoint {
  /** Safe to show: a host, never the whole URL, which often holds a key. */
  name: string
  close(): Promise<void>
}

/** Every request of an endpoint passes here: it waits for the budget, is counted and timed. */
export type Gate = <T>(method: string, request: () => Promise<T>) => Promise<T>

/** It answered for another chain. Whatever else it says is of no use. */
export class WrongChainError extends ProviderError {}

/** What is known of an endpoint, for metrics and logs. */
export interface ProviderState {
  name: string
  /** The breaker: no request goes out before its time is over. */
  open: boolean
  wrongChain: boolean
  /** Milliseconds, by what all are asked alike; null while nothing was measured. */
  score: number | null
  /** Requests per second; Infinity while nothing limits them. */
  rate: number
}

/** Several endpoints of one chain: the best is asked first, the others when it fails. */
export interface Providers<E extends Endpoint> {
  /**
   * Asks until one endpoint gives an answer that `accept` takes.
   * @param accept turns the raw answers into a result; what it throws counts as that endpoint's failure. Null says
   *   that this endpoint does not have it: no failure, but another one may
   * @param only leaves out endpoints that it answers false for
   * @returns null when some endpoint said so and none had it
   * @throws ProviderError with every endpoint's reason, when none could answer
   */
  ask<T>(accept: (endpoint: E) => Promise<T | null>, only?: (name: string) => boolean): Promise<T | null>
  /**
   * Asks all at once and gives what came in; an endpoint that is much slower than the first is not waited for.
   * @param late keeps what such an endpoint says until the next call with the same: for what is asked again and again, so that the quicker
   *   ones are not the only ones that are ever heard
   * @throws ProviderError when all failed
   */
  askAll<T>(accept: (endpoint: E) => Promise<T>, late?: LateAnswers<T>): Promise<T[]>
  /** Makes sure, now, that the endpoints are of this chain. @throws ProviderError when none is */
  verify(): Promise<void>
  readonly names: readonly string[]
  /** What an endpoint tells does not fit what others have, though it answers well: it is left alone for a while, longer each time. */
  doubt(name: string): void
  /** Which of them say nothing; fed by who asks all of them. */
  readonly silence: Silence
  states(): ProviderState[]
  close(): Promise<void>
}

/** What endpoints answered when the others' answers had been taken already, by their place among the providers. */
export interface LateAnswers<T> {
  calls: number
  /** Of each endpoint the newest call that it answered: what it said to an earlier one is no news. */
  heard: Map<number, number>
  answers: Map<number, T>
}

export const createLateAnswers = <T>(): LateAnswers<T> => ({ calls: 0, heard: new Map(), answers: new Map() })

export interface ProvidersOptions<E> {
  observe: ProviderObserver
  /**
   * Asks an endpoint who it is, before its first use, after a rest, and every few minutes.
   * @throws WrongChainError
   */
  identify?: (endpoint: E) => Promise<void>
  silence?: SilenceOptions
  now?: () => number
}

/** How much longer than the first the others may take when all are asked. */
const graceMs = 150
const identifyEveryMs = 300_000
const identifyAfterRestMs = 20_000
const wrongChainRestMs = 30_000
/** A request that the budget would hold back for longer is not sent: another endpoint, or a later try, is better. */
const maxWaitMs = 5000

/** Errors of calls that failed by themselves; any other one is our refusal of what a call answered. */
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
 * @param open opens each endpoint, in the order of preference; the endpoint sends every request through the gate
 */
export function createProviders<E extends Endpoint>(open: readonly ((gate: Gate) => E)[], options: ProvidersOptions<E>): Providers<E> {
  const { observe, identify, silence = { blockMs: 1000 }, now = Date.now } = options
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
    return member
  })

  async function send<T>(member: Member<E>, method: string, request: () => Promise<T>): Promise<T> {
    const { name } = member.endpoint
    const held = () => {
      observe.called(name, method, 'throttled', 0)
      return new ThrottledError(`${name}: ${method}: held back, it takes no more requests now`, member.budget.waitMs())
    }
    const wait = member.budget.take()
    if (wait === null) throw held()
    if (wait > 0) await pause(wait)
    // While it waited, the provider may have complained again.
    if (wait > 0 && member.budget.pausedMs() > 0) throw held()
    const started = now()
    const done = (outcome: 'ok' | 'throttled' | 'error') => observe.called(name, method, outcome, (now() - started) / 1000)
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

  /** Knows who the endpoint is before it is believed. Callers at the same time share one question. */
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
    // Whoever was away for a while may come back as somebody else.
    if (member.health.openUntil() > 0 && now() - member.identifiedAt > identifyAfterRestMs) member.identifiedAt = Number.NEGATIVE_INFINITY
    member.health.began()
    try {
      await identified(member)
      const result = await accept(member.endpoint)
      member.health.succeeded()
      return result
    } catch (error) {
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
   * Those whose budget lets them answer at once before the others; of these the better score, in steps of two so that two
   * that are much alike keep the configured order; those that were not measured yet in their place.
   */
  function ranked(among: readonly Member<E>[]): Member<E>[] {
    const step = (member: Member<E>) => Math.floor(Math.log2(Math.max(1, member.health.score() ?? 1)))
    return [...among].sort((a, b) => a.budget.waitMs() - b.budget.waitMs() || step(a) - step(b) || a.place - b.place)
  }

  /** When all rest, all are better than none: the one first whose rest ends first. */
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
      const message = reasons.map((reason) => reason.message).join('; ') || 'there is no provider to ask'
      throw reasons.some((reason) => reason instanceof UnreadableBlockError) ? new UnreadableBlockError(message) : new ProviderError(message)
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
      const everybody = Promise.all(all)
      await Promise.race([everybody, firstOf(all, () => answers.size > 0).then(() => pause(graceMs))])
      if (answers.size === 0) await everybody
      taken = true
      if (answers.size > 0) {
        for (const [place, answer] of late.answers) if (members[place]?.wrongChainUntil === 0) answers.set(place, answer)
        late.answers.clear()
        return [...answers.values()]
      }
      const foreign = failures.find((failure) => !(failure instanceof ProviderError))
      if (foreign) throw foreign
      throw new ProviderError(failures.map(messageOf).join('; '))
    },
    async verify() {
      for (const member of members) member.identifiedAt = Number.NEGATIVE_INFINITY
      const failures = members.filter((member) => !usable(member)).map(({ endpoint }) => `${endpoint.name}: left alone after failures`)
      await Promise.all(
        members.filter(usable).map((member) => attempt(member, async () => true).catch((error) => void failures.push(messageOf(error)))),
      )
      if (members.every((member) => now() - member.identifiedAt >= identifyEveryMs)) {
        throw new ProviderError(`no provider says who it is: ${failures.join('; ')}`)
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

/** Resolves when, after one of `all` settled, `enough` is true; never when none gets there. */
function firstOf(all: readonly Promise<unknown>[], enough: () => boolean): Promise<void> {
  return new Promise((resolve) => {
    for (const each of all) void each.then(() => enough() && resolve())
  })
}
