import { capabilityTables } from '../src/capabilities.ts'
import type { DatabaseRole, Grants } from '../src/platform/database/grants.ts'

const all = 'select, insert, update, delete'
/** The columns of an intent that change while it is sent; never its content. */
const course =
  'status, reason, message, tx_id, block_height, block_id, fee, gas_used, native_change, token_kept, received, reconciles, resigns, unminable_since, fee_waits_since, next_reconcile_at, updated_at'
/** Requests to the treasury; without signed bytes. */
const wanted = 'insert (intent_id, number, chain, nonce, terms, sends, given_up, proof, cancels)'
/** The columns that decide if a key may send from stored wallets. */
const ofKeys =
  'select (id, root_id, business_id, revoked_at, expires_at, permissions, write_permissions, refund_address_until)'
/** The columns of sessions that an indexer needs: the addresses they wait at, and until when. */
const ofSessions =
  'select (id, chain, family, address, status, created_at, expires_at, expiry_asked_at), update (expiry_asked_at)'
/** The progress of an import, without its owner. */
const ofImports =
  'update (to_height, next_height, found, status, last_error, failures, retry_at, completed_at)'
/** Events and their deliveries are written in the transaction of their cause. */
const records = 'insert'
/** What decides which endpoints get an event. */
const toRecordEvents =
  'id, business_id, event_types, status, removed_at, paused_reason, chains, tokens, reference_prefix, callback_host'

/**
 * Every table with the rights of each process; `npm run cowry -- migrate` grants them and revokes all others. A table
 * without an entry is closed to every process. Partitions are reached through their parents.
 * docs/database-roles.md is generated from it.
 */
