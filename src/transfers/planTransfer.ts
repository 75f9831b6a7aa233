import type { Action, TransferSpec } from '../chains/action.ts'
import type { Chain, ConfiguredChain } from '../chains/registry.ts'
import {
  type ActionPlan,
  ActionRefusedError,
  type ActionSender,
  RecipientNotReadyError,
  type Shortage,
} from '../chains/sending.ts'
import { asUnavailable } from '../chains/unavailable.ts'
import { formatUnits } from '../money/amount.ts'
import type { Queryable } from '../platform/database/db.ts'
import { ApiError } from '../platform/errors.ts'
import { SenderShortageError } from '../txmgr/assignNonce.ts'
import type { SendingChain } from '../txmgr/context.ts'
import { feeLimits } from '../txmgr/fees/feeLimits.ts'
import { feeTooHigh, shortageError, shortageMessage } from '../txmgr/requestSignature.ts'

/**
 * Plans a transfer, or calls, under the present conditions of its chain.
 * @throws ApiError 422 with the reason why not; 503 `chain_unavailable`
 */
export async function planTransfer(
  { sender, chain }: { sender: Pick<ActionSender, 'plan'>; chain: Pick<Chain, 'name'> },
  action: Action,
): Promise<ActionPlan> {
  return sender.plan(action).catch((error) => {
    throw asApiError(chain.name, error)
  })
}

/**
 * As `planTransfer`, for a transfer that is planned again before it is signed: it may wait for its recipient.
 */
export async function planQueued(
  { sender, chain }: Pick<SendingChain, 'sender' | 'chain'>,
  transfer: TransferSpec,
): Promise<ActionPlan> {
  return sender.plan(transfer).catch((error) => {
    if (error instanceof RecipientNotReadyError) return error.plan
    throw asApiError(chain.name, error)
  })
}

/**
 * The next nonce of an address; undefined if the chain has no nonces. @throws ApiError as `planTransfer` does
 */
export async function nextNonce(
  { sender, chain }: { sender: Pick<ActionSender, 'nextNonce'>; chain: Pick<Chain, 'name'> },
  address: string,
): Promise<bigint | undefined> {
  return sender.nextNonce?.(address).catch((error) => {
    throw asApiError(chain.name, error)
  })
}

/** Maps an error of a chain to the API's. */
export function asApiError(chain: string, error: unknown): unknown {
  if (error instanceof SenderShortageError) return unaffordable(error.shortage)
  if (!(error instanceof ActionRefusedError)) return asUnavailable(chain, error)
  const { reason, publicText: message, field } = error
  return new ApiError(422, reason, message, field === null ? {} : { fields: [{ field, message }] })
}

/** @throws ApiError 422 `insufficient_balance` or `insufficient_native_balance`, with how much is missing */
export function requireAffordable(plan: ActionPlan): void {
  const [shortage] = plan.shortages
  if (shortage) throw unaffordable(shortage)
}

export const unaffordable = (shortage: Shortage) =>
  new ApiError(422, shortageError[shortage.kind], shortageMessage(shortage), {
    missing: presentShortage(shortage),
  })

/**
 * A fee above the ceiling means a wrong answer of a node, or a time to wait. @throws ApiError 422
 * `fee_too_high`
 */
export async function requireSensibleFee(
  { db }: { db: Queryable },
  chain: ConfiguredChain,
  { fee }: Pick<ActionPlan, 'fee'>,
): Promise<void> {
  const { ceiling } = await feeLimits(db, chain)
  if (fee.max > ceiling) throw new ApiError(422, 'fee_too_high', feeTooHigh(chain, ceiling, fee.max))
}

/** A shortage as the API shows it. */
export function presentShortage({ symbol, decimals, required, available }: Shortage) {
  const show = (amount: bigint) => formatUnits(amount, decimals)
  return { symbol, missing: show(required - available), required: show(required), available: show(available) }
}
