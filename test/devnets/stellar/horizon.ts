import {
  type DecodedOperation,
  type DecodedTransaction,
  decode,
  decodeLedger,
  participants,
} from './decoded.ts'
import { type AccountEntry, entryKey } from './entries.ts'
import type { View } from './faces.ts'
import { protocolVersion } from './history.ts'
import { type EffectRecord, effectRecords } from './horizonEffects.ts'
import { isPayment, operationRecord } from './horizonOperations.ts'
import { beforeHistory, notFound, type Paged, type Query } from './horizonPages.ts'
import { pathRecords } from './horizonPaths.ts'
import { accountRecord, claimableRecord, offerRecord } from './horizonState.ts'
import { ledgerRecord, transactionRecord } from './horizonTransactions.ts'
import { baseOf, toid } from './values.ts'

/* Horizon's routes: Stellar docs, Horizon, "Resources". */

/** The answer to a request: one resource, or a collection in ascending order. */
export type Answer = { resource: object } | { records: () => Paged[] }

export interface Request {
  view: View
  /** The API's base URL, for links. */
  base: string
  /** Segments of the path, without empty ones. */
  parts: readonly string[]
  params: URLSearchParams
  query: Query
}

const many = (records: () => Record<string, unknown>[]): Answer => ({ records: () => records() as Paged[] })

const oldestOf = (view: View) => Math.max(1, view.flags.horizonPruneBelow ?? 1)

function transactionsOf(view: View): DecodedTransaction[] {
  return view.from(oldestOf(view)).flatMap(decodeLedger)
}

/** `include_failed=true` includes failed transactions and their operations: Stellar docs, Horizon. */
const shown =
  ({ params }: Request) =>
  (tx: DecodedTransaction) =>
    params.get('include_failed') === 'true' || tx.record.successful

export function answerHorizon(request: Request): Answer {
  const { view, base, parts, params } = request
  const [kind, id, sub] = parts
  if (request.query.cursor !== '' && request.query.cursor !== 'now') checkCursor(view, request.query)
  switch (kind) {
    case undefined:
      return { resource: root(view, base) }
    case 'fee_stats':
      return { resource: feeStats(view) }
    case 'ledgers':
      return id === undefined
        ? many(() => view.from(oldestOf(view)).map((ledger) => ledgerRecord(ledger, base)))
        : ledgers(request, Number(id), sub)
    case 'transactions':
      return id === undefined
        ? activity(request, 'transactions', () => transactionsOf(view))
        : transactions(request, id, sub)
    case 'operations':
      return id === undefined
        ? activity(request, 'operations', () => transactionsOf(view))
        : operations(request, id, sub)
    case 'payments':
    case 'effects':
      return activity(request, kind, () => transactionsOf(view))
    case 'accounts':
      return accounts(request, id ?? '', sub)
    case 'claimable_balances':
      return id === undefined ? claimables(view, base, params) : claimable(view, base, id)
    case 'offers':
      return many(() => offersOf(view, base, params.get('seller')))
    case 'paths':
      return many(() => pathRecords(view, id ?? '', params))
    default:
      throw notFound()
  }
}

/** A cursor from before the recorded history is refused. */
function checkCursor(view: View, { cursor, descending }: Query): void {
  const oldest = oldestOf(view)
  const position = BigInt(cursor.split('-')[0] ?? 0)
  if (oldest > 1 && !descending && position < toid(oldest - 1, 0, 0)) throw beforeHistory()
}

type Kind = 'transactions' | 'operations' | 'payments' | 'effects'

/** Transactions, or their operations, payments or effects. `who`: only those of an account. */
function activity(request: Request, kind: Kind, list: () => DecodedTransaction[], who?: string): Answer {
  const { view, base } = request
  const good = shown(request)
  const concerns = (operation: DecodedOperation) =>
    who === undefined || operationAccounts(operation).includes(who)
  switch (kind) {
    case 'transactions':
      return many(() =>
        list()
          .filter((tx) => good(tx) && (who === undefined || transactionAccounts(tx).includes(who)))
          .map((tx) => transactionRecord(tx, base, !view.flags.noMeta)),
      )
    case 'operations':
    case 'payments':
      return many(() =>
        list()
          .filter(good)
          .flatMap((tx) => tx.operations)
          .filter((operation) => concerns(operation) && (kind === 'operations' || isPayment(operation)))
          .map((operation) => withTransaction(request, operation)),
      )
    case 'effects':
      return many(() =>
        list()
          .flatMap((tx) => tx.operations)
          .flatMap((operation): EffectRecord[] => effectRecords(operation, base))
          .filter(({ account }) => who === undefined || account === who),
      )
  }
}

/** `join=transactions` embeds the transaction in the operation. */
function withTransaction(
  { view, base, params }: Request,
  operation: DecodedOperation,
): Record<string, unknown> {
  const record = operationRecord(operation, base)
  return params.get('join') === 'transactions'
    ? { ...record, transaction: transactionRecord(operation.tx, base, !view.flags.noMeta) }
    : record
}

/** Accounts of an operation: those it names, and those whose balances it changed. */
const operationAccounts = (operation: DecodedOperation): string[] => [
  ...participants(operation),
  ...effectRecords(operation, '').map(({ account }) => account),
]

function transactionAccounts(tx: DecodedTransaction): string[] {
  const payer = tx.envelope.type === 'envelopeTypeTxFeeBump' ? [baseOf(tx.envelope.feeBump.tx.feeSource)] : []
  return [baseOf(tx.transaction.sourceAccount), ...payer, ...tx.operations.flatMap(operationAccounts)]
}

