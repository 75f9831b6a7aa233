import { type Chain, tokenOf } from '../chains/registry.ts'
import { rescale } from '../money/amount.ts'
import { chainOf, decimalsOf, type PresentContext } from './present.ts'
import type { Payment } from './settle.ts'
import type { StoredSession } from './storedSession.ts'

/**
 * What the confirmed payments of a session count for where a person accepts them: late ones, and those in
 * another accepted token or on another chain, a stablecoin unit for a stablecoin unit. Bridged tokens and
 * coins count for nothing.
 * @returns base units of the session's token
 */
export function confirmedWorth(
  context: Pick<PresentContext, 'chains'>,
  session: Pick<StoredSession, 'chain' | 'token'>,
  payments: readonly Pick<Payment, 'chain' | 'token' | 'amount' | 'status'>[],
): bigint {
  const scale = decimalsOf(context, session.chain, session.token)
  return payments.reduce((total, payment) => {
    const token = payment.status === 'confirmed' && tokenOf(chainOf(context, payment.chain), payment.token)
    return token ? total + rescale({ value: payment.amount, scale: token.decimals }, scale, 'down') : total
  }, 0n)
}

/** Nothing of what was accepted is missing. */
export const isStillAccepted = (
  context: { chains: readonly Chain[] },
  session: Pick<StoredSession, 'chain' | 'token' | 'amountAccepted'>,
  payments: readonly Payment[],
): boolean =>
  session.amountAccepted !== null &&
  confirmedWorth(context, session, payments) >= BigInt(session.amountAccepted)
