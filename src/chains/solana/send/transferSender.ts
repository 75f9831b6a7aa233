import type { ActionSender } from '../../sending.ts'
import { broadcastTransfer } from './broadcastTransfer.ts'
import { planCalls } from './planCalls.ts'
import { planTransfer } from './planTransfer.ts'
import type { SolanaSenderContext } from './senderContext.ts'
import { transferOutcome } from './transferOutcome.ts'

/** Solana transactions have no nonce: each expires at the last height of its blockhash. */
export const solanaTransferSender = (ctx: SolanaSenderContext): ActionSender => ({
  plan: (action) => (action.kind === 'calls' ? planCalls(ctx, action) : planTransfer(ctx, action)),
  broadcast: (transaction) => broadcastTransfer(ctx, transaction),
  outcome: (_from, transactions) => transferOutcome(ctx, transactions),
})
