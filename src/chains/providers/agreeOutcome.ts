import type { Outcome, SentTransaction, TokenMove } from '../sending.ts'
import { createLateAnswers, type Endpoint, type LateAnswers, type Providers } from './providers.ts'
import { everyAnswer } from './queryEvery.ts'
import { createRemembered, type Remembered } from './remembered.ts'

/** A transfer's outcome by one provider, and the newest height that it had read by then. */
export interface ReportedOutcome {
  outcome: Outcome
  head: number
}

/** The same, with the provider's name. */
export interface Reported extends ReportedOutcome {
  source: string
}

/** The answer of a provider that has pruned the blocks which may include a transfer. */
export const prunedAnswer: ReportedOutcome = { outcome: { status: 'absent' }, head: 0 }

type Included = Extract<Outcome, { status: 'included' }>

const standings = ['seen', 'confirmed', 'final'] as const
const rank = ({ standing }: { standing: (typeof standings)[number] }) => standings.indexOf(standing)

/** More transfers than are reconciled between two checks of one. */
const maxTransfers = 10_000
const lateAnswers = new WeakMap<object, Remembered<LateAnswers<Reported>>>()

/**
 * The agreed outcome of a transfer by several providers. Money may be sent again because of it: before an
 * outcome is final, wait for all providers that answer. Until then the fastest answers suffice; slower ones
 * count at the next check of the transfer.
 * @throws ProviderError if no provider answers
 */
export async function agreedOutcome<E extends Endpoint>(
  providers: Providers<E>,
  transactions: readonly SentTransaction[],
  ask: (endpoint: E) => Promise<ReportedOutcome>,
): Promise<Outcome> {
  const named = async (endpoint: E): Promise<Reported> => ({
    ...(await ask(endpoint)),
    source: endpoint.name,
  })
  const quick = await providers.askAll(named, lateOf(providers, transactions))
  const isOpen = ({ outcome }: ReportedOutcome) =>
    outcome.status === 'absent' || (outcome.status === 'included' && outcome.standing === 'seen')
  if (quick.every(isOpen)) return agree(quick, null)
  const reported = await everyAnswer(providers, named)
  providers.silence.hear(reported.filter(({ head }) => head > prunedAnswer.head))
  return agree(reported, providers.silence.alone())
}

function lateOf(providers: object, transactions: readonly SentTransaction[]): LateAnswers<Reported> {
  const known = lateAnswers.get(providers) ?? createRemembered(maxTransfers)
  lateAnswers.set(providers, known)
  const name = transactions.map(({ txId }) => txId).join()
  const late = known.get(name) ?? createLateAnswers<Reported>()
  known.keep(name, late)
  return late
}

const textOf = (moves: readonly TokenMove[]): string =>
  JSON.stringify(moves.map(({ contract, to, amount }) => [contract, to, String(amount)]))

/**
 * The provider that suffices without another: the only one, or the only one that is not silent; null: two
 * must agree.
 */
export const sufficing = ({
  names,
  silence,
}: Pick<Providers<Endpoint>, 'names' | 'silence'>): string | null =>
  names.length === 1 ? (names[0] ?? null) : silence.alone()

/**
 * The answer that more providers give than any others, and at least two, or the one that suffices.
 * @param alone the provider that suffices @returns null until then
 */
export function agreedBy<T>(
  reports: readonly { source: string; answer: T }[],
  textOf: (answer: T) => string,
  alone: string | null,
): T | null {
  const [backing = [], ...rivals] = [...Map.groupBy(reports, ({ answer }) => textOf(answer)).values()].sort(
    (a, b) => b.length - a.length,
  )
  const isEnough = backing.length > 1 || backing[0]?.source === alone
  return isEnough && backing.length > rivals.flat().length ? (backing[0]?.answer ?? null) : null
}

/**
 * @param reported at least one answer
 * @param alone the provider that suffices because all others are silent; null: two must agree
 */
export function agree(reported: readonly Reported[], alone: string | null): Outcome {
  const included = reported.flatMap(({ outcome, source }) =>
    outcome.status === 'included' ? [{ ...outcome, source }] : [],
  )
  const unminable = reported.flatMap(({ outcome }) => (outcome.status === 'unminable' ? [outcome] : []))
  if (included.length > 0) return agreeOnBlock(reported, included, alone)
  const [weakest] = unminable.sort((a, b) => rank(a) - rank(b))
  const isEnough =
    unminable.length === reported.length && (reported.length > 1 || reported[0]?.source === alone)
  if (!weakest || !isEnough) return { status: 'absent' }
  // The transaction that used the nonce may be the same payment: one provider that knows of it is enough.
  return unminable.some(({ reason }) => reason === 'sequence_used')
    ? { ...weakest, reason: 'sequence_used' }
    : weakest
}

type Named = Included & { source: string }

/**
 * The block that most providers name, at the second highest standing among them. It stays `seen` unless more
 * agree than disagree; providers below its height do not count.
 */
function agreeOnBlock(
  reported: readonly Reported[],
  included: readonly Named[],
  alone: string | null,
): Outcome {
  const same = (a: Included, b: Included) =>
    a.txId === b.txId && a.blockId === b.blockId && a.succeeded === b.succeeded
  const saying = (each: Included) => included.filter((other) => same(each, other))
  const byRank = (a: Included, b: Included) => rank(b) - rank(a)
  const [best] = [...included].sort((a, b) => saying(b).length - saying(a).length || byRank(a, b))
  if (!best) throw new Error('nothing is included')
  const others = reported.filter(
    ({ outcome, head }) =>
      outcome.status === 'unminable' ||
      (outcome.status === 'included' && !same(outcome, best)) ||
      (outcome.status === 'absent' && head >= best.blockHeight),
  )
  const { agreeing, isContested, tokenMoves } = agreeOnMoves(saying(best), alone)
  const [first = best, second] = [...agreeing].sort(byRank)
  const { source: _, ...outcome } = { ...first, ...(tokenMoves !== undefined && { tokenMoves }) }
  if (isContested || agreeing.length <= others.length) return { ...outcome, standing: 'seen' }
  const own = agreeing.find(({ source }) => source === alone)
  return {
    ...outcome,
    standing: standings[Math.max(second ? rank(second) : -1, own ? rank(own) : -1)] ?? 'seen',
  }
}

/**
 * What the transaction moved, by providers that name the same block: as two report it, or the one that
 * suffices. Null where no two do. One that has no report yet agrees with the others about the block alone.
 * Contested unless more report these moves than other ones.
 */
function agreeOnMoves(all: readonly Named[], alone: string | null) {
  const byMoves = [
    ...Map.groupBy(all.filter(hasMoves), ({ tokenMoves }) => textOf(tokenMoves)).values(),
  ].sort((a, b) => b.length - a.length)
  const [backing = [], ...rivals] = byMoves
  const agreeing = all.filter((each) => !rivals.flat().some(({ source }) => source === each.source))
  const isContested = rivals.length > 0 && backing.length <= rivals.flat().length
  const isEnough = !isContested && (backing.length > 1 || backing.some(({ source }) => source === alone))
  const tokenMoves = isEnough ? backing[0]?.tokenMoves : unreportedBy(all)
  return { agreeing, isContested, tokenMoves }
}

const hasMoves = (each: Named): each is Named & { tokenMoves: readonly TokenMove[] } =>
  Array.isArray(each.tokenMoves)
/** Absent where all arrives by rule. */
const unreportedBy = (all: readonly Named[]): null | undefined =>
  all.every(({ tokenMoves }) => tokenMoves === undefined) ? undefined : null
