import type { ActionSender } from '../sending.ts'
import { broadcastTransfer } from './broadcastTransfer.ts'
import { planCall } from './planCall.ts'
import { type PlanContext, planTransfer } from './planTransfer.ts'
import { transferOutcome } from './transferOutcome.ts'

/** Sends through java-tron's HTTP API. Transactions have no nonce: those of one address are in no order. */
export function tronTransferSender(ctx: PlanContext): ActionSender {
  return {
    plan: (action) => (action.kind === 'calls' ? planCall(ctx, action) : planTransfer(ctx, action)),
    broadcast: (transaction) => broadcastTransfer(ctx.providers, transaction),
    outcome: (_from, transactions) => transferOutcome(ctx, transactions),
  }
}
