import { formatUnits } from '../chains/amount.ts'
import type { ConfiguredChain } from '../chains/registry.ts'
import { type Shortage, TransferRefused } from '../chains/sending.ts'
import { failpoint } from '../platform/failpoints.ts'
import { approvalHold } from './approvalHold.ts'
import type { OutgoingContext, SendingChain } from './context.ts'
import { failOutgoing } from './failOutgoing.ts'
import { isHeld } from './hold.ts'
import { liveOf, lockOutgoing, type Outgoing, readTransactions, requestTransaction } from './outgoing.ts'
import { isPaused } from './pause.ts'
import { askAddress, SenderShort, takeSequence } from './takeSequence.ts'

/** What a shortage is called, wherever it is told. Stable. */
export const shortageError = { token: 'insufficient_balance', native: 'insufficient_native_balance' } as const

/** A shortage in words. */
export function shortageMessage({ symbol, decimals, required, available }: Shortage): string {
  const show = (amount: bigint) => formatUnits(amount, decimals)
  return `The sender lacks ${show(required - available)} ${symbol}: ${show(required)} is needed, ${show(available)} is there`
}

/** A fee beyond what the chain's transactions may cost, in words. */
export function feeTooHigh({ name, native, maxFee }: Pick<ConfiguredChain, 'name' | 'native' | 'maxFee'>, fee: bigint): string {
  const show = (amount: bigint) => formatUnits(amount, native.decimals)
  return `The fee may be ${show(fee)} ${native.symbol}; on ${name} ${show(maxFee)} is allowed`
}

/**
 * Asks the chain for the terms of an intent that nobody has signed yet, gives it a sequence where the chain has them, and asks the
 * treasury to sign. An intent that the chain would not carry out has failed: nothing was sent.
 */
export async function wantTransaction(ctx: OutgoingContext, sending: SendingChain, row: Outgoing): Promise<void> {
  const { sender, builder, chain } = sending
  if (row.signer !== 'wallet' || (await isPaused(ctx.db, row.chain)) || (await isHeld(ctx, ctx.db, row.businessId))) return
  const hold = await approvalHold(ctx.db, row)
  if (hold) return hold.fails ? fail(ctx, row, hold.fails.reason, hold.fails.message) : undefined
  const plan = await sender.plan(row.intent).catch((error) => {
    if (error instanceof TransferRefused) return error
    throw error
  })
  if (plan instanceof TransferRefused) return fail(ctx, row, plan.reason, plan.message)
  const [shortage] = plan.shortages
  if (shortage) return fail(ctx, row, shortageError[shortage.kind], shortageMessage(shortage))
  // The treasury would take it for an intrusion.
  if (builder.maxFee(plan.terms) > chain.maxFee) return fail(ctx, row, 'fee_too_high', feeTooHigh(chain, builder.maxFee(plan.terms)))
  const address = await askAddress(sending, row.intent)
  const taken = ctx.db.tx(async (tx) => {
    const now = await lockOutgoing(tx, row.id)
    if (now?.looks !== row.looks || now.status !== 'created' || liveOf(await readTransactions(tx, row.id)).length > 0) return
    // A suspension may have come while the chain was asked, or an approver been removed.
    if (await isHeld(ctx, tx, row.businessId)) return
    if (await approvalHold(tx, now)) return
    const sequence = await takeSequence(tx, sending, row, plan.terms, address)
    await requestTransaction(tx, row, { sequence, terms: plan.terms }, ctx.prover)
  })
  const short = await taken.then(
    () => null,
    (error) => {
      if (error instanceof SenderShort) return error.shortage
      throw error
    },
  )
  if (short) return fail(ctx, row, shortageError[short.kind], shortageMessage(short))
  failpoint('outgoing.planned')
}

async function fail(ctx: OutgoingContext, row: Outgoing, reason: string, message: string): Promise<void> {
  await ctx.db.tx(async (tx) => {
    const now = await lockOutgoing(tx, row.id)
    if (now?.looks !== row.looks || now.status !== 'created' || liveOf(await readTransactions(tx, row.id)).length > 0) return
    await failOutgoing(ctx, tx, now, reason, message)
  })
  ctx.observe('failed', row.chain)
}
