import { createHash } from 'node:crypto'
import { xdr } from '@stellar/stellar-sdk/base'
import { parseUnits } from '../../money/amount.ts'
import { bytesOf } from '../bytesOf.ts'
import { type BlockHeader, ProviderError } from '../chain.ts'
import type { Endpoint } from '../providers/providers.ts'
import { timeOf } from '../storable.ts'

/** A ledger as nodes return it. XDR in base64. */
export interface RawLedger {
  header: LedgerHeader
  /** All, including failed ones, in the order in which they were applied. */
  transactions: RawTransaction[]
}

export interface LedgerHeader extends BlockHeader {
  /** The hash of all results, to which the header commits. */
  resultsHash: string
}

export interface RawTransaction {
  hash: string
  envelopeXdr: string
  resultXdr: string
  /** Changes and events; null if the node does not return them. */
  metaXdr: string | null
  /** Horizon's credits by operation, only of operations that cannot be read from envelope and result. */
  effects?: ReadonlyMap<number, readonly Credit[]>
  /** Horizon's movements of contract calls and pools, by operation. */
  flows?: ReadonlyMap<number, readonly Flow[]>
}

/** An amount that one operation credited to an account. */
export interface Credit {
  /** `G…`, or a contract's `C…`. */
  account: string
  /** The id in the muxed address that was paid; null without one. */
  id: bigint | null
  /** `CODE:ISSUER`; null for the native coin. */
  asset: string | null
  /** Units of 10^-7. */
  amount: bigint
}

/** An amount from one holder to another. */
export interface Flow extends Omit<Credit, 'account'> {
  /** Null: it was issued. */
  from: string | null
  /** Null: it was burned. */
  to: string | null
}

/** An amount that one operation took from an account. */
export interface Debit extends Pick<Credit, 'account' | 'asset' | 'amount'> {
  /**
   * The receiver, without the id of a muxed address: an account, a contract, a claimable balance (`B…`) or a
   * pool (`L…`).
   */
  to: string
}

/** One endpoint of either API. */
export interface LedgerSource extends Endpoint {
  /** The network's passphrase. */
  network(): Promise<string>
  newest(): Promise<LedgerHeader>
  /**
   * @returns null if the ledger has not closed yet @throws ProviderError if this endpoint no longer keeps it
   */
  header(height: number): Promise<LedgerHeader | null>
  ledger(height: number): Promise<RawLedger | null>
  /** A transaction and its ledger; null if this endpoint does not know it. */
  transaction(txId: string): Promise<{ height: number; transaction: RawTransaction } | null>
}

const sha256 = (...parts: Uint8Array[]): string =>
  parts.reduce((hash, part) => hash.update(part), createHash('sha256')).digest('hex')

/** Reads a header; its id is the hash of its bytes. @throws ProviderError if it is of another height */
export function headerOf(header: xdr.LedgerHeader, height: number): LedgerHeader {
  if (header.ledgerSeq !== height)
    throw new ProviderError(`asked for ledger ${height}, got ${header.ledgerSeq}`)
  return {
    height,
    id: sha256(header.toXDR()),
    parentId: hexOf(header.previousLedgerHash.value),
    time: timeOf(Number(header.scpValue.closeTime) * 1000),
    resultsHash: hexOf(header.txSetResultHash.value),
  }
}

const decimals = 7

/** Both APIs and the SDK write amounts as decimals. */
export function unitsOf(amount: string): bigint {
  const units = parseUnits(amount, decimals)
  if (units === null) throw new ProviderError(`not an amount: ${amount.slice(0, 50)}`)
  return units
}

export const hexOf = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex')

/**
 * The hash of a ledger's results (`TransactionResultSet` of Stellar-ledger.x). It changes if a transaction is
 * left out, or reported as failed.
 */
export function resultsHash(transactions: readonly RawTransaction[]): string {
  const count = Buffer.alloc(4)
  count.writeUInt32BE(transactions.length)
  return sha256(
    count,
    ...transactions.flatMap(({ hash, resultXdr }) => [bytesOf(hash, 'hex'), bytesOf(resultXdr, 'base64')]),
  )
}

export const ledgerHeaderOf = (base64: string): xdr.LedgerHeader => xdr.LedgerHeader.fromXDR(base64, 'base64')
