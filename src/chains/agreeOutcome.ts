import { ProviderError } from './chain.ts'
import { createLateAnswers, type Endpoint, type LateAnswers, type Providers } from './providers/providers.ts'
import { createRemembered, type Remembered } from './remembered.ts'
import type { Outcome, SentTransaction } from './sending.ts'

/** What one provider says became of a transfer, and the newest height that it had read by then. */
export interface Told {
  outcome: Outcome
  head: number
}

/** What a provider says that no longer has the blocks in which it could be: nothing. */
export const forgotten: Told = { outcome: { status: 'absent' }, head: 0 }

type Included = Extract<Outcome, { status: 'included' }>

const standings = ['seen', 'confirmed', 'final'] as const
const rank = ({ standing }: { standing: (typeof standings)[number] }) => standings.indexOf(standing)

/** Transfers that what came late is kept of: more than are asked about between two looks at one. */
const mostTransfers = 10_000
const lateAnswers = new WeakMap<object, Remembered<LateAnswers<Told>>>()

/**
 * What several providers say became of a transfer, as one outcome. Money may be sent again on its word, so nothing is final on the word
 * of the fastest alone: before that, everybody who answers at all is heard. Nor does the fastest alone hold it up: who is slower is heard
 * when the transfer is asked about again.
 * @throws ProviderError where nobody answers
 */
export async function agreedOutcome<E extends Endpoint>(
  providers: Providers<E>,
  transactions: readonly SentTransaction[],
  ask: (endpoint: E) => Promise<Told>,
): Promise<Outcome> {
  const quick = agree(await providers.askAll(ask, lateOf(providers, transactions)))
  const isOpen = quick.status === 'absent' || (quick.status === 'included' && quick.standing === 'seen')
  return isOpen ? quick : agree(await everybody(providers, ask))
}

function lateOf(providers: object, transactions: readonly SentTransaction[]): LateAnswers<Told> {
  const known = lateAnswers.get(providers) ?? createRemembered(mostTransfers)
  lateAnswers.set(providers, known)
  const name = transactions.map(({ txId }) => txId).join()
  const late = known.get(name) ?? createLateAnswers<Told>()
  known.keep(name, late)
  return late
}

/** What all say that answer, however slow they are. @throws ProviderError when none does */
async function everybody<E extends Endpoint>(providers: Providers<E>, ask: (endpoint: E) => Promise<Told>): Promise<Told[]> {
  const asked = await Promise.allSettled(providers.names.map((each) => providers.ask(ask, (name) => name === each)))
  const answers = asked.flatMap((each) => (each.status === 'fulfilled' && each.value !== null ? [each.value] : []))
  const [failure] = asked.flatMap((each) => (each.status === 'rejected' ? [each.reason] : []))
  if (answers.length === 0) throw failure ?? new ProviderError('there is no provider to ask')
  return answers
}

/** @param told at least one */
export function agree(told: readonly Told[]): Outcome {
  const included = told.flatMap(({ outcome }) => (outcome.status === 'included' ? [outcome] : []))
  const gone = told.flatMap(({ outcome }) => (outcome.status === 'gone' ? [outcome] : []))
  if (included.length > 0) return agreeOnBlock(told, included)
  const [weakest] = gone.sort((a, b) => rank(a) - rank(b))
  return weakest && gone.length === told.length ? weakest : { status: 'absent' }
}

/** The block that most name. It stays `seen` unless more say so than say otherwise; one that has not come so far says nothing. */
function agreeOnBlock(told: readonly Told[], included: readonly Included[]): Outcome {
  const same = (a: Included, b: Included) => a.txId === b.txId && a.blockId === b.blockId && a.succeeded === b.succeeded
  const saying = (each: Included) => included.filter((other) => same(each, other))
  const [best] = [...included].sort((a, b) => saying(b).length - saying(a).length || rank(b) - rank(a))
  if (!best) throw new Error('nothing is included')
  const others = told.filter(
    ({ outcome, head }) =>
      outcome.status === 'gone' ||
      (outcome.status === 'included' && !same(outcome, best)) ||
      (outcome.status === 'absent' && head >= best.blockHeight),
  )
  return saying(best).length > others.length ? best : { ...best, standing: 'seen' }
}
