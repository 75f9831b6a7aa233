import { ProviderError } from './chain.ts'
import { createLateAnswers, type Endpoint, type LateAnswers, type Providers } from './providers/providers.ts'
import { createRemembered, type Remembered } from './remembered.ts'
import type { Outcome, SentTransaction } from './sending.ts'

/** What one provider says became of a transfer, and the newest height that it had read by then. */
export interface ReportedHeights {
  outcome: Outcome
  head: number
}

/** The same, with the provider that said it. */
export interface Heard extends ReportedHeights {
  source: string
}

/** What a provider says that no longer has the blocks in which it could be: nothing. */
export const forgotten: ReportedHeights = { outcome: { status: 'absent' }, head: 0 }

type Included = Extract<Outcome, { status: 'included' }>

const standings = ['seen', 'confirmed', 'final'] as const
const rank = ({ standing }: { standing: (typeof standings)[number] }) => standings.indexOf(standing)

/** Transfers that what came late is kept of: more than are asked about between two looks at one. */
const maxTransfers = 10_000
const lateAnswers = new WeakMap<object, Remembered<LateAnswers<Heard>>>()

/**
 * What several providers say became of a transfer, as one outcome. Money may be sent again on its word, so nothing is final on the word
 * of the fastest alone: before that, everybody who answers at all is heard. Nor does the fastest alone hold it up: who is slower is heard
 * when the transfer is asked about again.
 * @throws ProviderError where nobody answers
 */
export async function agreedOutcome<E extends Endpoint>(
  providers: Providers<E>,
  transactions: readonly SentTransaction[],
  ask: (endpoint: E) => Promise<ReportedHeights>,
): Promise<Outcome> {
  const named = async (endpoint: E): Promise<Heard> => ({ ...(await ask(endpoint)), source: endpoint.name })
  const quick = await providers.askAll(named, lateOf(providers, transactions))
  const isOpen = ({ outcome }: ReportedHeights) => outcome.status === 'absent' || (outcome.status === 'included' && outcome.standing === 'seen')
  if (quick.every(isOpen)) return agree(quick, null)
  const told = await everybody(providers, named)
  providers.silence.hear(told.filter(({ head }) => head > forgotten.head))
  return agree(told, providers.silence.alone())
}

function lateOf(providers: object, transactions: readonly SentTransaction[]): LateAnswers<Heard> {
  const known = lateAnswers.get(providers) ?? createRemembered(maxTransfers)
  lateAnswers.set(providers, known)
  const name = transactions.map(({ txId }) => txId).join()
  const late = known.get(name) ?? createLateAnswers<Heard>()
  known.keep(name, late)
  return late
}

/** What all say that answer, however slow they are. @throws ProviderError when none does */
async function everybody<E extends Endpoint>(providers: Providers<E>, ask: (endpoint: E) => Promise<Heard>): Promise<Heard[]> {
  const asked = await Promise.allSettled(providers.names.map((each) => providers.ask(ask, (name) => name === each)))
  const answers = asked.flatMap((each) => (each.status === 'fulfilled' && each.value !== null ? [each.value] : []))
  const [failure] = asked.flatMap((each) => (each.status === 'rejected' ? [each.reason] : []))
  if (answers.length === 0) throw failure ?? new ProviderError('there is no provider to ask')
  return answers
}

/**
 * @param told at least one
 * @param alone the provider whose word is enough, because all others are silent; null: two must say so
 */
export function agree(told: readonly Heard[], alone: string | null): Outcome {
  const included = told.flatMap(({ outcome, source }) => (outcome.status === 'included' ? [{ ...outcome, source }] : []))
  const gone = told.flatMap(({ outcome }) => (outcome.status === 'gone' ? [outcome] : []))
  if (included.length > 0) return agreeOnBlock(told, included, alone)
  const [weakest] = gone.sort((a, b) => rank(a) - rank(b))
  const isEnough = gone.length === told.length && (told.length > 1 || told[0]?.source === alone)
  if (!weakest || !isEnough) return { status: 'absent' }
  // What used a sequence may be the same payment: one that knows of it is enough.
  return gone.some(({ reason }) => reason === 'sequence_used') ? { ...weakest, reason: 'sequence_used' } : weakest
}

/**
 * The block that most name, as deep as two of them say. It stays `seen` unless more say so than say otherwise; one that has not come so
 * far says nothing.
 */
function agreeOnBlock(told: readonly Heard[], all: readonly (Included & { source: string })[], alone: string | null): Outcome {
  const included = all.map(({ source: _, ...outcome }) => outcome)
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
  if (saying(best).length <= others.length) return { ...best, standing: 'seen' }
  const [, second = -1] = saying(best)
    .map(rank)
    .sort((a, b) => b - a)
  const own = all.find((each) => each.source === alone && same(each, best))
  return { ...best, standing: standings[Math.max(second, own ? rank(own) : -1)] ?? 'seen' }
}
