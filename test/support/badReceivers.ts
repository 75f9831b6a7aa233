import { startChild } from '../../bench/child.ts'
import type { Behaviour } from './receivers/answers.ts'
import type { Order, Report } from './receivers/main.ts'

/** Receivers of many endpoints, healthy until configured otherwise, in a process of their own. */
export interface Receivers {
  urlOf(name: string): string
  behave(behaviours: Record<string, Behaviour>): Promise<unknown>
  /** Sets the secrets that deliveries are signed with. */
  know(secrets: Record<string, string>): Promise<unknown>
  /** Requests so far. `forgetEnded`: forgets requests that have ended. */
  report(options?: { forgetEnded: boolean }): Promise<Report>
  close(): Promise<void>
}

/** @param seed of the random receivers */
export async function startReceivers(seed = 1): Promise<Receivers> {
  const child = startChild(new URL('./receivers/main.ts', import.meta.url), { SEED: String(seed) })
  const { url } = await child.next<{ url: string }>()
  // Answers carry no ids: one request after another.
  let last: Promise<unknown> = Promise.resolve()
  const ask = <Answer>(order: Order): Promise<Answer> => {
    const answer = last.then(() => child.ask<Answer>(order))
    last = answer.catch(() => {})
    return answer
  }
  return {
    urlOf: (name) => `${url}/${name}`,
    behave: (behaviours) => ask({ kind: 'behave', behaviours }),
    know: (secrets) => ask({ kind: 'know', secrets }),
    report: ({ forgetEnded } = { forgetEnded: false }) => ask<Report>({ kind: 'report', forgetEnded }),
    close: () => child.close(),
  }
}
