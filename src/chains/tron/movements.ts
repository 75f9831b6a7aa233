import { bytesOf } from '../bytesOf.ts'
import { ProviderError, type Transfer } from '../chain.ts'
import { namedInternals } from '../internalMovements.ts'
import { fromHex } from './address.ts'
import { bytesField, numberField, readMessage } from './protobuf.ts'
import type { TronInternal, TronLog, TronTransaction, TronTransactionInfo } from './rpcTypes.ts'

/** keccak256 of `Transfer(address,address,uint256)`. */
const transferTopic = 'ddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'

/**
 * Contract types that are read, by number in `core/Tron.proto` of java-tron. TRC-10 is not the native coin,
 * and is not read.
 */
const kinds = { transfer: 1n, create: 30n, trigger: 31n } as const

/** A transaction's one contract, from its signed bytes. Addresses in normal form. */
export type Contract =
  | { kind: 'transfer'; owner: string; to: string; amount: bigint }
  | { kind: 'trigger'; owner: string; to: string; amount: bigint; data: Uint8Array }
  | { kind: 'create'; owner: string; amount: bigint }
  | { kind: 'other' }

const addressOf = (bytes: Uint8Array | null): string => fromHex(Buffer.from(bytes ?? []).toString('hex'))

/** @throws ProviderError if the bytes are not a transaction */
export function contractOf({ raw_data_hex }: Pick<TronTransaction, 'raw_data_hex'>): Contract {
  const contract = bytesField(readMessage(bytesOf(raw_data_hex, 'hex')), 11)
  if (!contract) throw new ProviderError('a transaction without a contract')
  const fields = readMessage(contract)
  const kind = numberField(fields, 1)
  if (kind !== kinds.transfer && kind !== kinds.trigger && kind !== kinds.create) return { kind: 'other' }
  const value = readMessage(
    bytesField(readMessage(bytesField(fields, 2) ?? new Uint8Array()), 2) ?? new Uint8Array(),
  )
  const owner = addressOf(bytesField(value, 1))
  if (kind === kinds.transfer)
    return { kind: 'transfer', owner, to: addressOf(bytesField(value, 2)), amount: numberField(value, 3) }
  if (kind === kinds.trigger) {
    return {
      kind: 'trigger',
      owner,
      to: addressOf(bytesField(value, 2)),
      amount: numberField(value, 3),
      data: bytesField(value, 4) ?? new Uint8Array(),
    }
  }
  // The amount sent to a new contract is in its own message (SmartContract, field 5).
  return {
    kind: 'create',
    owner,
    amount: numberField(readMessage(bytesField(value, 2) ?? new Uint8Array()), 5),
  }
}

/**
 * True if the transaction succeeded: by its own result and, if a contract ran, by its receipt. The
 * receipts of plain TRX transfers have no result, and old transactions lack their own: what is in a
 * block and did not fail has succeeded.
 * @throws ProviderError for a contract call without any result: it is not known
 */
export function succeeded(
  { txID, ret = [] }: TronTransaction,
  info: TronTransactionInfo,
  contract: Contract,
): boolean {
  const own = ret.flatMap(({ contractRet }) => contractRet ?? [])
  const { result } = info.receipt ?? {}
  if (
    own.some((each) => each !== 'SUCCESS') ||
    ret.some((each) => each.ret === 'FAILED') ||
    info.result === 'FAILED'
  )
    return false
  if (contract.kind !== 'trigger' && contract.kind !== 'create')
    return result === undefined || result === 'SUCCESS'
  if (own.length === 0 && result === undefined)
    throw new ProviderError(`the contract call ${txID} has no result`)
  return result === 'SUCCESS'
}

/**
 * A transaction's transfers: of its own TRX, internal transfers of TRX, and token transfers by their logs.
 */
export function transfersOf(
  transaction: TronTransaction,
  info: TronTransactionInfo,
  { keepEmpty = false } = {},
): Transfer[] {
  const contract = contractOf(transaction)
  if (!succeeded(transaction, info, contract)) return []
  const txId = transaction.txID
  const transfers = [
    ...nativeOf(txId, contract),
    ...namedInternals((info.internal_transactions ?? []).flatMap((each) => internalOf(txId, each))),
    ...tokenTransfersOf(txId, info),
  ]
  return keepEmpty ? transfers : transfers.filter(({ amount }) => amount > 0n)
}

function nativeOf(txId: string, contract: Contract): Transfer[] {
  if (contract.kind !== 'transfer' && contract.kind !== 'trigger') return []
  return [
    {
      txId,
      movementKey: 'native',
      contract: null,
      from: contract.owner,
      to: contract.to,
      amount: contract.amount,
    },
  ]
}

/** Skips calls that were undone (`rejected`), and TRC-10, which has a token id. */
function internalOf(
  txId: string,
  { caller_address, transferTo_address, callValueInfo = [], rejected }: TronInternal,
): Omit<Transfer, 'movementKey'>[] {
  if (rejected) return []
  return callValueInfo
    .filter(({ tokenId }) => !tokenId)
    .map(({ callValue = 0 }) => ({
      txId,
      contract: null,
      from: fromHex(caller_address),
      to: fromHex(transferTo_address),
      amount: BigInt(callValue),
    }))
}

/** Token transfers of a transaction, by its logs. */
export const tokenTransfersOf = (
  txId: string,
  { log = [] }: Pick<TronTransactionInfo, 'log'>,
): (Transfer & { contract: string })[] => log.flatMap((each, index) => tokenOf(txId, index, each))

/** A token transfer has three topics and one word of data; an NFT transfer has four topics. */
function tokenOf(
  txId: string,
  index: number,
  { address, topics = [], data = '' }: TronLog,
): (Transfer & { contract: string })[] {
  const [topic, from, to] = topics
  if (topic !== transferTopic || topics.length !== 3 || data.length !== 64 || !from || !to) return []
  return [
    {
      txId,
      movementKey: `log:${index}`,
      contract: fromHex(address),
      from: fromHex(from),
      to: fromHex(to),
      amount: BigInt(`0x${data}`),
    },
  ]
}

// The first four bytes of keccak256 of "transfer(address,uint256)" and
// "transferFrom(address,address,uint256)"
const calls: Record<string, number> = { a9059cbb: 2, '23b872dd': 3 }

/** The transfers that a failed or pending transaction intends. */
export function intended(transaction: TronTransaction): Transfer[] {
  const contract = contractOf(transaction)
  const native = nativeOf(transaction.txID, contract).filter(
    ({ amount }) => contract.kind === 'transfer' || amount > 0n,
  )
  if (contract.kind !== 'trigger') return native
  const data = Buffer.from(contract.data).toString('hex')
  const words = calls[data.slice(0, 8)] ?? 0
  const word = (index: number) => data.slice(8 + 64 * index, 72 + 64 * index)
  if (words === 0 || data.length < 8 + 64 * words) return native
  const called: Transfer = {
    txId: transaction.txID,
    movementKey: 'call',
    contract: contract.to,
    from: words === 3 ? fromHex(word(0)) : contract.owner,
    to: fromHex(word(words - 2)),
    amount: BigInt(`0x${word(words - 1)}`),
  }
  return [...native, called]
}
