import type { Transfer } from '../../chain.ts'
import {
  hasSucceeded,
  type RpcBlock,
  type RpcLog,
  type RpcReceipt,
  type RpcTransaction,
  zeroAddress,
} from '../rpcTypes.ts'
import { hasNoStatus } from './beforeByzantium.ts'
import { createdAddress } from './createdAddress.ts'

// keccak256("Transfer(address,address,uint256)")
const transferTopic = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'
// keccak256("LogTransfer(address,address,address,uint256,uint256,uint256,uint256,uint256)") of Polygon's
// contract 0x…1010
const logTransferTopic = '0xe6497e3ee548a3372136af2fcb0696db31fc6cf20260707645068bd3fe97f3c4'
// Address of native transfer logs on chains with EIP-7708.
const nativeTransferLogger = '0xfffffffffffffffffffffffffffffffffffffffe'
/** Deposits of OP chains. */
const depositType = 0x7e

/** How a chain's blocks differ from Ethereum's. */
export interface EvmRules {
  /** The contract that logs native transfers as `LogTransfer`. */
  nativeLog: string | null
  /** The chain has transaction types of its own, whose receipts may have another encoding. */
  ownReceipts: boolean
  /**
   * OP chains: unix time of the Canyon fork, since which receipts of deposits have fields of their own under
   * the receipts root.
   */
  canyonTime?: number
  /** The nodes belong to the operator. */
  trusted?: boolean
  /** Keep zero transfers, to explain why they do not count. */
  keepEmpty?: boolean
}

/** Transfers of one block. `nativeByEvents`: its logs show all native transfers, internal ones included. */
export interface Movements {
  transfers: Transfer[]
  nativeByEvents: boolean
}

/** @param receipts one for each transaction */
export function movementsOfReceipts(
  rules: EvmRules,
  block: RpcBlock,
  receipts: readonly RpcReceipt[],
): Movements {
  const byHash = new Map(block.transactions.map((transaction) => [transaction.hash, transaction]))
  const nativeByEvents = rules.nativeLog !== null || receipts.some(({ logs }) => logs.some(isNativeTransfer))
  const transfers: Transfer[] = []
  for (const receipt of receipts) {
    const transaction = byHash.get(receipt.transactionHash)
    // Prefer the computed address: no root commits to a receipt's `contractAddress`.
    const native =
      transaction && hasSucceeded(receipt)
        ? nativeOf(rules, transaction, createdBy(transaction) ?? receipt.contractAddress)
        : null
    if (native) transfers.push(native)
    const minted =
      transaction && !hasNoStatus(receipt) ? mintedBy(rules, transaction, hasSucceeded(receipt)) : null
    if (minted) transfers.push(minted)
    const open =
      transaction && hasNoStatus(receipt) ? nativeOf(rules, transaction, receipt.contractAddress) : null
    if (open) transfers.push({ ...open, unproven: true })
    addLogs(rules, receipt.transactionHash, receipt.logs, native, transfers)
  }
  return { transfers, nativeByEvents }
}

/** Token transfers from receipts alone. `unread`: accounts that may have received or sent the native coin. */
export function tokensOfReceipts(
  rules: EvmRules,
  receipts: readonly RpcReceipt[],
): Movements & { unread: string[] } {
  const logged: Transfer[] = []
  const unread = new Set<string>()
  for (const receipt of receipts) {
    const recipient = receipt.to ?? receipt.contractAddress
    if (recipient && hasSucceeded(receipt)) unread.add(recipient.toLowerCase())
    if (receipt.from && hasSucceeded(receipt)) unread.add(receipt.from.toLowerCase())
    // A deposit that failed may have minted.
    if (receipt.from && isDeposit(rules, receipt)) unread.add(receipt.from.toLowerCase())
    addLogs(rules, receipt.transactionHash, receipt.logs, null, logged)
    if (hasNoStatus(receipt))
      for (const address of [recipient, receipt.from]) if (address) unread.add(address.toLowerCase())
  }
  const transfers = logged.filter(({ contract }) => contract !== null)
  for (const { contract, from, to } of logged) if (contract === null) unread.add(from).add(to)
  return {
    transfers,
    unread: [...unread],
    nativeByEvents: rules.nativeLog !== null || receipts.some(({ logs }) => logs.some(isNativeTransfer)),
  }
}

/**
 * Transfers from logs alone. They do not show whether a transaction succeeded: its native value is
 * `unproven`.
 */
export function movementsOfLogs(rules: EvmRules, block: RpcBlock, logs: readonly RpcLog[]): Movements {
  const byTransaction = Map.groupBy(logs, (log) => log.transactionHash)
  const nativeByEvents = rules.nativeLog !== null || logs.some(isNativeTransfer)
  const transfers: Transfer[] = []
  for (const transaction of block.transactions) {
    const native = nativeOf(rules, transaction, createdBy(transaction))
    if (native) transfers.push({ ...native, unproven: true })
    addLogs(rules, transaction.hash, byTransaction.get(transaction.hash) ?? [], native, transfers)
    byTransaction.delete(transaction.hash)
  }
  // Some providers omit Polygon's state-sync transaction from the block but answer its logs.
  for (const [txId, orphans] of byTransaction) addLogs(rules, txId, orphans, null, transfers)
  return { transfers, nativeByEvents }
}

