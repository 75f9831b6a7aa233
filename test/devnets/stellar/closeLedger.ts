import { type Keypair, xdr } from '@stellar/stellar-sdk'
import { type Applied, applyTransaction, chargeFee, refundFee } from './applyTransaction.ts'
import type { LedgerContext, Network } from './context.ts'
import type { Parsed } from './envelope.ts'
import {
  encodeChanges,
  headerHash,
  type LedgerRecord,
  protocolVersion,
  resultsHash,
  type TransactionRecord,
  transactionSet,
} from './history.ts'
import { baseReserve } from './money.ts'
import { type Book, openFrame } from './state.ts'
import { baseFee } from './validity.ts'
import { type AssetName, hex, nativeAsset, sdkAsset, sha256 } from './values.ts'

/** Total of all lumens, in stroops, as on the public network: Stellar docs, Lumens, "Lumen supply". */
export const totalCoins = 500_018_066_820_000_000n

const maxSetSize = 1000

export interface Closing {
  network: Network
  book: Book
  previous: LedgerRecord
  /** The closing node's key: signs the value, as a validator does. */
  validator: Keypair
  closeTime: number
  /**
   * Part of the state's hash: a ledger that replaces a dropped one gets another hash even with the same
   * content.
   */
  salt: string
}

/**
 * Closes the next ledger with transactions that are valid on the state before it. The caller updates the
 * book.
 */
export function closeLedger(closing: Closing, transactions: readonly Parsed[]): LedgerRecord {
  const { network, book, previous, closeTime } = closing
  const before = xdr.LedgerHeader.fromXdr(previous.header, 'base64')
  const sequence = previous.sequence + 1
  const set = transactionSet(previous.hash, transactions.map(unapplied))
  const setHash = sha256(set.toXdr())
  const order = applyOrder(transactions, setHash)
  const ledger: LedgerContext = {
    network,
    sequence,
    closeTime,
    idPool: before.idPool,
    assetOfContract: (contract) => assetByContract(book, network, contract),
  }
  const frame = openFrame(book, sequence)
  const fees = new Map(order.map((parsed) => [parsed, chargeFee(frame, parsed)]))
  const applied = order
    .map((parsed) =>
      applyTransaction(frame, ledger, parsed, fees.get(parsed) ?? { charged: 0n, changes: [] }),
    )
    .map((each) => refundFee(frame, each))
  const records = applied.map(recordOf)
  const changes = [...frame.writes()].map(([key, after]): LedgerRecord['changes'][number] => [
    key,
    book.get(key) ?? null,
    after,
  ])
  const burnt = applied.reduce((sum, each) => sum + each.result.feeCharged, 0n)
  const header = new xdr.LedgerHeader({
    ...before,
    ledgerVersion: protocolVersion,
    previousLedgerHash: Buffer.from(previous.hash, 'hex'),
    scpValue: signedValue(closing, setHash),
    txSetResultHash: resultsHash(records),
    bucketListHash: stateHash(before.bucketListHash.value, changes, closing.salt),
    ledgerSeq: sequence,
    feePool: before.feePool + burnt,
    idPool: ledger.idPool,
  })
  return {
    sequence,
    hash: headerHash(header),
    closeTime,
    header: header.toXdr('base64'),
    transactions: records,
    changes,
  }
}

/** The header of the first ledger. */
export function genesisHeader(closeTime: number): xdr.LedgerHeader {
  const zero = new Uint8Array(32)
  return new xdr.LedgerHeader({
    ledgerVersion: protocolVersion,
    previousLedgerHash: zero,
    scpValue: new xdr.StellarValue({
      txSetHash: zero,
      closeTime: BigInt(closeTime),
      upgrades: [],
      ext: xdr.StellarValueExt.stellarValueBasic(),
    }),
    txSetResultHash: zero,
    bucketListHash: zero,
    ledgerSeq: 1,
    totalCoins,
    feePool: 0n,
    inflationSeq: 0,
    idPool: 0n,
    baseFee: Number(baseFee),
    baseReserve: Number(baseReserve),
    maxTxSetSize: maxSetSize,
    skipList: [zero, zero, zero, zero],
    ext: xdr.LedgerHeaderExt.v0(),
  })
}

/** The consensus value, signed: CAP-34 and the value of `StellarValue`'s `ext`. */
function signedValue({ network, validator, closeTime }: Closing, txSetHash: Buffer): xdr.StellarValue {
  const envelopeTypeScpValue = 6
  const message = Buffer.alloc(4 + 32 + 8)
  message.writeInt32BE(envelopeTypeScpValue, 0)
  txSetHash.copy(message, 4)
  message.writeBigUInt64BE(BigInt(closeTime), 36)
  const signature = validator.sign(Buffer.concat([network.id, message]))
  return new xdr.StellarValue({
    txSetHash,
    closeTime: BigInt(closeTime),
    upgrades: [],
    ext: xdr.StellarValueExt.stellarValueSigned(
      new xdr.LedgerCloseValueSignature({ nodeId: validator.xdrPublicKey(), signature }),
    ),
  })
}

/** In place of the bucket list, which is not kept: a hash over all changes so far. */
const stateHash = (before: Uint8Array, changes: LedgerRecord['changes'], salt: string): Buffer =>
  sha256(
    Buffer.concat([
      before,
      Buffer.from(`${salt}/${changes.map(([key, , after]) => `${key}=${after?.modified ?? 'gone'}`).join()}`),
    ]),
  )

/**
 * Contract calls last, each group in an unpredictable order: by hash mixed with the set's hash (stellar-core,
 * ApplyTxSorter).
 */
function applyOrder(transactions: readonly Parsed[], setHash: Buffer): Parsed[] {
  const rank = ({ hash }: Parsed) => hex(Buffer.from(hash, 'hex').map((byte, i) => byte ^ (setHash[i] ?? 0)))
  return [...transactions].sort(
    (a, b) => Number(a.soroban) - Number(b.soroban) || (rank(a) < rank(b) ? -1 : 1),
  )
}

const unapplied = (parsed: Parsed): TransactionRecord => ({
  hash: parsed.hash,
  innerHash: parsed.bump ? parsed.inner.hash : null,
  soroban: parsed.soroban,
  successful: false,
  envelope: parsed.envelope.toXdr('base64'),
  result: '',
  meta: '',
  feeChanges: '',
  refundChanges: '',
})

const recordOf = (applied: Applied): TransactionRecord => ({
  ...unapplied(applied.parsed),
  successful: applied.successful,
  result: applied.result.toXdr('base64'),
  meta: xdr.TransactionMeta.v4(applied.meta).toXdr('base64'),
  feeChanges: encodeChanges(applied.feeChanges),
  refundChanges: encodeChanges(applied.refundChanges),
})

function assetByContract(book: Book, network: Network, contract: string): AssetName | undefined {
  const held = new Set(
    [...book.entries.values()].flatMap((entry) => (entry.kind === 'trustline' ? [entry.asset] : [])),
  )
  return [nativeAsset, ...held].find((asset) => contractOf(network, asset) === contract)
}

const contracts = new Map<AssetName, string>()

function contractOf({ passphrase }: Network, asset: AssetName): string {
  const known = contracts.get(asset) ?? sdkAsset(asset).contractId(passphrase)
  contracts.set(asset, known)
  return known
}
