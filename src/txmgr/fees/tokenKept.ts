import { type Action, type Flow, flowsOf } from '../../chains/action.ts'
import type { Outcome, TokenMove } from '../../chains/sending.ts'
import { formatUnits, sumOf } from '../../money/amount.ts'
import type { Intent } from '../intents.ts'

type Included = Extract<Outcome, { status: 'included' }>

/**
 * What tokens kept of an action in a block: by how much less each recipient got than was sent to it.
 * @returns null: not known; empty if all has arrived
 */
export function tokenKept(action: Action, { tokenMoves }: Pick<Included, 'tokenMoves'>): Flow[] | null {
  const sent = arrivals(action)
  if (sent.length === 0 || tokenMoves === undefined) return []
  return tokenMoves && sent.flatMap((flow) => shortOf(flow, tokenMoves))
}

/**
 * What reached the recipients of calls, which may be more than they had to bring.
 * @returns null: not known, or no tokens were to reach any
 */
export function receivedBy(action: Action, { tokenMoves }: Pick<Included, 'tokenMoves'>): Flow[] | null {
  const expected = action.kind === 'calls' ? arrivals(action) : []
  if (expected.length === 0 || !tokenMoves) return null
  return expected
    .map((flow) => ({ ...flow, amount: arrivedOf(flow, tokenMoves) }))
    .filter(({ amount }) => amount > 0n)
}

/** What reaches each address of each token. What an address sends to itself is no arrival. */
function arrivals(action: Action): TokenFlow[] {
  const tokens = flowsOf(action).receives.filter((flow): flow is TokenFlow => flow.token !== null)
  const others = action.kind === 'transfer' ? tokens.filter(({ address }) => address !== action.from) : tokens
  const byPlace = Map.groupBy(others, ({ address, token }) => `${address} ${token.contract}`)
  return [...byPlace.values()].flatMap(([first, ...more]) =>
    first ? [{ ...first, amount: sumOf([first, ...more]) }] : [],
  )
}
type TokenFlow = Flow & { token: NonNullable<Flow['token']> }

function shortOf(flow: TokenFlow, moves: readonly TokenMove[]): Flow[] {
  const arrived = arrivedOf(flow, moves)
  return arrived < flow.amount ? [{ ...flow, amount: flow.amount - arrived }] : []
}

const arrivedOf = ({ address, token }: TokenFlow, moves: readonly TokenMove[]): bigint =>
  sumOf(moves.filter(({ contract, to }) => contract === token.contract && to === address))

/** As transfers, payouts and refunds show it, in whole coins. */
export interface Arrived {
  amountReceived: string
  tokenFee: string
}

/**
 * What the recipient of a confirmed transfer got, and what its token kept of it; null: not known, no
 * transfer, or the recipient has yet to claim it.
 */
export function presentArrived({
  status,
  action,
  decimals,
  tokenKept: kept,
  claimableSequence,
}: Transferred): Arrived | null {
  if (claimableSequence !== null) return null
  if (status !== 'confirmed' || kept === null || action.kind !== 'transfer' || decimals === null) return null
  const missing = sumOf(kept)
  return {
    amountReceived: formatUnits(action.amount - missing, decimals),
    tokenFee: formatUnits(missing, decimals),
  }
}
type Transferred = Pick<Intent, 'status' | 'action' | 'decimals' | 'tokenKept' | 'claimableSequence'>
