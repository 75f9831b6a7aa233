import { startChild } from '../../bench/child.ts'
import type { Behaviour } from './receivers/answers.ts'
import type { Order, Report } from './receivers/main.ts'

/** Receivers of many endpoints, healthy until they are told otherwise, in a process that nothing else disturbs. */
export interface Receivers {
  urlOf(name: string): string
  behave(behaviours: Record<string, Behaviour>): Promise<unknown>
  /** Tells the secrets that deliveries are signed with. */
  know(secrets: Record<string, string>): Promise<unknown>
  /** What came so far. `anew`: what has ended is not reported again. */
  report(options?: { anew: boolean }): Promise<Report>
  close(): Promise<void>
}

/** @param seed of the moody ones */
export async function startReceivers(seed = 1): Promise<Receivers> {
  const child = startChild(new URL('./receivers/main.ts', import.meta.url), { SEED: String(seed) })
  const { url } = await child.next<{ url: string }>()
  // Answers have no names: one question after the other.
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
    report: ({ anew } = { anew: false }) => ask<Report>({ kind: 'report', anew }),
    close: () => child.close(),
  }
}