const isKind = (sub: string | undefined): sub is Kind =>
  sub !== undefined && ['transactions', 'operations', 'payments', 'effects'].includes(sub)

function ledgers(request: Request, sequence: number, sub: string | undefined): Answer {
  const { view, base } = request
  const ledger = view.ledger(sequence)
  if (ledger && sequence < oldestOf(view)) throw beforeHistory()
  if (!ledger) throw notFound()
  if (sub === undefined) return { resource: ledgerRecord(ledger, base) }
  if (!isKind(sub)) throw notFound()
  return activity(request, sub, () => decodeLedger(ledger))
}

function transactions(request: Request, hash: string, sub: string | undefined): Answer {
  const { view, base } = request
  const place = view.find(hash)
  if (!place || place.ledger.sequence < oldestOf(view)) throw notFound()
  const tx = decode(place.ledger, place.record, place.index)
  if (sub === undefined) return { resource: transactionRecord(tx, base, !view.flags.noMeta) }
  if (!isKind(sub) || sub === 'transactions') throw notFound()
  // A single transaction shows all its operations, even if it failed.
  return activity(
    { ...request, params: new URLSearchParams([...request.params, ['include_failed', 'true']]) },
    sub,
    () => [tx],
  )
}

function operations(request: Request, id: string, sub: string | undefined): Answer {
  const { view, base } = request
  if (!/^\d+$/.test(id)) throw notFound()
  const ledger = view.ledger(Number(BigInt(id) >> 32n))
  const found =
    ledger &&
    decodeLedger(ledger)
      .flatMap((tx) => tx.operations)
      .find((operation) => operation.id === BigInt(id))
  if (!found) throw notFound()
  if (sub === 'effects') return many(() => effectRecords(found, base))
  return { resource: withTransaction(request, found) }
}

function accounts(request: Request, id: string, sub: string | undefined): Answer {
  const { view, base } = request
  if (isKind(sub)) return activity(request, sub, () => transactionsOf(view), id)
  const entry = view.entry(entryKey.account(id))
  if (entry?.kind !== 'account') throw notFound()
  if (sub === 'offers') return many(() => offersOf(view, base, id))
  if (sub !== undefined) throw notFound()
  return { resource: accountRecord(view, entry satisfies AccountEntry, base) }
}

const offersOf = (view: View, base: string, seller: string | null): Record<string, unknown>[] =>
  view
    .entries()
    .flatMap((entry) =>
      entry.kind === 'offer' && (seller === null || entry.seller === seller)
        ? [offerRecord(entry, base)]
        : [],
    )

function claimables(view: View, base: string, params: URLSearchParams): Answer {
  const [claimant, sponsor, asset] = [params.get('claimant'), params.get('sponsor'), params.get('asset')]
  return many(() =>
    view
      .entries()
      .flatMap((entry) => {
        if (entry.kind !== 'claimable') return []
        const matches =
          (claimant === null || entry.claimants.some(({ destination }) => destination === claimant)) &&
          (sponsor === null || entry.sponsor === sponsor) &&
          (asset === null || entry.asset === asset)
        return matches ? [entry] : []
      })
      .sort((a, b) => a.modified - b.modified || (a.id < b.id ? -1 : 1))
      .map((entry) => claimableRecord(view, entry, base)),
  )
}

function claimable(view: View, base: string, id: string): Answer {
  const entry = view.entry(entryKey.claimable(id.slice(8)))
  if (entry?.kind !== 'claimable') throw notFound()
  return { resource: claimableRecord(view, entry, base) }
}

function root(view: View, base: string): object {
  const [latest, oldest] = [view.latest(), oldestOf(view)]
  const link = (path: string, templated = true) => ({
    href: `${base}/${path}`,
    ...(templated ? { templated } : {}),
  })
  return {
    _links: {
      account: link('accounts/{account_id}'),
      ledger: link('ledgers/{sequence}'),
      ledgers: link('ledgers{?cursor,limit,order}'),
      transaction: link('transactions/{hash}'),
      transactions: link('transactions{?cursor,limit,order}'),
      payments: link('payments{?cursor,limit,order}'),
      self: { href: base },
    },
    horizon_version: 'devnet',
    core_version: 'devnet',
    ingest_latest_ledger: latest.sequence,
    history_latest_ledger: latest.sequence,
    history_latest_ledger_closed_at: new Date(latest.closeTime * 1000).toISOString().replace('.000Z', 'Z'),
    history_elder_ledger: oldest,
    core_latest_ledger: view.chain.latest().sequence,
    network_passphrase: view.passphrase,
    current_protocol_version: protocolVersion,
    supported_protocol_version: protocolVersion,
    core_supported_protocol_version: protocolVersion,
  }
}

function feeStats(view: View): object {
  const names = [
    'max',
    'min',
    'mode',
    'p10',
    'p20',
    'p30',
    'p40',
    'p50',
    'p60',
    'p70',
    'p80',
    'p90',
    'p95',
    'p99',
  ]
  const distribution = Object.fromEntries(names.map((name) => [name, '100']))
  const last_ledger = String(view.latest().sequence)
  return {
    last_ledger,
    last_ledger_base_fee: '100',
    ledger_capacity_usage: '0.01',
    fee_charged: distribution,
    max_fee: distribution,
  }
}
