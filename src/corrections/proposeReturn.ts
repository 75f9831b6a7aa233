import type { Actor } from '../audit/recordAudit.ts'
import type { MemoRequest } from '../chains/readMemo.ts'
import type { Chain } from '../chains/registry.ts'
import { requireKnownChain } from '../chains/requireChain.ts'
import { readRecipient } from '../destinations/readDestination.ts'
import { refuseOwnAddress } from '../destinations/refuseOwnAddress.ts'
import { holderOn } from '../outflows/outflowEntries.ts'
import type { Db } from '../platform/database/db.ts'
import { notFound } from '../platform/errors.ts'
import { isUuid } from '../platform/ids.ts'
import { chainAssetIn } from '../statements/assets.ts'
import { heldInSuspense } from './assignSuspense.ts'
import type { AdjustmentView } from './listAdjustments.ts'
import { notInSuspense, storeProposal } from './proposeAdjustment.ts'

/**
 * Proposes to send a payment in suspense back to an address, which another operator has to approve.
 * @throws ApiError 400 naming each wrong field; 404; 409 `not_in_suspense`; 422 `own_address`,
 * `recipient_is_token`, `recipient_without_key`
 */
export async function proposeReturn(
  ctx: { db: Db; chains: readonly Chain[] },
  actor: Actor,
  operatorId: string,
  paymentId: string,
  { toAddress, reason, ...memo }: MemoRequest & { toAddress: string; reason: string },
): Promise<AdjustmentView> {
  return ctx.db.tx(async (tx) => {
    const held = isUuid(paymentId) ? await heldInSuspense(tx, paymentId) : 'unknown'
    if (held === 'unknown') throw notFound('Payment')
    if (held === null) throw notInSuspense()
    const { chain: name } = chainAssetIn(ctx, held.asset)
    const chain = ctx.chains.find((each) => each.name === name) ?? requireKnownChain(name)
    const to = readRecipient(chain, { ...memo, address: toAddress }, 'toAddress')
    await refuseOwnAddress(tx, chain.family, to.address, 'toAddress')
    const proposal = {
      ...held,
      businessId: null,
      debit: 'suspense',
      credit: holderOn(chain.name),
      reason,
      suspensePayment: paymentId,
      to,
    }
    return storeProposal(ctx, tx, actor, operatorId, proposal)
  })
}
