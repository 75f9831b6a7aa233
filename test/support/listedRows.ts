import { v7 } from 'uuid'
import type { Db } from '../../src/platform/database/db.ts'

type Columns = Record<string, unknown>

/** Whose the rows are. */
export interface RowsOf {
  business: string
  owner: string
  /** A business that the operator has suspended. */
  suspended: string
}

/** How rows of a list are made. */
export interface ListedRows {
  table: string
  /** The columns of a new row, without those that have a default; or SQL that finds a row to copy. */
  from: ((of: RowsOf) => Columns) | string
  /** Columns of each row, by a number that no other row has. */
  each?: (unique: number, id: string, of: RowsOf) => Columns
  /** Rows beside it, with the column that names it; `from` as above. */
  beside?: {
    table: string
    key: string
    from: ((unique: number, of: RowsOf) => Columns) | string
    /** Of a copy: what it has of its own. */
    each?: () => Columns
  }[]
  /** The column with the id; default `id`. */
  id?: string
  /** The id is a number. */
  isNumbered?: boolean
  /** The time of creation; default `created_at`. */
  time?: string
  /** So many rows the list can have at most; others of the business have these columns. */
  most?: { rows: number; others: () => Columns }
  /** The table that counts them, with the columns that it counts by. */
  counts?: { table: string; by: string; where?: string }
  /** Two states, with the columns of a row in each. */
  states?: Record<string, Columns | ((of: RowsOf) => Columns)>
}

export interface NewRow {
  id: string
  at: Date
  state: string | undefined
  unique: number
}

/** Ids of rows in the order of their times. */
export const idAt = (at: Date, { isNumbered = false }: ListedRows, unique: number): string =>
  isNumbered ? String(4_000_000_000 + unique) : v7({ msecs: at.getTime(), seq: unique })

/** Stores rows as they are, without what triggers and references add. */
export async function insertListed(
  db: Db,
  of: RowsOf,
  listed: ListedRows,
  rows: readonly NewRow[],
): Promise<void> {
  await db.tx(async (tx) => {
    await tx.query('set local session_replication_role = replica')
    for (const row of rows) {
      const { id, unique } = row
      const columns = columnsOf(listed, of, row)
      await insertRow(tx, listed.table, columns, copied(listed.from, of))
      for (const { table, key, from, each } of listed.beside ?? [])
        await insertRow(
          tx,
          table,
          {
            ...(typeof from === 'string' ? each?.() : from(unique, of)),
            ...(key === '' ? {} : { [key]: id }),
          },
          copied(from, of),
        )
    }
  })
}

function columnsOf(listed: ListedRows, of: RowsOf, { id, at, state, unique }: NewRow): Columns {
  const stated = listed.states?.[state ?? ''] ?? {}
  return {
    ...(typeof listed.from === 'string' ? {} : listed.from(of)),
    ...listed.each?.(unique, id, of),
    ...(typeof stated === 'function' ? stated(of) : stated),
    [listed.time ?? 'created_at']: at.toISOString(),
    [listed.id ?? 'id']: id,
  }
}

const copied = (from: unknown, { business }: RowsOf): string | null =>
  typeof from === 'string' ? from.replaceAll('{business}', `'${business}'`) : null

async function insertRow(
  tx: { query(sql: string, values: unknown[]): Promise<unknown> },
  table: string,
  columns: Columns,
  found: string | null,
): Promise<void> {
  const names = Object.keys(columns)
    .map((name) => `"${name}"`)
    .join(', ')
  await tx.query(
    found === null
      ? `insert into ${table} (${names}) overriding system value
         select ${names} from jsonb_populate_record(null::${table}, $1::jsonb)`
      : `insert into ${table} select (jsonb_populate_record(t, $1::jsonb)).*
         from ${table} t where t.ctid = (select ctid from ${table} where ${found} limit 1)`,
    [JSON.stringify(columns)],
  )
}

const address = (unique: number) => `0x${unique.toString(16).padStart(40, 'a')}`
const bytes = (unique: number) => `\\x${unique.toString(16).padStart(64, '0')}`
const past = '2026-01-01T00:00:00Z'
const later = '2100-01-01T00:00:00Z'
const ended = { next_reconcile_at: null }
const refused = ({ owner }: RowsOf) => ({ decision: 'refused', decided_by: owner, decided_at: past })