const isNativeTransfer = (log: RpcLog) => log.address.toLowerCase() === nativeTransferLogger

export const createdBy = ({ to, from, nonce }: RpcTransaction): string | null =>
  to || !from || nonce === undefined ? null : createdAddress(from, nonce)

/** The native value of the transaction itself. */
export function nativeOf(
  rules: EvmRules,
  transaction: RpcTransaction,
  created: string | null | undefined,
): Transfer | null {
  const { from, to } = transaction
  const value = transaction.value ?? '0x0'
  const recipient = to ?? created
  if ((value === '0x0' && !rules.keepEmpty) || !from || !recipient) return null
  const amount = BigInt(value)
  // A zero value counts as a transfer only where the transaction has no call data.
  if (amount === 0n && !(rules.keepEmpty && transaction.input === '0x')) return null
  return {
    txId: transaction.hash,
    movementKey: 'native',
    contract: null,
    from: from.toLowerCase(),
    to: recipient.toLowerCase(),
    amount,
  }
}

const isDeposit = ({ ownReceipts }: EvmRules, { type }: { type?: string | undefined }): boolean =>
  ownReceipts && Number(type ?? 0) === depositType

/**
 * The coin that a deposit of an OP chain mints for its sender, less what it sends on. The mint stays where
 * the deposit fails (OP specs, "Deposits", "Execution").
 */
export function mintedBy(
  rules: EvmRules,
  transaction: RpcTransaction,
  hasSucceeded: boolean,
): Transfer | null {
  const { hash, from, mint, value } = transaction
  if (!isDeposit(rules, transaction) || !from) return null
  const amount = BigInt(mint ?? '0x0') - (hasSucceeded ? BigInt(value ?? '0x0') : 0n)
  if (amount <= 0n) return null
  return {
    txId: hash,
    movementKey: 'mint',
    contract: null,
    from: zeroAddress,
    to: from.toLowerCase(),
    amount,
  }
}

/** @param native the transaction's own value, which chains with native transfer logs log too */
function addLogs(
  rules: EvmRules,
  txId: string,
  logs: readonly RpcLog[],
  native: Transfer | null,
  into: Transfer[],
): void {
  let carried = native
  let before: Transfer | null = null
  for (const log of logs) {
    const logged = transferOf(rules, txId, log)
    const repeated = logged && isRepeated(rules, logged, before)
    before = logged
    if (!logged || repeated) continue
    // The first log that equals the transaction's own value is that value, not a second transfer.
    if (logged.contract === null && carried && isSame(carried, logged)) carried = null
    else into.push(logged)
  }
}

/** The token transfer in a log of an outcome; null where the log is not one. */
export function tokenTransferOf(
  log: RpcLog,
): (Pick<Transfer, 'to' | 'amount'> & { contract: string }) | null {
  const moved = transferOf({ nativeLog: null, ownReceipts: false }, log.transactionHash, log)
  return moved?.contract == null ? null : { contract: moved.contract, to: moved.to, amount: moved.amount }
}

/** The transfer in a log; null where the log is not one. */
function transferOf(rules: EvmRules, txId: string, log: RpcLog): Transfer | null {
  const [event, ...topics] = log.topics
  const topic = event?.toLowerCase()
  // ERC-20: three topics and one word of data. ERC-721 has a fourth topic, the token id.
  if (topic === transferTopic && topics.length === 2 && log.data.length === 66) {
    const contract = log.address.toLowerCase()
    return loggedTransfer(
      rules,
      txId,
      log,
      contract === nativeTransferLogger ? null : contract,
      topics[0],
      topics[1],
      log.data,
    )
  }
  if (topic === logTransferTopic && topics.length === 3 && log.address.toLowerCase() === rules.nativeLog) {
    return loggedTransfer(rules, txId, log, null, topics[1], topics[2], log.data.slice(0, 66))
  }
  return null
}

/**
 * Polygon's contract 0x…1010, used as an ERC-20, moves the coin by a call, which the node logs. Then it emits
 * `Transfer` and the node's event again: those two move nothing.
 */
const isRepeated = (rules: EvmRules, logged: Transfer, before: Transfer | null): boolean =>
  logged.contract === null &&
  before !== null &&
  rules.nativeLog !== null &&
  before.contract === rules.nativeLog &&
  isSame(logged, before)

function loggedTransfer(
  rules: EvmRules,
  txId: string,
  log: RpcLog,
  contract: string | null,
  from: string | undefined,
  to: string | undefined,
  data: string,
): Transfer | null {
  const amount = BigInt(data)
  if ((amount === 0n && !rules.keepEmpty) || from === undefined || to === undefined) return null
  return {
    txId,
    movementKey: `log:${Number(log.logIndex)}`,
    contract,
    from: addressOfTopic(from),
    to: addressOfTopic(to),
    amount,
  }
}

const addressOfTopic = (topic: string) => `0x${topic.slice(26)}`.toLowerCase()

export const isSame = (a: Transfer, b: Transfer) =>
  a.from === b.from && a.to === b.to && a.amount === b.amount
