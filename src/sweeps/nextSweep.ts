import type { AuthorizationState, SweepPayer } from '../chains/sweeping.ts'
import type { IntentStatus } from '../txmgr/intents.ts'

/**
 * `planned`: to be prepared. `waiting`: it costs too much for now. `funding`: gas is on its way to its
 * address. `authorizing`: the treasury is to sign an authorization. `ready`: to be sent. `sending`: an intent
 * moves it. `swept`: that is in a confirmed block. `done`: that is final. `failed`: the address is planned
 * again.
 */
export type SweepStatus =
  | 'planned'
  | 'waiting'
  | 'funding'
  | 'authorizing'
  | 'ready'
  | 'sending'
  | 'swept'
  | 'done'
  | 'failed'

export interface KnownSweep {
  status: SweepStatus
  payer: SweepPayer
  needsAuthorization: boolean
  tries: number
}

export interface IntentFacts {
  status: IntentStatus
  /** Nothing can change any more. */
  settled: boolean
  reason: string | null
}

/** What is known now. */
export interface SweepFacts {
  /** The newest intents that fund it and move it; null: not stored yet. */
  gas: IntentFacts | null
  intent: IntentFacts | null
  /** An earlier intent of it is in a block: nodes had refused it, or reported that it could not come. */
  earlier: IntentFacts | null
  /** The treasury has signed an authorization that is still valid. */
  isAuthorized: boolean
  /** On the chain, where its intent has failed: another sender may have used what it carried. */
  authorization: AuthorizationState
  /** Its address has the native coin for its fee. */
  hasGas: boolean
}

export interface NextSweep {
  status: SweepStatus
  /** `fund`, `send`: store an intent. `book`: another sender has moved it, so no intent books it. */
  act: 'fund' | 'send' | 'book' | 'wait'
  tries: number
  reason: string | null
}

/** Gas is funded again where the price rises; an intent fails where a node's state was old. */
export const maxTries = 3

/**
 * The state machine of a sweep. Level-triggered: it depends on what is true now, so that a fork leads back.
 */
export function nextSweep(known: KnownSweep, facts: SweepFacts): NextSweep {
  const { status, tries } = known
  const to = (next: SweepStatus, act: NextSweep['act'] = 'wait'): NextSweep => ({
    status: next,
    act,
    tries,
    reason: null,
  })
  switch (status) {
    case 'planned':
      return prepared(known, facts, to)
    case 'authorizing':
      // Not sent at once: others that become ready meanwhile go with it.
      return to(facts.isAuthorized ? 'ready' : 'authorizing')
    case 'funding':
      return afterFunding(known, facts, to)
    case 'ready':
      return known.needsAuthorization && !facts.isAuthorized ? to('authorizing') : to('ready', 'send')
    case 'sending':
    case 'swept':
      return afterSending(known, facts, to)
    default:
      return to(status)
  }
}

type To = (next: SweepStatus, act?: NextSweep['act']) => NextSweep

function prepared(
  { payer, needsAuthorization }: KnownSweep,
  { isAuthorized, hasGas }: SweepFacts,
  to: To,
): NextSweep {
  if (payer === 'deposit') return hasGas ? to('ready', 'send') : to('funding', 'fund')
  return to(needsAuthorization && !isAuthorized ? 'authorizing' : 'ready')
}

function afterFunding(known: KnownSweep, { gas, hasGas }: SweepFacts, to: To): NextSweep {
  if (!gas) return to('planned')
  if (gas.status === 'confirmed') return hasGas ? to('ready', 'send') : again(known, 'gas_too_low', 'planned')
  return isOver(gas) ? again(known, gas.reason ?? gas.status, 'planned') : to('funding')
}

function afterSending(known: KnownSweep, { intent, earlier, authorization }: SweepFacts, to: To): NextSweep {
  // Any of its intents in a block has moved it: the authorization of one that failed was used by an
  // earlier one.
  const moved = [intent, earlier].find((each) => each?.status === 'confirmed')
  if (moved) return to(moved.settled ? 'done' : 'swept')
  if (!intent) return to('ready')
  if (!isOver(intent)) return to('sending')
  // Anyone who reads an authorization in a waiting transaction may send it first. It moves to the treasury
  // all the same.
  if (authorization !== 'unused') return authorization === 'final' ? to('done', 'book') : to('sending')
  // Its authorization is still valid. Others are planned again, with the amount that is there then.
  return again(known, intent.reason ?? intent.status, known.needsAuthorization ? 'ready' : null)
}

/** Until it is settled, a transaction of it may still be mined. */
const isOver = ({ status, settled }: IntentFacts): boolean =>
  settled && (status === 'failed' || status === 'expired')

const again = ({ tries }: KnownSweep, reason: string, status: SweepStatus | null): NextSweep => ({
  status: status !== null && tries + 1 < maxTries ? status : 'failed',
  act: 'wait',
  tries: tries + 1,
  reason,
})
