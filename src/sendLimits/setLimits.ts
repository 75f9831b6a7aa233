import { isDeepStrictEqual } from 'node:util'
import { askChange, type WaitingChange } from '../approvals/askApproval.ts'
import type { Decided } from '../approvals/decideApproval.ts'
import { hasSecondOwner } from '../approvals/secondOwner.ts'
import { type Actor, accountOf, recordAudit } from '../audit/recordAudit.ts'
import { formatUnits, parseUnits } from '../chains/amount.ts'
import { readAddress } from '../chains/readAddress.ts'
import type { SentMemoType } from '../chains/readMemo.ts'
import { readMemo } from '../chains/readMemo.ts'
import { type ConfiguredChain, tokenOf } from '../chains/registry.ts'
import { tooManyDecimals } from '../chains/requireAmount.ts'
import { requireChain } from '../chains/requireChain.ts'
import { lockBusiness } from '../members/lockBusiness.ts'
import type { Db, Tx } from '../platform/db.ts'
import { type FieldError, invalidBody } from '../platform/errors.ts'
import { type AmountLimit, asksApproval, type Destination, loosens, type SendLimits } from './limits.ts'
import { lockLimits, readLimits, type Subject } from './readLimits.ts'

interface LimitsContext {
  db: Db
  chains: readonly ConfiguredChain[]
}

/** The change that a second owner is asked to approve. */
interface WantedLimits {
  kind: Subject['kind']
  id: string
  before: SendLimits
  limits: SendLimits
}

/**
 * Sets the limits of a wallet or a key; both null: no limits. Where transfers need a second owner's approval, so do looser limits: otherwise one
 * owner could remove the limit, and send.
 * @param only the one chain of a wallet
 * @returns the current limits, and the approval that is waiting for a second owner
 * @throws ApiError 400 that names the field
 */
export async function setLimits(
  ctx: LimitsContext,
  actor: Actor,
  { businessId, subject, only }: { businessId: string; subject: Subject; only: string | null },
  wanted: SendLimits,
): Promise<{ limits: SendLimits; approval: WaitingChange | null }> {
  const limits = {
    amounts: wanted.amounts && checkedAmounts(ctx, wanted.amounts, only),
    destinations: wanted.destinations?.map((each, index) => checkedDestination(ctx, each, `destinations[${index}]`, only)) ?? null,
  }
  return ctx.db.tx(async (tx) => {
    // Owners cannot join or leave meanwhile.
    await lockBusiness(tx, businessId)
    await lockLimits(tx, subject)
    const before = await readLimits(tx, subject)
    const accountId = accountOf(actor)
    if (accountId !== null && asksApproval(before) && loosens(before, limits) && (await hasSecondOwner(tx, businessId))) {
      const wanted: WantedLimits = { ...subject, before, limits }
      const { approval, isNew } = await askChange(tx, { businessId, subject: 'limits', accountId, wanted })
      const after = { [subject.kind]: subject.id, limits }
      if (isNew) await recordAudit(tx, actor, { businessId, action: 'approval.asked', target: approval.id, after })
      return { limits: before, approval }
    }
    await storeLimits(tx, actor, businessId, subject, before, limits)
    return { limits, approval: null }
  })
}

async function storeLimits(tx: Tx, actor: Actor, businessId: string, subject: Subject, before: SendLimits, limits: SendLimits): Promise<void> {
  await tx.query(
    `insert into send_limits (subject, subject_id, business_id, amounts, destinations) values ($1, $2, $3, $4, $5)
     on conflict (subject, subject_id) do update set amounts = excluded.amounts, destinations = excluded.destinations, updated_at = now()`,
    [subject.kind, subject.id, businessId, json(limits.amounts), json(limits.destinations)],
  )
  const action = subject.kind === 'wallet' ? 'wallet.limits_changed' : 'key.limits_changed'
  await recordAudit(tx, actor, { businessId, action, target: subject.id, before, after: limits })
}

/** The effect of a decision about looser limits. If they were changed meanwhile, the request is void. */
export const decidedLimits: Decided = {
  async whyOver(tx, { wanted }) {
    const { kind, id, before } = wanted as WantedLimits
    await lockLimits(tx, { kind, id })
    const isAsAsked = isDeepStrictEqual(await readLimits(tx, { kind, id }), before)
    return isAsAsked ? null : 'The limits have changed since this was asked for: ask for it again'
  },
  async approved(tx, { businessId, wanted }, actor) {
    const { kind, id, before, limits } = wanted as WantedLimits
    await storeLimits(tx, actor, businessId, { kind, id }, before, limits)
  },
  async refused() {},
}

const json = (value: unknown): string | null => (value === null ? null : JSON.stringify(value))

function checkedAmounts(ctx: LimitsContext, amounts: readonly AmountLimit[], only: string | null): AmountLimit[] {
  const seen = new Set<string>()
  return amounts.map((each, index) => {
    const at = `amounts[${index}]`
    const chain = chainOf(ctx, each.chain, `${at}.chain`, only)
    const token = each.token === 'native' ? chain.native : tokenOf(chain, each.token.toUpperCase())
    if (!token) throw invalidBody({ field: `${at}.token`, message: `is not available on ${chain.name}` })
    const name = `${chain.name} ${each.token}`
    if (seen.has(name)) throw invalidBody({ field: at, message: 'repeats a chain and a token' })
    seen.add(name)
    const wrong: FieldError[] = []
    const read = (field: 'perTransfer' | 'perDay' | 'approvalAbove'): string | null => {
      const text = each[field]
      if (text === null) return null
      const units = parseUnits(text, token.decimals)
      if (units === null) wrong.push({ field: `${at}.${field}`, message: tooManyDecimals(token.decimals) })
      return units === null ? null : formatUnits(units, token.decimals)
    }
    const limit = {
      chain: chain.name,
      token: each.token,
      perTransfer: read('perTransfer'),
      perDay: read('perDay'),
      approvalAbove: read('approvalAbove'),
    }
    if (wrong.length > 0) throw invalidBody(...wrong)
    return limit
  })
}

function checkedDestination(ctx: LimitsContext, wanted: Destination, at: string, only: string | null): Destination {
  const chain = chainOf(ctx, wanted.chain, `${at}.chain`, only)
  const address = readAddress(chain, wanted.address, `${at}.address`)
  if (wanted.memoType !== undefined && wanted.memo === undefined) throw invalidBody({ field: `${at}.memo`, message: 'is required with memoType' })
  const memo = readMemo(chain, address, false, wanted, `${at}.`)
  return { chain: chain.name, address, ...(memo && { memo: memo.value, memoType: memo.type as SentMemoType }) }
}

function chainOf(ctx: LimitsContext, name: string, field: string, only: string | null): ConfiguredChain {
  const chain = requireChain(ctx, name, { field })
  if (only !== null && only !== name) throw invalidBody({ field, message: `the wallet is on ${only}` })
  return chain
}