const verifications: ListedRows = {
  table: 'verifications',
  from: ({ business }) => ({
    ...{ business_id: business, country: 'NG', id_type: 'passport', price: 250_000, reason: 'of a test' },
    ...{ reason_code: 'document_expired', data_key: '\\x00', next_attempt_at: null, completed_at: past },
  }),
  each: (_unique, id) => ({ request_id: `r-${id}` }),
  states: { failed: { status: 'failed' }, not_found: { status: 'not_found' } },
}

/** The rows of each list that has pages. */
export const listedRows: Record<string, ListedRows> = {
  listSessions: {
    table: 'pos_sessions',
    from: 'business_id = {business}',
    each: (unique) => ({ address: address(unique), shown_address: null }),
    states: { pending: { status: 'pending' }, cancelled: { status: 'cancelled', cancelled_at: past } },
  },
  listPaymentLinks: {
    table: 'payment_links',
    from: 'business_id = {business}',
    each: (unique) => ({ token: `link-${unique}`, expires_at: later }),
    states: { active: {}, disabled: { disabled_at: past } },
  },
  listMonitoredAddresses: {
    table: 'monitored_addresses',
    from: ({ business }) => ({ business_id: business, chain: 'ethereum' }),
    each: (unique) => ({ address: address(unique) }),
    counts: { table: 'monitored_address_counts', by: 'business_id, chain', where: 'removed_at is null' },
  },
  listMonitoringImports: {
    table: 'monitoring_imports',
    from: ({ business }) => ({
      ...{ business_id: business, chain: 'ethereum', from_height: 1, to_height: 2, next_height: 1 },
      addresses: 1,
    }),
    states: { running: { status: 'begun' }, cancelled: { status: 'cancelled' } },
  },
  listWebhooks: {
    table: 'webhook_deliveries',
    from: ({ business }) => ({
      ...{ business_id: business, topic: 'session', type: 'session.paid', chain: 'ethereum' },
      ...{ address: '', symbol: '', amount: '' },
    }),
    each: (_unique, id) => ({ event_id: id }),
    counts: { table: 'webhook_delivery_counts', by: 'business_id, endpoint_id, topic, type, chain, status' },
    states: { delivered: { status: 'delivered' }, failed: { status: 'failed' } },
  },
  listLedgerEntries: {
    table: 'ledger_entries',
    from: ({ business }) => ({
      business_id: business,
      kind: 'adjustment',
      cause_kind: 'adjustment',
      step: 1,
    }),
    each: (_unique, id) => ({ reference: id }),
  },
  listWallets: {
    table: 'wallets',
    from: 'business_id = {business}',
    each: (unique) => ({ address: address(unique) }),
  },
  listTransfers: {
    table: 'intents',
    from: "business_id = {business} and purpose = 'transfer'",
    states: { pending: { status: 'created' }, failed: { status: 'failed', ...ended } },
  },
  listSwaps: {
    table: 'intents',
    from: "business_id = {business} and purpose = 'swap'",
    beside: [{ table: 'swaps', key: 'id', from: 'business_id = {business}' }],
    states: { pending: { status: 'created' }, expired: { status: 'expired', ...ended } },
  },
  listBridgeTransfers: {
    table: 'bridge_transfers',
    from: 'business_id = {business}',
    each: () => ({ approval_intent_id: null, mint_intent_id: null, nonce: null, event_account: null }),
    states: { pending: { status: 'pending' }, failed: { status: 'failed', error_message: 'of a test' } },
  },
  listStakes: {
    table: 'stakes',
    from: 'business_id = {business}',
    states: { active: { status: 'active' }, withdrawn: { status: 'withdrawn' } },
  },
  listRefunds: {
    table: 'outflows',
    from: "business_id = {business} and kind = 'refund'",
    each: (unique) => ({
      ...{ intent_id: null, automatic: false, next_at: null },
      ...{ to_chain: 'ethereum', to_token: 'USDC', to_address: address(unique) },
    }),
    beside: [
      {
        table: 'refunds',
        key: 'outflow_id',
        from: () => ({ kind: 'amount' }),
      },
    ],
    most: { rows: 100, others: () => ({ session_id: v7() }) },
    states: { pending: { status: 'pending' }, cancelled: { status: 'cancelled' } },
  },
  listPayouts: {
    table: 'outflows',
    from: "business_id = {business} and kind = 'payout'",
    each: () => ({ intent_id: null, partner_payment_id: null, ended_tx_id: null, next_at: null }),
    states: { pending: { status: 'pending' }, cancelled: { status: 'cancelled' } },
  },
  listPayoutBatches: {
    table: 'payout_batches',
    from: 'business_id = {business}',
    beside: [
      {
        table: 'outflows',
        key: 'batch_id',
        from: "business_id = {business} and kind = 'payout'",
        each: () => ({
          id: v7(),
          status: 'cancelled',
          intent_id: null,
          partner_payment_id: null,
          ended_tx_id: null,
          next_at: null,
        }),
      },
    ],
  },
  listPayoutDestinations: {
    table: 'payout_destinations',
    // The account of a bank is sealed for its own row.
    from: "business_id = {business} and kind = 'wallet'",
    each: (unique) => ({ fingerprint: bytes(unique), usable_from: past, needs_approval: false }),
    states: { usable: { archived_at: null }, archived: { archived_at: past } },
  },
  listCollections: {
    table: 'fiat_collections',
    from: 'business_id = {business}',
    each: () => ({ partner_payment_id: null }),
    counts: { table: 'fiat_collection_counts', by: 'business_id, status' },
    states: {
      processing: { status: 'processing', ended_at: null },
      failed: { status: 'failed', ended_at: past },
    },
  },
  listKeys: {
    table: 'api_keys',
    from: 'business_id = {business}',
    each: (unique, id) => ({ hash: bytes(unique), root_id: id, expires_at: null }),
    states: { active: {}, revoked: { revoked_at: past } },
  },
  listApprovals: {
    table: 'approvals',
    from: ({ business, owner }) => ({
      ...{ business_id: business, subject: 'owner', asked_by_account: owner, expires_at: later },
      wanted: { accountId: owner },
    }),
    each: (_unique, id) => ({ subject_id: id }),
    time: 'asked_at',
    states: { waiting: {}, refused },
  },
  listSweeps: {
    table: 'sweeps',
    from: () => ({ chain: 'ethereum', token: 'USDC', decimals: 6, amount: 1_000_000, payer: 'deposit' }),
    each: (unique) => ({ address: address(unique) }),
    beside: [
      {
        table: 'sweep_sources',
        key: '',
        from: (unique, { business }) => ({
          ...{ chain: 'ethereum', family: 'evm', address: address(unique), business_id: business },
        }),
      },
    ],
    states: { open: { status: 'waiting' }, done: { status: 'done' } },
  },
  listAudit: {
    table: 'audit_log',
    from: ({ business }) => ({
      ...{ business_id: business, actor_kind: 'system', actor_label: 'of a test', action: 'list.tested' },
    }),
    time: 'at',
  },
  listAllAudit: {
    table: 'audit_log',
    from: () => ({ actor_kind: 'system', actor_label: 'of a test', action: 'list.tested' }),
    time: 'at',
  },
  listDeadJobs: {
    table: 'outbox',
    from: () => ({ queue: 'session-payment', payload: {}, tries_left: 0, dead_at: past }),
    isNumbered: true,
  },
  listBusinesses: {
    table: 'businesses',
    from: () => ({ name: 'Listed' }),
    states: { pending: { approval: 'pending' }, approved: { approval: 'approved' } },
  },
  listHeldTransfers: {
    table: 'intents',
    from: "business_id = {business} and purpose = 'transfer' and wallet_id is not null",
    each: (_unique, _id, { suspended }) => ({ business_id: suspended, status: 'created' }),
  },
  listVerifications: verifications,
  listVerificationsOfBusiness: verifications,
  listAdjustments: {
    table: 'ledger_adjustments',
    from: ({ owner }) => ({
      ...{ debit: 'treasury:ethereum', credit: 'capital', asset: 'ethereum:USDC', amount: 1_500_000 },
      ...{ reason: 'of a test', proposed_by: owner, expires_at: later },
    }),
    time: 'proposed_at',
    states: { waiting: {}, refused },
  },
  listSuspense: {
    table: 'detections',
    from: 'id = (select detection_id from suspense_payments order by updated_at limit 1)',
    each: (_unique, id) => ({ watch_id: id }),
    time: 'seen_at',
    beside: [{ table: 'suspense_payments', key: 'detection_id', from: 'account is null' }],
  },
  listCloses: {
    table: 'ledger_closes',
    from: () => ({ entries: 0, last_position: 0, last_hash: bytes(0), drifts: 0 }),
    time: 'started_at',
    isNumbered: true,
  },
}
