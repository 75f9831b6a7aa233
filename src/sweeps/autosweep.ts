import { type Actor, recordAudit } from '../audit/recordAudit.ts'
import type { ConfiguredChain } from '../chains/registry.ts'
import { tooManyDecimals } from '../chains/requireAmount.ts'
import { chainUnavailable, tokenUnavailable } from '../chains/requireChain.ts'
import { lockBusiness } from '../members/lockBusiness.ts'
import { formatUnits, parseUnits } from '../money/amount.ts'
import type { Db, Queryable } from '../platform/database/db.ts'
import { type FieldMistake, invalidBody } from '../platform/errors.ts'
import type { FieldCode } from '../platform/fieldCodes.ts'
import { type Collection, collectionOn } from './sweepKind.ts'

interface Context {
  db: Db
  chains: readonly ConfiguredChain[]
}

/** Autosweep of one token on one chain. */
export interface SweepSetting {
  chain: string
  token: string
  enabled: boolean
  /** Whole units of the token, as a decimal string. */
  threshold: string
}

export interface AutosweepView {
  networks: { chain: string; collection: Collection; tokens: Omit<SweepSetting, 'chain'>[] }[]
}

/** A business's autosweep, for everything that the deployment offers. It is off by default. */
export async function getAutosweep(ctx: Context, businessId: string): Promise<AutosweepView> {
  const stored = await readStored(ctx.db, businessId)
  return {
    networks: ctx.chains.map((chain) => ({
      chain: chain.name,
      collection: collectionOn(chain),
      tokens: chain.tokens.map(({ symbol, decimals }) => ({
        token: symbol,
        ...shown(stored.get(keyOf(chain.name, symbol)) ?? off, decimals),
      })),
    })),
  }
}

/**
 * Sets which tokens of the deployment are swept by themselves, and from which amount. A token that is not
 * listed is off and keeps its threshold. Repeating it changes nothing.
 * @throws ApiError 400 naming every wrong field: not offered, listed twice, on a chain without sweeps, more
 * decimals than the token has
 */
export async function setAutosweep(
  ctx: Context,
  actor: Actor,
  businessId: string,
  sweeps: readonly SweepSetting[],
): Promise<AutosweepView> {
  const wanted = checked(ctx, sweeps)
  await ctx.db.tx(async (tx) => {
    await lockBusiness(tx, businessId)
    const stored = await readStored(tx, businessId)
    const changes = offered(ctx)
      .map((asset) => {
        const before = stored.get(asset.key) ?? off
        return { ...asset, before, after: wanted.get(asset.key) ?? { ...before, enabled: false } }
      })
      .filter(({ before, after }) => before.enabled !== after.enabled || before.threshold !== after.threshold)
    if (changes.length === 0) return
    await tx.query(
      `insert into sweep_settings (business_id, chain, token, enabled, threshold)
       select $1, * from unnest($2::text[], $3::text[], $4::boolean[], $5::numeric[])
       on conflict (business_id, chain, token) do update set enabled = excluded.enabled, threshold = excluded.threshold, updated_at = now()`,
      [
        businessId,
        changes.map(({ chain }) => chain),
        changes.map(({ token }) => token),
        changes.map(({ after }) => after.enabled),
        changes.map(({ after }) => after.threshold.toString()),
      ],
    )
    const audited = (side: 'before' | 'after') =>
      Object.fromEntries(changes.map((each) => [each.key, shown(each[side], each.decimals)]))
    await recordAudit(tx, actor, {
      businessId,
      action: 'autosweep.changed',
      target: businessId,
      before: audited('before'),
      after: audited('after'),
    })
  })
  return getAutosweep(ctx, businessId)
}

/** The tokens that a business has switched on, as `<chain>:<token>`. */
export async function autosweptAssets(db: Queryable, businessId: string): Promise<ReadonlySet<string>> {
  return new Set(
    [...(await readStored(db, businessId))].filter(([, { enabled }]) => enabled).map(([key]) => key),
  )
}

interface Stored {
  enabled: boolean
  /** Base units. */
  threshold: bigint
}

const off: Stored = { enabled: false, threshold: 0n }
export const keyOf = (chain: string, token: string): string => `${chain}:${token}`
const shown = ({ enabled, threshold }: Stored, decimals: number) => ({
  enabled,
  threshold: formatUnits(threshold, decimals),
})

const offered = ({ chains }: Context) =>
  chains.flatMap(({ name, tokens }) =>
    tokens.map(({ symbol, decimals }) => ({
      key: keyOf(name, symbol),
      chain: name,
      token: symbol,
      decimals,
    })),
  )

async function readStored(db: Queryable, businessId: string): Promise<Map<string, Stored>> {
  const rows = await db.query<{ chain: string; token: string; enabled: boolean; threshold: string }>(
    'select chain, token, enabled, threshold::text from sweep_settings where business_id = $1',
    [businessId],
  )
  return new Map(
    rows.map(({ chain, token, enabled, threshold }) => [
      keyOf(chain, token),
      { enabled, threshold: BigInt(threshold) },
    ]),
  )
}

const withoutSweeps = {
  direct: (chain: string) => `${chain} needs no sweeps: its payments arrive in the treasury`,
  none: (chain: string) => `${chain} has no sweeps yet`,
}

function checked({ chains }: Context, sweeps: readonly SweepSetting[]): Map<string, Stored> {
  const mistakes: FieldMistake[] = []
  const wanted = new Map<string, Stored>()
  for (const [index, { chain: name, token, enabled, threshold }] of sweeps.entries()) {
    const mistake = (field: string, code: FieldCode, message: string) =>
      mistakes.push({ field: `sweeps.${index}.${field}`, message, code })
    const chain = chains.find((each) => each.name === name)
    if (!chain) {
      mistake('chain', 'unavailable_chain', chainUnavailable(name))
      continue
    }
    const collection = collectionOn(chain)
    if (collection !== 'sweep') mistake('chain', 'not_possible', withoutSweeps[collection](name))
    const asset = chain.tokens.find(({ symbol }) => symbol === token)
    if (!asset) {
      mistake('token', 'unavailable_token', tokenUnavailable(token, name))
      continue
    }
    const key = keyOf(name, token)
    if (wanted.has(key)) mistake('token', 'duplicate', `${token} on ${name} is listed twice`)
    const units = parseUnits(threshold, asset.decimals)
    if (units === null) mistake('threshold', 'too_many_decimals', tooManyDecimals(asset.decimals))
    wanted.set(key, { enabled, threshold: units ?? 0n })
  }
  if (mistakes.length > 0) throw invalidBody(...mistakes)
  return wanted
}
