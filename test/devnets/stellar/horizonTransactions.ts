import { xdr } from '@stellar/stellar-sdk'
import type { DecodedTransaction } from './decoded.ts'
import { decodeLedger } from './decoded.ts'
import { timeBoundsOf } from './envelope.ts'
import type { LedgerRecord } from './history.ts'
import { muxedFields } from './horizonOperations.ts'
import { baseOf, formatAmount, hex, isoTime, toid } from './values.ts'

/* Transactions and ledgers as Horizon shows them: Stellar docs, Horizon, "The transaction object", "The ledger object". */

const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64')

/** @param withMeta false: like a Horizon with SKIP_TXMETA, which omits `result_meta_xdr` */
export function transactionRecord(
  tx: DecodedTransaction,
  base: string,
  withMeta: boolean,
): Record<string, unknown> {
  const { record, ledger, envelope, transaction, result, id } = tx
  const own = `${base}/transactions/${record.hash}`
  const bump = envelope.type === 'envelopeTypeTxFeeBump' ? envelope.feeBump : null
  const plain = envelope.type === 'envelopeTypeTx' ? envelope.v1 : null
  const inner = bump ? bump.tx.innerTx.v1 : plain
  const innerSignatures = (inner?.signatures ?? []).map(({ signature }) => base64(signature.value))
  const signatures = bump ? bump.signatures.map(({ signature }) => base64(signature.value)) : innerSignatures
  return {
    _links: {
      self: { href: own },
      account: { href: `${base}/accounts/${baseOf(transaction.sourceAccount)}` },
      ledger: { href: `${base}/ledgers/${ledger.sequence}` },
      operations: { href: `${own}/operations{?cursor,limit,order}`, templated: true },
      effects: { href: `${own}/effects{?cursor,limit,order}`, templated: true },
      precedes: { href: `${base}/transactions?order=asc&cursor=${id}` },
      succeeds: { href: `${base}/transactions?order=desc&cursor=${id}` },
      transaction: { href: own },
    },
    id: record.hash,
    paging_token: String(id),
    successful: record.successful,
    hash: record.hash,
    ledger: ledger.sequence,
    created_at: isoTime(ledger.closeTime),
    source_account: baseOf(transaction.sourceAccount),
    ...muxedFields('account', transaction.sourceAccount),
    source_account_sequence: String(transaction.seqNum),
    fee_account: baseOf(bump?.tx.feeSource ?? transaction.sourceAccount),
    ...muxedFields('fee_account', bump?.tx.feeSource ?? transaction.sourceAccount),
    fee_charged: String(result.feeCharged),
    max_fee: String(bump?.tx.fee ?? transaction.fee),
    operation_count: transaction.operations.length,
    envelope_xdr: record.envelope,
    result_xdr: record.result,
    ...(withMeta ? { result_meta_xdr: record.meta } : {}),
    fee_meta_xdr: record.feeChanges,
    ...memoFields(transaction.memo),
    signatures,
    ...preconditions(transaction),
    ...(bump
      ? {
          fee_bump_transaction: { hash: record.hash, signatures },
          inner_transaction: {
            hash: record.innerHash,
            signatures: innerSignatures,
            max_fee: String(transaction.fee),
          },
        }
      : {}),
  }
}

function memoFields(memo: xdr.Memo): Record<string, string> {
  switch (memo.type) {
    case 'memoNone':
      return { memo_type: 'none' }
    case 'memoId':
      return { memo_type: 'id', memo: String(memo.id) }
    // The text need not be valid UTF-8: the bytes count.
    case 'memoText': {
      const bytes = Buffer.from(memo.text.bytes)
      return { memo_type: 'text', memo: bytes.toString('utf8'), memo_bytes: bytes.toString('base64') }
    }
    case 'memoHash':
      return { memo_type: 'hash', memo: base64(memo.hash.value) }
    case 'memoReturn':
      return { memo_type: 'return', memo: base64(memo.retHash.value) }
  }
}

function preconditions(transaction: xdr.Transaction): Record<string, unknown> {
  const { minTime, maxTime } = timeBoundsOf(transaction)
  if (transaction.cond.type === 'precondNone') return {}
  const shown = { min_time: String(minTime), ...(maxTime ? { max_time: String(maxTime) } : {}) }
  return { preconditions: { timebounds: shown } }
}

export function ledgerRecord(ledger: LedgerRecord, base: string): Record<string, unknown> {
  const own = `${base}/ledgers/${ledger.sequence}`
  const header = xdr.LedgerHeader.fromXdr(ledger.header, 'base64')
  const transactions = decodeLedger(ledger)
  const good = transactions.filter(({ record }) => record.successful)
  const count = (list: readonly DecodedTransaction[]) =>
    list.reduce((sum, { operations }) => sum + operations.length, 0)
  const many = (name: string) => ({ href: `${own}/${name}{?cursor,limit,order}`, templated: true })
  return {
    _links: {
      self: { href: own },
      transactions: many('transactions'),
      operations: many('operations'),
      payments: many('payments'),
      effects: many('effects'),
    },
    id: ledger.hash,
    paging_token: String(toid(ledger.sequence, 0, 0)),
    hash: ledger.hash,
    ...(ledger.sequence > 1 ? { prev_hash: hex(header.previousLedgerHash.value) } : {}),
    sequence: ledger.sequence,
    successful_transaction_count: good.length,
    failed_transaction_count: transactions.length - good.length,
    operation_count: count(good),
    tx_set_operation_count: count(transactions),
    closed_at: isoTime(ledger.closeTime),
    total_coins: formatAmount(header.totalCoins),
    fee_pool: formatAmount(header.feePool),
    base_fee_in_stroops: header.baseFee,
    base_reserve_in_stroops: header.baseReserve,
    max_tx_set_size: header.maxTxSetSize,
    protocol_version: header.ledgerVersion,
    header_xdr: ledger.header,
  }
}