export const tableGrants: Readonly<Record<string, Grants>> = {
  ...capabilityTables,
  // Accounts and businesses
  accounts: { api: all, worker: 'select (id, email, locked_at, email_proven_at)' },
  // Needed to check if the requester of an approval may still request it; a key's hash is not.
  api_keys: { api: 'select, insert, update', worker: ofKeys, treasury: ofKeys },
  approvals: {
    api: 'select, insert, update (decision, decided_by, decided_at, proof)',
    worker: 'select',
    treasury: 'select',
  },
  audit_log: { api: 'select, insert', worker: 'select (id), insert', verification: 'select (id), insert' },
  bulk_calls: { api: all },
  business_caps: { api: all, worker: 'select' },
  businesses: {
    api: 'select, insert, update',
    worker: 'select (id, name, approval, finality_policy_id, fee_percent, fx_margin_percent)',
    treasury: 'select (id, approval)',
    verification: 'select (id, name, approval)',
  },
  finality_policies: { api: 'select, insert', indexer: 'select' },
  // The worker deletes expired answers, and locks them first, which needs the right to change one column.
  idempotency_keys: {
    api: all,
    worker: 'select (business_id, key, expires_at), update (lease_until), delete',
  },
  // A worker creates links only through offer_mailed_reset, for requested resets.
  invitations: {
    api: 'select, insert, update (accepted_at, revoked_at)',
    worker: 'select (id, business_id, role, invited_by, expires_at, accepted_at, revoked_at), update (mail)',
  },
  mails: { api: 'insert', worker: 'select, update (attempts, next_attempt_at, last_error), delete' },
  members: { api: all, worker: 'select', treasury: 'select' },
  passkey_challenges: { api: all, worker: 'select (expires_at), delete' },
  passkeys: { api: all },
  recovery_codes: { api: all },
  send_limits: { api: all, worker: 'select' },
  sign_ins: { api: 'select, insert, update' },
  signing_keys: { api: 'select, insert, delete' },

  // Keys and addresses
  request_keys: { api: 'select, insert' },
  seeds: { treasury: 'select, insert, update (provider, wrapping_key, wrapped_key, sealed)' },
  deposit_addresses: {
    api: 'select, update (taken_at)',
    worker: 'select',
    treasury: 'select, insert, update (taken_at)',
  },
  deposit_pool: { api: 'select', treasury: 'select, update' },
  // Locking a row (FOR KEY SHARE) needs the right to change one of its columns: here one that is never read.
  wallet_keys: { api: 'select (id, public_key, created_at, retired_at), update (created_at)', treasury: all },
  // Never read back: the api names every column but `sealed`.
  wallets: {
    api: 'select (id, business_id, chain, address, public_key, name, source, derivation_path, key_id, created_at, archived_at), insert, update (name, archived_at)',
    worker: 'select (id, address, name, archived_at)',
    treasury: 'select, update (key_id, sealed)',
  },

  // Chains
  blocks: { api: 'select', indexer: all },
  chain_cursors: { api: 'select', worker: 'select', indexer: 'select, insert, update' },
  // The treasury reads if a refund's payment is still confirmed.
  detections: { api: 'select', worker: 'select', indexer: 'select, insert, update', treasury: 'select' },
  transfers: { api: 'select', worker: 'select', indexer: 'select, insert, update', treasury: 'select' },
  watches: {
    api: 'select, insert, update',
    worker: 'select, insert, update',
    indexer: 'select, update (from_height, import_id)',
    treasury: 'select, insert',
  },

  // Sessions, books, monitoring
  pos_sessions: { api: 'select, insert, update', worker: 'select, update', indexer: ofSessions },
  open_session_counts: { api: all, worker: 'select, insert, delete' },
  // The api settles a session in the transaction in which a person resolves it.
  session_payments: { api: 'select, insert, update', worker: 'select, insert, update' },
  suspense_payments: {
    api: 'select, update (business_id, account, entries, updated_at)',
    worker: 'select, insert, update',
  },
  // The api posts adjustments, in the transaction in which the second operator approves.
  // The treasury reads if the money of what it is to pay out is held; it posts nothing.
  ledger_accounts: {
    api: 'select, insert',
    worker: 'select, insert',
    treasury: 'select',
    verification: 'select, insert',
  },
  // Written by the triggers of postings and accounts, with the owner's rights.
  ledger_balances: { api: 'select', worker: 'select', verification: 'select' },
  ledger_entries: {
    api: 'select, insert',
    worker: 'select, insert',
    treasury: 'select',
    verification: 'select, insert',
  },
  ledger_postings: {
    api: 'select, insert',
    worker: 'select, insert',
    treasury: 'select',
    verification: 'select, insert',
  },
  ledger_id_drifts: { api: 'select, insert', worker: 'insert', verification: 'insert' },
  // Triggers alone write it.
  ledger_unbalanced: {},
  monitored_addresses: { api: 'select, insert, update', worker: 'select, insert, update' },
  monitored_address_counts: { api: 'select, insert', worker: 'select, insert, delete' },
  monitored_movements: { worker: 'select, insert, update' },
  monitoring_additions: { api: 'select, insert', worker: 'select, update, delete' },
  monitoring_addition_rows: { api: 'select, insert', worker: 'select, update, delete' },
  monitoring_imports: {
    api: 'select, insert, update',
    worker: 'select, insert, update',
    indexer: `select, ${ofImports}`,
  },
  token_facts: { worker: 'select, insert, update' },

  // Transaction manager
  intents: {
    api: `select, insert, update (${course}, cancel_requested_at, cancel_proof)`,
    worker: `select, insert, update (${course})`,
    treasury: `select, update (${course})`,
  },
  intent_attempts: {
    api: `select, ${wanted}, update (tx_id, bytes, expires_height, expires_at, signed_at, sends, refusals, accepted_at, nonce_taken, was_taken, refused, void_at), delete`,
    worker: `select, ${wanted}, update (bytes, sends, refusals, accepted_at, nonce_taken, was_taken, refused, void_at)`,
    treasury:
      'select, update (tx_id, bytes, expires_height, expires_at, signed_at, failures, unproven_since, refused, void_at), delete',
  },
  intent_nonces: {
    api: 'select, insert, delete',
    worker: 'select, insert, delete',
    treasury: 'select, delete',
  },
  // The worker reads the fees, to plan within the operator's budget.
  treasury_signatures: {
    worker: 'select (intent_id, chain, max_fee, signed_at)',
    treasury: 'select, insert',
  },
  prepared_transfers: { api: 'select, insert, update', worker: 'select, delete, update (submitted_at)' },
  // Only the operator pauses chains, by a command.
  sending_pauses: { api: 'select', worker: 'select', treasury: 'select' },
  // Only the operator sets limits of fees, by a command.
  fee_limits: { api: 'select', worker: 'select', treasury: 'select' },
  database_identity: { api: 'select', worker: 'select', treasury: 'select' },

  // Events and webhooks
  event_sequences: {
    api: 'select, insert, update',
    worker: 'select, insert, update',
    treasury: 'select, insert, update',
    verification: 'select, insert, update',
  },
  events: {
    api: `select, ${records}`,
    worker: `select, ${records}`,
    treasury: records,
    verification: records,
  },
  events_default: { worker: 'select, delete' },
  webhook_attempts: { api: 'select', worker: 'select, insert, update' },
  webhook_attempts_default: { worker: 'select, delete' },
  webhook_deliveries: {
    api: `select, ${records}, update`,
    worker: `select, ${records}, update`,
    treasury: records,
    verification: records,
  },
  webhook_deliveries_default: { worker: 'select, delete' },
  webhook_delivery_counts: {
    api: 'select, insert',
    worker: 'select, insert, delete',
    treasury: records,
    verification: records,
  },
  webhook_endpoints: {
    api: 'select, insert, update',
    worker: 'select, update',
    treasury: `select (${toRecordEvents})`,
    verification: `select (${toRecordEvents})`,
  },
  webhook_queue: { api: all, worker: all, treasury: records, verification: records },
  webhook_type_health: { api: all, worker: all },

  // The platform's own
  migrations: {
    api: 'select',
    worker: 'select',
    indexer: 'select',
    treasury: 'select',
    verification: 'select',
  },
  // An operator replays dead jobs.
  outbox: {
    api: 'select, insert, update (dead_at, tries_left, relay_after)',
    worker: 'select, insert, update, delete',
    indexer: 'insert',
  },
}

