import type { Queryable } from '../platform/database/db.ts'
import { isUuid } from '../platform/ids.ts'

/** The object of an entry, as people call it. */
export interface AuditSubject {
  kind: string
  id: string
  /** Null: it has no name of its own. */
  label: string | null
}

/** SQL: `12.5 USDC to 0x1234…abcdef`. */
const transferName = (of: string): string =>
  `trim_scale(${of}.amount / power(10::numeric, ${of}.decimals))::text || ' ' || ${of}.symbol || ' to ' || case when length(${of}.to_address) <= 16 then ${of}.to_address
    else left(${of}.to_address, 8) || '…' || right(${of}.to_address, 6) end`

/** By kind: its table, and the SQL of its name. Rows of a business are shown to entries of it alone. */
const ofBusiness: Readonly<Record<string, { table: string; label: string; kind?: string }>> = {
  key: { table: 'api_keys', label: `coalesce(nullif(s.name, ''), s.prefix)` },
  verification_key: { table: 'verification_keys', label: `coalesce(nullif(s.name, ''), s.prefix)` },
  invitation: { table: 'invitations', label: 's.email' },
  endpoint: { table: 'webhook_endpoints', label: 's.url' },
  destination: { table: 'payout_destinations', label: 'coalesce(s.name, s.bank_name, s.address)' },
  outflow: {
    table: 'outflows',
    kind: 's.kind',
    label:
      '(select coalesce(d.name, d.bank_name, d.address) from payout_destinations d where d.id = s.destination_id and d.business_id = s.business_id)',
  },
  transfer: { table: `(select * from intents where purpose = 'transfer')`, label: transferName('s') },
  wallet: { table: 'wallets', label: 'coalesce(s.name, s.address)' },
  monitored_address: { table: 'monitored_addresses', label: 's.address' },
  session: { table: 'pos_sessions', label: 'coalesce(s.reference, s.label)' },
  collection: { table: 'fiat_collections', label: `s.currency || ' to ' || s.chain` },
  swap: { table: 'swaps', label: `s.sell_symbol || ' to ' || s.buy_symbol` },
  bridge: { table: 'bridge_transfers', label: `s.source_chain || ' to ' || s.destination_chain` },
  stake: { table: 'stakes', label: `s.token || ' on ' || s.chain` },
  payment_link: { table: 'payment_links', label: 'coalesce(s.reference, s.label)' },
  payout_batch: { table: 'payout_batches', label: 's.reference' },
  approval: {
    table: 'approvals',
    label: `coalesce((select ${transferName('t')} from intents t where t.id = s.subject_id and t.business_id = s.business_id and s.subject = 'transfer'), s.subject)`,
  },
  adjustment: { table: 'ledger_adjustments', label: 's.reason' },
}

const ofPlatform = `
  select 'business' as kind, s.id::text, s.name as label from businesses s join asked e on e.id = s.id and (e.business_id is null or e.business_id = s.id)
  union all select 'account', s.id::text, s.email from accounts s join asked e on e.id = s.id
  union all select 'staking_plan', s.id::text, s.name from staking_plans s join asked e on e.id = s.id`

const select = `
  with asked as (select * from unnest($1::uuid[], $2::uuid[]) as a(id, business_id))
  ${ofPlatform}
  ${Object.entries(ofBusiness)
    .map(
      ([kind, { table, label, kind: own }]) =>
        `union all select ${own ?? `'${kind}'`}, s.id::text, ${label} from ${table} s join asked e on e.id = s.id and (e.business_id = s.business_id or e.business_id is null)`,
    )
    .join('\n  ')}`

/** The objects of entries, by id. An id that names nothing, any more or of another business, is absent. */
export async function auditSubjects(
  db: Queryable,
  entries: readonly { target: string | null; businessId: string | null }[],
): Promise<Map<string, AuditSubject>> {
  const asked = entries.flatMap(({ target, businessId }) =>
    target !== null && isUuid(target) ? [{ target, businessId }] : [],
  )
  if (asked.length === 0) return new Map()
  const rows = await db.query<AuditSubject>(select, [
    asked.map(({ target }) => target),
    asked.map(({ businessId }) => businessId),
  ])
  return new Map(rows.map((row) => [row.id, row]))
}

/** Names of the businesses that entries belong to. */
export async function businessNames(
  db: Queryable,
  entries: readonly { businessId: string | null }[],
): Promise<Map<string, string>> {
  const ids = [...new Set(entries.flatMap(({ businessId }) => businessId ?? []))]
  if (ids.length === 0) return new Map()
  const rows = await db.query<{ id: string; name: string }>(
    'select id, name from businesses where id = any($1::uuid[])',
    [ids],
  )
  return new Map(rows.map(({ id, name }) => [id, name]))
}
