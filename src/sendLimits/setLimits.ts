import { type Actor, recordAudit } from '../audit/recordAudit.ts'
import { formatUnits, parseUnits } from '../chains/amount.ts'
import { type ConfiguredChain, tokenOf } from '../chains/registry.ts'
import type { Db } from '../platform/db.ts'
import { type FieldError, invalidBody } from '../platform/errors.ts'
import { readAddress } from '../transfers/readTransfer.ts'
import type { AmountLimit, Destination, SendLimits } from './limits.ts'
import { lockLimits, readLimits, type Subject } from './readLimits.ts'

interface LimitsContext {
  db: Db
  chains: readonly ConfiguredChain[]
}

/**
 * Sets what a wallet or a key may send; both null: as much as is there, to anywhere.
 * @param only the one chain of a wallet
 * @throws ApiError 400 that names the field
 */
export async function setLimits(
  ctx: LimitsContext,
  actor: Actor,
  { businessId, subject, only }: { businessId: string; subject: Subject; only: string | null },
  wanted: SendLimits,
): Promise<SendLimits> {
  const limits = {
    amounts: wanted.amounts && checkedAmounts(ctx, wanted.amounts, only),
    destinations: wanted.destinations?.map((each, index) => checkedDestination(ctx, each, `destinations[${index}]`, only)) ?? null,
  }
  return ctx.db.tx(async (tx) => {
    await lockLimits(tx, subject)
    const before = await readLimits(tx, subject)
    const held = [subject.kind, subject.id, businessId, json(limits.amounts), json(limits.destinations)]
    await tx.query(
      `insert into send_limits (subject, subject_id, business_id, amounts, destinations) values ($1, $2, $3, $4, $5)
       on conflict (subject, subject_id) do update set amounts = excluded.amounts, destinations = excluded.destinations, updated_at = now()`,
      held,
    )
    const action = subject.kind === 'wallet' ? 'wallet.limits_changed' : 'key.limits_changed'
    await recordAudit(tx, actor, { businessId, action, target: subject.id, before, after: limits })
    return limits
  })
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
    if (seen.has(name)) throw invalidBody({ field: at, message: 'names a chain and a token for the second time' })
    seen.add(name)
    const wrong: FieldError[] = []
    const read = (field: 'perTransfer' | 'perDay' | 'approvalAbove'): string | null => {
      const text = each[field]
      if (text === null) return null
      const units = parseUnits(text, token.decimals)
      if (units === null) wrong.push({ field: `${at}.${field}`, message: `may have ${token.decimals} decimals at most` })
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

function checkedDestination(ctx: LimitsContext, { chain: name, address }: Destination, at: string, only: string | null): Destination {
  const chain = chainOf(ctx, name, `${at}.chain`, only)
  return { chain: chain.name, address: readAddress(chain, address, `${at}.address`) }
}

function chainOf({ chains }: LimitsContext, name: string, field: string, only: string | null): ConfiguredChain {
  const chain = chains.find((each) => each.name === name)
  if (!chain) throw invalidBody({ field, message: `${name} is not available on this deployment` })
  if (only !== null && only !== name) throw invalidBody({ field, message: `the wallet is of ${only}` })
  return chain
}
