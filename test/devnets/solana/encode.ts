import { base58 } from '@scure/base'
import type { Address } from '@solana/kit'
import { rpcErrors } from './errors.ts'
import { parseInstruction } from './parsed.ts'
import type { ExecutedTransaction, InnerInstruction, Meta } from './transaction.ts'
import { isWritable, type WireInstruction, type WireTransaction } from './wire.ts'

/** The format that the caller requests (Solana docs, getBlock and getTransaction). */
export interface TransactionForm {
  encoding: string
  maxSupportedTransactionVersion: number | undefined
}

/** All accounts of a transaction: the message's, then those loaded from tables, writable ones first. */
export const allKeys = ({ wire, meta }: Pick<ExecutedTransaction, 'wire' | 'meta'>): Address[] => [
  ...wire.accountKeys,
  ...meta.loadedAddresses.writable,
  ...meta.loadedAddresses.readonly,
]

/**
 * A transaction with its record, as served in a block.
 * @throws -32015 if its version is above the caller's maximum; without a maximum, only legacy transactions
 * are served
 */
export function encodeTransaction(executed: ExecutedTransaction, meta: Meta, form: TransactionForm) {
  return {
    transaction: encodedBody(executed, form.encoding),
    meta: encodedMeta(executed, meta, form.encoding),
    ...versionOf(executed, form),
  }
}

/** The short form for `transactionDetails: 'accounts'`. */
export function encodeAccountsOnly(executed: ExecutedTransaction, meta: Meta, form: TransactionForm) {
  const { err, status, fee, preBalances, postBalances, preTokenBalances, postTokenBalances } = meta
  return {
    transaction: { signatures: executed.wire.signatures, accountKeys: parsedKeys(executed) },
    meta: { err, status, fee, preBalances, postBalances, preTokenBalances, postTokenBalances },
    ...versionOf(executed, form),
  }
}

function versionOf(
  { wire: { version } }: ExecutedTransaction,
  { maxSupportedTransactionVersion: max }: TransactionForm,
) {
  if (version !== 'legacy' && (max === undefined || version > max))
    throw rpcErrors.unsupportedVersion(version)
  return max === undefined ? {} : { version }
}

const parsedKeys = (executed: ExecutedTransaction) =>
  allKeys(executed).map((pubkey, i) => ({
    pubkey,
    signer: i < executed.wire.header.numRequiredSignatures,
    source: i < executed.wire.accountKeys.length ? 'transaction' : 'lookupTable',
    writable: isWritable(executed.wire, i, executed.meta.loadedAddresses.writable.length),
  }))

function encodedBody(executed: ExecutedTransaction, encoding: string): unknown {
  const { wire } = executed
  switch (encoding) {
    case 'base64':
      return [Buffer.from(wire.bytes).toString('base64'), 'base64']
    case 'base58':
      return [base58.encode(wire.bytes), 'base58']
    case 'binary':
      return base58.encode(wire.bytes)
    case 'json':
      return { signatures: wire.signatures, message: rawMessage(wire) }
    case 'jsonParsed':
      return { signatures: wire.signatures, message: parsedMessage(executed) }
    default:
      throw rpcErrors.invalidParams(`Invalid params: unknown variant \`${encoding}\`.`)
  }
}

/** Only version 0 has lookup tables. */
const lookupsOf = (wire: WireTransaction) => (wire.version === 0 ? { addressTableLookups: wire.lookups } : {})

function rawMessage(wire: WireTransaction) {
  return {
    header: wire.header,
    accountKeys: wire.accountKeys,
    recentBlockhash: wire.recentBlockhash,
    instructions: wire.instructions.map((each) => ({
      ...each,
      data: base58.encode(each.data),
      stackHeight: 1,
    })),
    ...lookupsOf(wire),
  }
}

function parsedMessage(executed: ExecutedTransaction) {
  const { wire } = executed
  const keys = allKeys(executed)
  return {
    accountKeys: parsedKeys(executed),
    recentBlockhash: wire.recentBlockhash,
    instructions: wire.instructions.map((each) => parsedInstruction(each, keys, 1)),
    ...lookupsOf(wire),
  }
}

function parsedInstruction(instruction: WireInstruction, keys: readonly Address[], stackHeight: number) {
  const programId = keys[instruction.programIdIndex] ?? ''
  const accounts = instruction.accounts.map((i) => keys[i] ?? '')
  const parsed = parseInstruction(programId, accounts, instruction.data)
  return parsed
    ? { ...parsed, programId, stackHeight }
    : { accounts, data: base58.encode(instruction.data), programId, stackHeight }
}

function encodedMeta(executed: ExecutedTransaction, meta: Meta, encoding: string) {
  if (encoding !== 'jsonParsed') return meta
  const keys = allKeys(executed)
  const parse = (each: InnerInstruction) =>
    parsedInstruction({ ...each, data: base58.decode(each.data) }, keys, each.stackHeight)
  // The parsed form lists loaded addresses among the account keys.
  const { loadedAddresses: _, ...rest } = meta
  return {
    ...rest,
    innerInstructions: meta.innerInstructions.map(({ index, instructions }) => ({
      index,
      instructions: instructions.map(parse),
    })),
  }
}
