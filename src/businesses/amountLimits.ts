import { maxUnits } from '../chains/maxUnits.ts'
import type { ConfiguredChain, Token } from '../chains/registry.ts'
import { tokenOf } from '../chains/registry.ts'
import { requireChain, requireToken } from '../chains/requireChain.ts'
import { lockBusiness } from '../members/lockBusiness.ts'
import { finestDecimals, formatUnits, parseDecimal, parseUnits, unitsOf } from '../money/amount.ts'
import type { Db, Queryable, Tx } from '../platform/database/db.ts'
import { ApiError, type FieldMistake, fieldMistakes, invalidBody } from '../platform/errors.ts'

/** The smallest and the largest amount of a session, in units of the token. */
export interface AmountLimit {
  token: string
  /** Null: of all chains that have no limit of their own. */
  chain: string | null
  min: string | null
  max: string | null
}

export interface WantedLimit {
  token: string
  chain?: string | null
  min?: string | null
  max?: string | null
}

/** Base units of a token on a chain. */
export interface UnitBounds {
  /** Zero: any. */
  min: bigint
  /** What the business allows; null: no limit of its own. */
  max: bigint | null
  /** What one transfer on the chain can hold. */
  chainMax: bigint
}

/** The limit of a token on a chain counts alone; without one, that of the token on all chains. */
export function boundsOf(
  limits: readonly AmountLimit[],
  chain: Pick<ConfiguredChain, 'name' | 'family'>,
  { symbol, decimals }: Pick<Token, 'symbol' | 'decimals'>,
): UnitBounds {
  const ofToken = limits.filter(({ token }) => token === symbol)
  const limit =
    ofToken.find((each) => each.chain === chain.name) ?? ofToken.find((each) => each.chain === null)
  return {
    // Finer than the chain's units: what is less than the minimum, or more than the maximum, is refused.
    min: limit?.min ? unitsOf(limit.min, decimals, 'up') : 0n,
    max: limit?.max ? unitsOf(limit.max, decimals, 'down') : null,
    chainMax: maxUnits(chain.family),
  }
}

/** Why a session's amount is refused; null: it is within the bounds, which belong to it. */
export function mistakeOfUnits(
  limits: readonly AmountLimit[],
  chain: Pick<ConfiguredChain, 'name' | 'family'>,
  token: Pick<Token, 'symbol' | 'decimals'>,
  units: bigint,
): Pick<FieldMistake, 'message' | 'code'> | null {
  const { min, max, chainMax } = boundsOf(limits, chain, token)
  const inWords = (bound: bigint) => `${formatUnits(bound, token.decimals)} ${token.symbol}`
  const given = inWords(units)
  if (units > chainMax)
    return {
      message: `is ${given}: ${chain.name} can hold ${inWords(chainMax)} at most`,
      code: 'amount_above_maximum',
    }
  if (units < min)
    return {
      message: `is ${given}: this business requests ${inWords(min)} at least on ${chain.name}`,
      code: 'amount_below_minimum',
    }
  if (max !== null && units > max)
    return {
      message: `is ${given}: this business requests ${inWords(max)} at most on ${chain.name}`,
      code: 'amount_above_maximum',
    }
  return null
}

/** @throws ApiError 400 naming `field` */
export function requireWithinLimits(
  what: {
    business: { amountLimits: readonly AmountLimit[] }
    chain: Pick<ConfiguredChain, 'name' | 'family'>
    token: Pick<Token, 'symbol' | 'decimals'>
  },
  units: bigint,
  field: string,
): void {
  const mistake = mistakeOfUnits(what.business.amountLimits, what.chain, what.token, units)
  if (mistake) throw invalidBody({ field, ...mistake })
}

/** A business's limits. */
export async function readAmountLimits(db: Queryable, businessId: string): Promise<AmountLimit[]> {
  const [row] = await db.query<{ limits: AmountLimit[] }>(
    'select amount_limits as limits from businesses where id = $1',
    [businessId],
  )
  return row?.limits ?? []
}

/**
 * Replaces a business's limits. They count for later sessions, also of links that exist.
 * @param also runs in the same transaction
 * @throws ApiError 400 naming every wrong field
 */
export async function setAmountLimits(
  ctx: { db: Db; chains: readonly ConfiguredChain[] },
  businessId: string,
  wanted: readonly WantedLimit[],
  also: (tx: Tx, result: { before: AmountLimit[]; after: AmountLimit[] }) => Promise<void>,
): Promise<AmountLimit[]> {
  const after = wanted.map(({ token, chain = null, min = null, max = null }) => ({ token, chain, min, max }))
  const mistakes = after.flatMap((limit, at) => mistakesOf(ctx, limit, `limits.${at}`, after.slice(0, at)))
  if (mistakes.length > 0) throw invalidBody(...mistakes)
  await ctx.db.tx(async (tx) => {
    await lockBusiness(tx, businessId)
    const before = await readAmountLimits(tx, businessId)
    await tx.query('update businesses set amount_limits = $1::jsonb where id = $2', [
      JSON.stringify(after),
      businessId,
    ])
    await also(tx, { before, after })
  })
  return after
}

function mistakesOf(
  ctx: { chains: readonly ConfiguredChain[] },
  limit: AmountLimit,
  field: string,
  earlier: readonly AmountLimit[],
): FieldMistake[] {
  const { token, chain, min, max } = limit
  if (earlier.some((each) => each.token === token && each.chain === chain))
    return [
      {
        field,
        message: `${token}${chain === null ? '' : ` on ${chain}`} is listed twice`,
        code: 'duplicate',
      },
    ]
  if (min === null && max === null) return [{ field, message: 'give min, max or both', code: 'required' }]
  const found = chainOf(ctx, limit, field)
  if ('wrong' in found) return found.wrong
  const { on } = found
  const decimals = on ? (tokenOf(on, token)?.decimals ?? finestDecimals) : maxDecimals(ctx, token)
  const wrong = Object.entries({ min, max }).flatMap(([name, amount]): FieldMistake[] => {
    if (amount === null) return []
    if (parseDecimal(amount)?.value === 0n)
      return [{ field: `${field}.${name}`, message: 'must be more than zero', code: 'too_small' }]
    return parseUnits(amount, decimals) === null
      ? [
          {
            field: `${field}.${name}`,
            message: `may have ${decimals} decimals at most`,
            code: 'too_many_decimals',
          },
        ]
      : []
  })
  if (wrong.length > 0) return wrong
  if (
    min !== null &&
    max !== null &&
    unitsOf(min, finestDecimals, 'down') > unitsOf(max, finestDecimals, 'down')
  )
    return [{ field: `${field}.max`, message: 'must not be less than min', code: 'invalid_range' }]
  return []
}

/** The limit's chain, which has its token; null: all chains. */
function chainOf(
  ctx: { chains: readonly ConfiguredChain[] },
  { token, chain }: AmountLimit,
  field: string,
): { on: ConfiguredChain | null } | { wrong: FieldMistake[] } {
  if (chain === null) return { on: null }
  try {
    const on = requireChain(ctx, chain, { field: `${field}.chain` })
    requireToken(on, token, `${field}.token`)
    return { on }
  } catch (error) {
    if (error instanceof ApiError && error.status === 400) return { wrong: fieldMistakes(error) }
    throw error
  }
}

const maxDecimals = ({ chains }: { chains: readonly ConfiguredChain[] }, symbol: string): number => {
  const found = chains.flatMap((chain) => tokenOf(chain, symbol)?.decimals ?? [])
  return found.length > 0 ? Math.max(...found) : finestDecimals
}
