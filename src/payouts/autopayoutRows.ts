import type { Queryable } from '../platform/database/db.ts'
import { type AutopayoutDestination, problemOf, type ServingContext } from './autopayoutProblem.ts'

export interface AutopayoutRow {
  enabled: boolean
  destination: AutopayoutDestination | null
}

export const keyOf = (chain: string, token: string): string => `${chain}:${token}`

/** What a business has set, by `<chain>:<token>`. */
export async function readAutopayout(
  db: Queryable,
  businessId: string,
): Promise<{ rows: Map<string, AutopayoutRow>; hasProfile: boolean }> {
  const rows = await db.query<
    {
      chain: string
      token: string
      enabled: boolean
      id: string | null
      kind: 'bank' | 'wallet'
      toChain: string | null
      isArchived: boolean
    } & {
      hasProfile: boolean
    }
  >(
    `select s.chain, s.token, s.enabled, d.id, d.kind, d.chain as "toChain", d.archived_at is not null as "isArchived",
       exists (select 1 from legal_profiles p where p.business_id = s.business_id) as "hasProfile"
     from autopayout_settings s left join payout_destinations d on d.id = s.destination_id and d.business_id = s.business_id
     where s.business_id = $1`,
    [businessId],
  )
  const destinationOf = ({ id, kind, toChain, isArchived }: (typeof rows)[number]) =>
    id && { id, kind, chain: toChain, isArchived }
  return {
    rows: new Map(
      rows.map((row) => [
        keyOf(row.chain, row.token),
        { enabled: row.enabled, destination: destinationOf(row) || null },
      ]),
    ),
    hasProfile: rows[0]?.hasProfile ?? false,
  }
}

/** The tokens that a business has switched on, and that cannot be paid out, as `<chain>:<token>`. */
export async function stuckAssets(
  ctx: ServingContext,
  db: Queryable,
  businessId: string,
): Promise<ReadonlySet<string>> {
  const { rows, hasProfile } = await readAutopayout(db, businessId)
  const isStuck = ([key, { enabled, destination }]: [string, AutopayoutRow]) =>
    enabled &&
    (destination === null ||
      problemOf(ctx, destination, key.slice(key.indexOf(':') + 1), hasProfile) !== null)
  return new Set([...rows].filter(isStuck).map(([key]) => key))
}
