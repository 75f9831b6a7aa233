import { type Actor, recordAudit } from '../audit/recordAudit.ts'
import { addressCodec } from '../chains/codecs.ts'
import type { MemoRequest } from '../chains/readMemo.ts'
import { type ConfiguredChain, knownChain } from '../chains/registry.ts'
import { requireChain } from '../chains/requireChain.ts'
import { tokenDecimals } from '../chains/tokenDecimals.ts'
import { readRecipient } from '../destinations/readDestination.ts'
import { refuseOwnAddress } from '../destinations/refuseOwnAddress.ts'
import { formatUnits } from '../money/amount.ts'
import { moveOutflow } from '../outflows/moveOutflow.ts'
import { lockOutflow, type Outflow, readOutflows } from '../outflows/outflow.ts'
import type { OutflowEventContext } from '../outflows/outflowEvents.ts'
import { isGivenBackThere, reversedReason } from '../outflows/outflowSource.ts'
import { requestOutflowApproval } from '../outflows/requestOutflowApproval.ts'
import { setTarget } from '../outflows/setTarget.ts'
import type { OutflowMaker } from '../outflows/storeOutflow.ts'
import type { Db, Queryable } from '../platform/database/db.ts'
import { ApiError, notFound } from '../platform/errors.ts'
import { failpoint } from '../platform/failpoints.ts'
import { hashOfClaimToken } from './claimToken.ts'

interface Claim {
  outflowId: string
  expiresAt: Date
  isOver: boolean
}

/** @throws ApiError 404 for a token that was never made */
async function findClaim(db: Queryable, token: string): Promise<Claim> {
  const [claim] = await db.query<Claim>(
    `select outflow_id as "outflowId", claim_expires_at as "expiresAt", claim_expires_at <= now() as "isOver" from refunds where claim_hash = $1`,
    [hashOfClaimToken(token)],
  )
  if (!claim) throw notFound('Refund')
  return claim
}

/**
 * The answer is the same for a link that was used, has expired, or was cancelled. A link to money that a fork
 * took away reports that, whether its session is settled or not.
 * @throws ApiError 410 `claim_over`, `payment_reversed`
 */
async function requireOpen(
  db: Queryable,
  outflow: Outflow | undefined | null,
  { isOver }: Claim,
): Promise<Outflow> {
  if (outflow?.status === 'cancelled' && outflow.reason === reversedReason) throw reversed()
  if (outflow?.status !== 'awaiting_claim' || isOver)
    throw new ApiError(410, 'claim_over', 'This link can no longer be used')
  if (!(await isGivenBackThere(db, outflow))) throw reversed()
  return outflow
}

const reversed = () =>
  new ApiError(
    410,
    reversedReason,
    'The network has taken back the payment that this refund gives back: there is nothing to refund',
  )

/** What the link of a refund shows. @throws ApiError 404; 410 `claim_over`, `payment_reversed` */
export async function readClaim({ db }: { db: Queryable }, token: string) {
  const claim = await findClaim(db, token)
  const [found] = await readOutflows(db, 'id = $1', [claim.outflowId])
  const outflow = await requireOpen(db, found, claim)
  const [business] = await db.query<{ name: string }>('select name from businesses where id = $1', [
    outflow.businessId,
  ])
  return { merchant: business?.name ?? '', ...moneyOf(outflow), expiresAt: claim.expiresAt.toISOString() }
}

const moneyOf = ({ chain, token, amount }: Outflow) => ({
  amount: formatUnits(amount, tokenDecimals(chain, token)),
  token,
  chain,
  takesMemo: knownChain(chain)?.family === 'stellar',
})

/**
 * Names the address of a refund, once: the api proves it, and a worker may send it.
 * @throws ApiError 400 naming each wrong field; 404; 410 `claim_over`, `payment_reversed`; 422 `own_address`,
 * `recipient_is_token`,
 *   `recipient_without_key`
 */
export async function claimRefund(
  ctx: OutflowEventContext & { db: Db; chains: readonly ConfiguredChain[]; maker: OutflowMaker },
  actor: Actor,
  { token, toAddress, ...memo }: MemoRequest & { token: string; toAddress: string },
) {
  const answer = await ctx.db.tx(async (tx) => {
    const claim = await findClaim(tx, token)
    const outflow = await requireOpen(tx, await lockOutflow(tx, claim.outflowId), claim)
    const chain = requireChain(ctx, outflow.chain)
    const to = readRecipient(chain, { ...memo, address: toAddress }, 'toAddress')
    await refuseOwnAddress(tx, chain.family, to.address, 'toAddress')
    const wallet = { chain: chain.name, token: outflow.token, amount: outflow.amount, ...to }
    const named = await setTarget(ctx.maker, tx, outflow, wallet)
    await moveOutflow(ctx, tx, named, {
      status: named.needsApproval ? 'awaiting_approval' : 'pending',
      nextInMs: 0,
    })
    // Requested now: the second owner sees where it goes.
    if (named.needsApproval) await requestOutflowApproval(tx, named)
    await tx.query("select pg_notify('cowry_payouts', '')")
    const shown = {
      toAddress: addressCodec(chain.family).display(to.address),
      memo: to.memo?.value ?? null,
      memoType: to.memo?.type ?? null,
    }
    const { businessId, id: target } = outflow
    const after = { toAddress: shown.toAddress, ...(shown.memo !== null && { memo: shown.memo }) }
    await recordAudit(
      tx,
      { ...actor, label: 'customer' },
      { businessId, action: 'refund.claimed', target, after },
    )
    return { ...moneyOf(outflow), ...shown }
  })
  failpoint('api.refund-claimed')
  return answer
}
