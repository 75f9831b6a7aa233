import { type ActionSender, transferOnly } from '../sending.ts'
import { broadcastTransfer } from './broadcastTransfer.ts'
import { planTransfer } from './planTransfer.ts'
import type { SolanaSenderContext } from './senderContext.ts'
import { transferOutcome } from './transferOutcome.ts'

/** Solana transactions have no nonce: each expires at the last height of its blockhash. */
export const solanaTransferSender = (ctx: SolanaSenderContext): ActionSender => ({
  plan: async (action) => planTransfer(ctx, transferOnly(action)),
  broadcast: (transaction) => broadcastTransfer(ctx, transaction),
  outcome: (_from, transactions) => transferOutcome(ctx, transactions),
})
