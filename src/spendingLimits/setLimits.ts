import { coolingOffHours } from '../approvals/coolingOffHours.ts'
import type { Decided } from '../approvals/decideApproval.ts'
import { needsSecondOwner } from '../approvals/protections.ts'
import { requestChange, type WaitingChange } from '../approvals/requestApproval.ts'
import { type Actor, accountOf, recordAudit } from '../audit/recordAudit.ts'
import type { SentMemoType } from '../chains/readMemo.ts'
import { readMemo } from '../chains/readMemo.ts'
import { readRecipientAddress } from '../chains/recipientAddress.ts'
import { type ConfiguredChain, tokenOf } from '../chains/registry.ts'
import { tooManyDecimals } from '../chains/requireAmount.ts'
import { requireChain } from '../chains/requireChain.ts'
import { lockBusiness } from '../members/lockBusiness.ts'
import { formatUnits, parseUnits } from '../money/amount.ts'
import type { Db, Tx } from '../platform/database/db.ts'
import { type FieldMistake, invalidBody } from '../platform/errors.ts'
import { sameJson } from '../platform/sameJson.ts'
import { type AmountLimit, type Destination, loosens, type SendLimits } from './limits.ts'
import { lockLimits, type NextLimits, readAllLimits, readLimits, type Subject } from './readLimits.ts'

interface LimitsContext {
  db: Db
  chains: readonly ConfiguredChain[]
}

/** The change that needs a second owner's approval. */
interface WantedLimits {
  kind: Subject['kind']
  id: string
  before: SendLimits
  limits: SendLimits
}

/**
 * Sets the limits of a wallet or a key; both null: no limits. Looser limits wait for a second owner, where
 * there is one, and for the cooling-off time: otherwise one owner could remove the limit, and send.
 * @param only the one chain of a wallet
 * @returns the current limits, those that apply later, and the approval that is waiting for a second owner
 * @throws ApiError 400 that names the field
 */
export async function setLimits(
  ctx: LimitsContext,
  actor: Actor,
  { businessId, subject, only }: { businessId: string; subject: Subject; only: string | null },
  wanted: SendLimits,
): Promise<{ limits: SendLimits; next: NextLimits | null; approval: WaitingChange | null }> {
  const limits = {
    amounts: wanted.amounts && checkedAmounts(ctx, wanted.amounts, only),
    destinations:
      wanted.destinations?.map((each, index) =>
        checkedDestination(ctx, each, `destinations.${index}`, only),
      ) ?? null,
  }
  return ctx.db.tx(async (tx) => {
    // Owners cannot join or leave meanwhile.
    await lockBusiness(tx, businessId)
    await lockLimits(tx, subject)
    const { limits: before, next } = await readAllLimits(tx, subject)
    const accountId = accountOf(actor)
    if (next !== null && sameJson(limits, withoutTime(next))) return { limits: before, next, approval: null }
    if (accountId !== null && loosens(before, limits) && (await needsSecondOwner(tx, businessId, actor))) {
      const wanted: WantedLimits = { ...subject, before, limits }
      const { approval, isNew } = await requestChange(tx, {
        businessId,
        subject: 'limits',
        accountId,
        wanted,
      })
      const after = { [subject.kind]: subject.id, limits }
      if (isNew)
        await recordAudit(tx, actor, { businessId, action: 'approval.asked', target: approval.id, after })
      return { limits: before, next, approval }
    }
    const { at } = await coolingOffHours(tx, businessId)
    await storeLimits(tx, actor, businessId, subject, before, limits, accountId === null ? null : at)
    return { ...(await readAllLimits(tx, subject)), approval: null }
  })
}

const withoutTime = ({ amounts, destinations }: NextLimits): SendLimits => ({ amounts, destinations })

