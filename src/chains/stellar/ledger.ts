import { createHash } from 'node:crypto'
import { xdr } from '@stellar/stellar-sdk/base'
import { parseUnits } from '../amount.ts'
import { type BlockHeader, ProviderError } from '../chain.ts'
import type { Endpoint } from '../providers/providers.ts'

/** A ledger as its nodes give it, before anything is read in it. XDR in base64. */
export interface RawLedger {
  header: LedgerHeader
  /** All, failed ones included, in the order in which they were applied. */
  transactions: RawTransaction[]
}

export interface LedgerHeader extends BlockHeader {
  /** What the header commits to: the hash of all results. */
  resultsHash: string
}

export interface RawTransaction {
  hash: string
  envelopeXdr: string
  resultXdr: string
  /** What it changed, with its events; null where the node does not give it. */
  metaXdr: string | null
  /** Horizon's word for what came in, by operation; of those only that cannot be read from envelope and result. */
  effects?: ReadonlyMap<number, readonly Credit[]>
  /** And for what calls of contracts, and of pools, moved, by operation. */
  flows?: ReadonlyMap<number, readonly Flow[]>
}

/** What one operation brought to an account. */
export interface Credit {
  /** `G…`, or a contract's `C…`. */
  account: string
  /** The id in the muxed address that was paid; null: none. */
  id: bigint | null
  /** `CODE:ISSUER`; null for the native coin. */
  asset: string | null
  /** In units of 10^-7. */
  amount: bigint
}

/** A movement from one to another. */
export interface Flow extends Omit<Credit, 'account'> {
  /** Null: it was issued. */
  from: string | null
  /** Null: it is no more. */
  to: string | null
}

/** What one operation took from an account. */
export interface Debit extends Pick<Credit, 'account' | 'asset' | 'amount'> {
  /** Who has it instead, without the id of a muxed address: an account, a contract, a claimable balance (`B…`) or a pool (`L…`). */
  to: string
}

/** One endpoint of the network: of either of its two APIs. */
export interface LedgerSource extends Endpoint {
  /** The network's passphrase. */
  network(): Promise<string>
  newest(): Promise<LedgerHeader>
  /** Null where the network has not come so far. @throws ProviderError where this endpoint no longer keeps it */
  header(height: number): Promise<LedgerHeader | null>
  ledger(height: number): Promise<RawLedger | null>
  /** A transaction and the ledger that it is in; null where this endpoint does not know it. */
  transaction(txId: string): Promise<{ height: number; transaction: RawTransaction } | null>
}

const sha256 = (...parts: Uint8Array[]): string => parts.reduce((hash, part) => hash.update(part), createHash('sha256')).digest('hex')

/**
 * Reads a header from its bytes; the id is their hash.
 * @throws ProviderError where it is that of another height
 */
export function headerOf(header: xdr.LedgerHeader, height: number): LedgerHeader {
  if (header.ledgerSeq !== height) throw new ProviderError(`asked for ledger ${height}, got ${header.ledgerSeq}`)
  return {
    height,
    id: sha256(header.toXDR()),
    parentId: hexOf(header.previousLedgerHash.value),
    time: new Date(Number(header.scpValue.closeTime) * 1000),
    resultsHash: hexOf(header.txSetResultHash.value),
  }
}

const decimals = 7

/** Both APIs and the SDK tell amounts as decimals. */
export function unitsOf(amount: string): bigint {
  const units = parseUnits(amount, decimals)
  if (units === null) throw new ProviderError(`not an amount: ${amount.slice(0, 50)}`)
  return units
}

export const hexOf = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex')

/**
 * The hash of a ledger's results (`TransactionResultSet` of Stellar-ledger.x): nothing can be left out of a ledger, or be told as one that
 * failed, without it being another.
 */
export function resultsHash(transactions: readonly RawTransaction[]): string {
  const count = Buffer.alloc(4)
  count.writeUInt32BE(transactions.length)
  return sha256(count, ...transactions.flatMap(({ hash, resultXdr }) => [Buffer.from(hash, 'hex'), Buffer.from(resultXdr, 'base64')]))
}

export const ledgerHeaderOf = (base64: string): xdr.LedgerHeader => xdr.LedgerHeader.fromXDR(base64, 'base64')
