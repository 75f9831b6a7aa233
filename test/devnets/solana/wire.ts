import { createPublicKey, verify } from 'node:crypto'
import { base58 } from '@scure/base'
import {
  type Address,
  type CompiledTransactionMessage,
  type CompiledTransactionMessageWithLifetime,
  getCompiledTransactionMessageDecoder,
  getTransactionDecoder,
  type Transaction,
} from '@solana/kit'
import { rpcErrors } from './errors.ts'

export interface WireInstruction {
  programIdIndex: number
  accounts: readonly number[]
  data: Uint8Array
}

export interface TableLookup {
  accountKey: Address
  writableIndexes: readonly number[]
  readonlyIndexes: readonly number[]
}

/** A transaction as received, and its decoded message: the same shape for legacy, 0 and 1. */
export interface WireTransaction {
  bytes: Uint8Array
  transaction: Transaction
  version: 'legacy' | 0 | 1
  /** base58; the first is the transaction's id. A missing one is 64 zero bytes. */
  signatures: readonly string[]
  header: {
    numRequiredSignatures: number
    numReadonlySignedAccounts: number
    numReadonlyUnsignedAccounts: number
  }
  /** The message's own keys, in its order. */
  accountKeys: readonly Address[]
  recentBlockhash: string
  instructions: readonly WireInstruction[]
  lookups: readonly TableLookup[]
  /** In lamports: only version 1 states it in the message. */
  priorityFee: bigint | null
}

/**
 * A legacy or version-0 transaction fits one packet (Solana docs, Transactions); version 1 allows more
 * (SIMD-0385).
 */
const maxBytes = (version: WireTransaction['version']): number => (version === 1 ? 4096 : 1232)

/** DER prefix of an Ed25519 public key (RFC 8410). */
const ed25519Der = Buffer.from('302a300506032b6570032100', 'hex')
const noSignature = new Uint8Array(64)

/** @throws invalid params (-32602), as the node does for malformed bytes */
export function readTransaction(text: string, encoding: 'base58' | 'base64'): WireTransaction {
  let bytes: Uint8Array
  try {
    bytes = encoding === 'base64' ? Uint8Array.from(Buffer.from(text, 'base64')) : base58.decode(text)
  } catch {
    throw rpcErrors.invalidParams(`invalid ${encoding} encoding`)
  }
  let wire: WireTransaction
  try {
    wire = decodeTransaction(bytes)
  } catch (error) {
    throw rpcErrors.invalidParams(
      `failed to deserialize solana_transaction::versioned::VersionedTransaction: ${(error as Error).message}`,
    )
  }
  const max = maxBytes(wire.version)
  if (bytes.length > max)
    throw rpcErrors.invalidParams(
      `decoded solana_transaction::versioned::VersionedTransaction too large: ${bytes.length} bytes (max: ${max} bytes)`,
    )
  return wire
}

export function decodeTransaction(bytes: Uint8Array): WireTransaction {
  const transaction = getTransactionDecoder().decode(bytes)
  return {
    bytes,
    transaction,
    signatures: Object.values(transaction.signatures).map((signature) =>
      base58.encode(Uint8Array.from(signature ?? noSignature)),
    ),
    ...decodeMessage(Uint8Array.from(transaction.messageBytes)),
  }
}

/** @throws if the bytes are not a message */
export function decodeMessage(
  bytes: Uint8Array,
): Omit<WireTransaction, 'bytes' | 'transaction' | 'signatures'> {
  const message = getCompiledTransactionMessageDecoder().decode(bytes) as CompiledTransactionMessage &
    CompiledTransactionMessageWithLifetime
  const { header } = message
  return {
    version: message.version,
    header: {
      numRequiredSignatures: header.numSignerAccounts,
      numReadonlySignedAccounts: header.numReadonlySignerAccounts,
      numReadonlyUnsignedAccounts: header.numReadonlyNonSignerAccounts,
    },
    accountKeys: message.staticAccounts,
    recentBlockhash: message.lifetimeToken,
    instructions:
      message.version === 1
        ? message.instructionHeaders.map((each, i) => ({
            programIdIndex: each.programAccountIndex,
            accounts: message.instructionPayloads[i]?.instructionAccountIndices ?? [],
            data: Uint8Array.from(message.instructionPayloads[i]?.instructionData ?? []),
          }))
        : message.instructions.map((each) => ({
            programIdIndex: each.programAddressIndex,
            accounts: each.accountIndices ?? [],
            data: Uint8Array.from(each.data ?? []),
          })),
    lookups:
      message.version === 0
        ? (message.addressTableLookups ?? []).map((each) => ({
            accountKey: each.lookupTableAddress,
            writableIndexes: each.writableIndexes,
            readonlyIndexes: each.readonlyIndexes,
          }))
        : [],
    priorityFee: message.version === 1 ? priorityFeeOf(message) : null,
  }
}

/** Two bits of the mask mark the first value as the fee (SIMD-0385). */
function priorityFeeOf({
  configMask,
  configValues,
}: {
  configMask: number
  configValues: readonly { value: number | bigint }[]
}): bigint {
  return (configMask & 3) === 3 ? BigInt(configValues[0]?.value ?? 0) : 0n
}

/** Every required signature is present and valid for its key. */
export function signaturesVerify({ transaction }: Pick<WireTransaction, 'transaction'>): boolean {
  return Object.entries(transaction.signatures).every(([address, signature]) => {
    if (!signature) return false
    const key = createPublicKey({
      key: Buffer.concat([ed25519Der, base58.decode(address)]),
      format: 'der',
      type: 'spki',
    })
    return verify(null, Uint8Array.from(transaction.messageBytes), key, Uint8Array.from(signature))
  })
}

/** From the header and the message's order (Solana docs, Transactions: message header). */
export function isWritable(
  { header, accountKeys }: Pick<WireTransaction, 'header' | 'accountKeys'>,
  index: number,
  writableLoaded: number,
): boolean {
  const { numRequiredSignatures, numReadonlySignedAccounts, numReadonlyUnsignedAccounts } = header
  if (index < numRequiredSignatures) return index < numRequiredSignatures - numReadonlySignedAccounts
  if (index < accountKeys.length) return index < accountKeys.length - numReadonlyUnsignedAccounts
  return index < accountKeys.length + writableLoaded
}