/** Every function that a process calls itself, with its callers. Trigger functions need no grant. */
export const functionGrants: Readonly<Record<string, readonly DatabaseRole[]>> = {
  'add_audit_months()': ['worker'],
  // Workers of the version before call it.
  'add_webhook_partition(date,date)': ['worker'],
  'add_webhook_week(date)': ['worker'],
  'api_key_in_use(bytea)': ['api'],
  'approval_kept(uuid)': ['api', 'worker', 'treasury', 'verification'],
  'drop_audit_month()': ['worker'],
  'drop_webhook_week(text,date)': ['worker'],
  'drop_webhook_week_unless_open(text,date)': ['worker'],
  'ledger_final_until()': ['api'],
  'ledger_posting_time()': ['api', 'worker', 'verification'],
  'lock_ledger_balances(text[],uuid[],text[])': ['api', 'worker', 'verification'],
  'offer_mailed_reset(uuid,uuid,bytea,bytea)': ['worker'],
  'present_identity()': ['api', 'worker', 'treasury'],
  'take_delivery_turn(uuid,uuid[],timestamp with time zone[],integer[],integer[],text[],double precision[],text[],text[],timestamp with time zone[],integer[],integer[],text[],text[],timestamp with time zone,timestamp with time zone,text,boolean,integer,text,double precision,integer,integer,integer,integer,double precision,double precision,double precision,double precision,integer,double precision,integer,uuid[],uuid[],integer[],integer)':
    ['worker'],
  // Workers of the version before call it.
  'take_webhook_turn(uuid,uuid[],timestamp with time zone[],integer[],integer[],text[],double precision[],text[],text[],timestamp with time zone[],integer[],integer[],text[],text[],timestamp with time zone,timestamp with time zone,text,boolean,integer,text,double precision,integer,integer,integer,integer,double precision,double precision,double precision,double precision,integer,double precision,integer,uuid[],uuid[],integer[],integer)':
    ['worker'],
  'webhook_traceparent(uuid)': ['worker'],
  // Marks the roles that may add rows of every area (0187-verification-role.ts).
  'writes_for_all_areas()': ['api', 'worker', 'treasury'],
}