/** @param askedAt looser limits apply when the cooling-off time has passed since; null: at once */
async function storeLimits(
  tx: Tx,
  actor: Actor,
  businessId: string,
  subject: Subject,
  before: SendLimits,
  limits: SendLimits,
  askedAt: Date | null,
): Promise<void> {
  const { hours, at } = await coolingOffHours(tx, businessId)
  const from = new Date((askedAt ?? at).getTime() + hours * 3_600_000)
  const waits = askedAt !== null && loosens(before, limits) && from > at
  const now = waits ? before : limits
  await tx.query(
    `insert into send_limits (subject, subject_id, business_id, amounts, destinations, next, next_from) values ($1, $2, $3, $4, $5, $6, $7)
     on conflict (subject, subject_id) do update set amounts = excluded.amounts, destinations = excluded.destinations, next = excluded.next,
       next_from = excluded.next_from, updated_at = now()`,
    [
      subject.kind,
      subject.id,
      businessId,
      json(now.amounts),
      json(now.destinations),
      waits ? json(limits) : null,
      waits ? from : null,
    ],
  )
  const action = subject.kind === 'wallet' ? 'wallet.limits_changed' : 'key.limits_changed'
  const after = { ...limits, ...(waits && { from: from.toISOString() }) }
  await recordAudit(tx, actor, { businessId, action, target: subject.id, before, after })
}

/** The effect of a decision about looser limits. If they were changed meanwhile, the request is void. */
export const decidedLimits: Decided = {
  async whyOver(tx, { wanted }) {
    const { kind, id, before } = wanted as WantedLimits
    await lockLimits(tx, { kind, id })
    const isAsAsked = sameJson(await readLimits(tx, { kind, id }), before)
    return isAsAsked ? null : 'The limits have changed since this was asked for: ask for it again'
  },
  async approved(tx, { businessId, wanted, askedAt }, actor) {
    const { kind, id, before, limits } = wanted as WantedLimits
    await storeLimits(tx, actor, businessId, { kind, id }, before, limits, askedAt)
  },
  async refused() {},
}

const json = (value: unknown): string | null => (value === null ? null : JSON.stringify(value))

function checkedAmounts(
  ctx: LimitsContext,
  amounts: readonly AmountLimit[],
  only: string | null,
): AmountLimit[] {
  const seen = new Set<string>()
  return amounts.map((each, index) => {
    const at = `amounts.${index}`
    const chain = chainOf(ctx, each.chain, `${at}.chain`, only)
    const token = each.token === 'native' ? chain.native : tokenOf(chain, each.token.toUpperCase())
    if (!token)
      throw invalidBody({
        field: `${at}.token`,
        message: `is not available on ${chain.name}`,
        code: 'unavailable_token',
      })
    const name = `${chain.name} ${each.token}`
    if (seen.has(name))
      throw invalidBody({ field: at, message: 'repeats a chain and a token', code: 'duplicate' })
    seen.add(name)
    const wrong: FieldMistake[] = []
    const read = (field: 'perTransfer' | 'perDay' | 'approvalAbove'): string | null => {
      const text = each[field]
      if (text === null) return null
      const units = parseUnits(text, token.decimals)
      if (units === null)
        wrong.push({
          field: `${at}.${field}`,
          message: tooManyDecimals(token.decimals),
          code: 'too_many_decimals',
        })
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

function checkedDestination(
  ctx: LimitsContext,
  wanted: Destination,
  at: string,
  only: string | null,
): Destination {
  const chain = chainOf(ctx, wanted.chain, `${at}.chain`, only)
  const address = readRecipientAddress(chain, wanted.address, `${at}.address`)
  if (wanted.memoType !== undefined && wanted.memo === undefined)
    throw invalidBody({ field: `${at}.memo`, message: 'is required with memoType', code: 'required' })
  const memo = readMemo(chain, address, false, wanted, `${at}.`)
  return {
    chain: chain.name,
    address,
    ...(memo && { memo: memo.value, memoType: memo.type as SentMemoType }),
  }
}

function chainOf(ctx: LimitsContext, name: string, field: string, only: string | null): ConfiguredChain {
  const chain = requireChain(ctx, name, { field })
  if (only !== null && only !== name)
    throw invalidBody({ field, message: `the wallet is on ${only}`, code: 'not_possible' })
  return chain
}
