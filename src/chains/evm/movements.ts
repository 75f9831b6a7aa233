import type { Transfer } from '../chain.ts'
import { hasNoStatus } from './beforeByzantium.ts'
import { createdAddress } from './createdAddress.ts'
import { hasSucceeded, type RpcBlock, type RpcLog, type RpcReceipt, type RpcTransaction } from './rpcTypes.ts'

// keccak256("Transfer(address,address,uint256)")
const transferTopic = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'
// keccak256("LogTransfer(address,address,address,uint256,uint256,uint256,uint256,uint256)") of Polygon's contract 0x…1010
const logTransferTopic = '0xe6497e3ee548a3372136af2fcb0696db31fc6cf20260707645068bd3fe97f3c4'
// EIP-7708: native movements are logged under this address, where a chain has activated it.
const nativeTransferLogger = '0xfffffffffffffffffffffffffffffffffffffffe'

/** What a chain does in its own way, as far as reading a block goes. */
export interface EvmRules {
  /** The contract whose `LogTransfer` tells native movements. */
  nativeLog: string | null
  /** Some of the chain's own transactions have receipts that are not encoded as Ethereum's. */
  ownReceipts: boolean
  /** The nodes are the operator's own. */
  trusted?: boolean
  /** Movements of nothing are kept too, for whoever asks why they do not count. */
  keepEmpty?: boolean
}

/** Movements of one block, and whether its logs tell all native ones, internal ones included. */
export interface Movements {
  transfers: Transfer[]
  nativeByEvents: boolean
}

/** The movements of a block of which there is a receipt for each transaction. */
export function movementsOfReceipts(rules: EvmRules, block: RpcBlock, receipts: readonly RpcReceipt[]): Movements {
  const byHash = new Map(block.transactions.map((transaction) => [transaction.hash, transaction]))
  const nativeByEvents = rules.nativeLog !== null || receipts.some(({ logs }) => logs.some(isNativeTransfer))
  const transfers: Transfer[] = []
  for (const receipt of receipts) {
    const transaction = byHash.get(receipt.transactionHash)
    // What a receipt calls the created contract is under no root.
    const native = transaction && hasSucceeded(receipt) ? nativeOf(rules, transaction, createdBy(transaction) ?? receipt.contractAddress) : null
    if (native) transfers.push(native)
    const open = transaction && hasNoStatus(receipt) ? nativeOf(rules, transaction, receipt.contractAddress) : null
    if (open) transfers.push({ ...open, unproven: true })
    addLogs(rules, receipt.transactionHash, receipt.logs, native, transfers)
  }
  return { transfers, nativeByEvents }
}

/** What receipts alone tell: the movements of tokens, and everybody who may have received or sent the native coin. */
export function tokensOfReceipts(rules: EvmRules, receipts: readonly RpcReceipt[]): Movements & { unread: string[] } {
  const told: Transfer[] = []
  const unread = new Set<string>()
  for (const receipt of receipts) {
    const recipient = receipt.to ?? receipt.contractAddress
    if (recipient && hasSucceeded(receipt)) unread.add(recipient.toLowerCase())
    if (receipt.from && hasSucceeded(receipt)) unread.add(receipt.from.toLowerCase())
    addLogs(rules, receipt.transactionHash, receipt.logs, null, told)
    if (hasNoStatus(receipt)) for (const address of [recipient, receipt.from]) if (address) unread.add(address.toLowerCase())
  }
  const transfers = told.filter(({ contract }) => contract !== null)
  for (const { contract, from, to } of told) if (contract === null) unread.add(from).add(to)
  return { transfers, unread: [...unread], nativeByEvents: rules.nativeLog !== null || receipts.some(({ logs }) => logs.some(isNativeTransfer)) }
}

/** The movements of a block of which there are only the logs: whether a transaction that carries native value succeeded is open. */
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
  // Some providers leave Polygon's state-sync transaction out of the block, and its logs in.
  for (const [txId, orphans] of byTransaction) addLogs(rules, txId, orphans, null, transfers)
  return { transfers, nativeByEvents }
}

const isNativeTransfer = (log: RpcLog) => log.address.toLowerCase() === nativeTransferLogger

/** The contract that a transaction creates follows from its sender and nonce. */
export const createdBy = ({ to, from, nonce }: RpcTransaction): string | null =>
  to || !from || nonce === undefined ? null : createdAddress(from, nonce)

/** What a transaction itself carries. */
export function nativeOf(rules: EvmRules, transaction: RpcTransaction, created: string | null | undefined): Transfer | null {
  const { from, to } = transaction
  const value = transaction.value ?? '0x0'
  const recipient = to ?? created
  if ((value === '0x0' && !rules.keepEmpty) || !from || !recipient) return null
  const amount = BigInt(value)
  // A call without value is no attempt to send any, unless it is nothing else.
  if (amount === 0n && !(rules.keepEmpty && transaction.input === '0x')) return null
  return { txId: transaction.hash, movementKey: 'native', contract: null, from: from.toLowerCase(), to: recipient.toLowerCase(), amount }
}

/** @param native what the transaction itself carries: a chain that logs native movements logs that one too */
function addLogs(rules: EvmRules, txId: string, logs: readonly RpcLog[], native: Transfer | null, into: Transfer[]): void {
  let carried = native
  let before: Transfer | null = null
  for (const log of logs) {
    const told = transferOf(rules, txId, log)
    const repeated = told && isRepeated(rules, told, before)
    before = told
    if (!told || repeated) continue
    // The first log of a transaction's own value is that value, not one more movement.
    if (told.contract === null && carried && isSame(carried, told)) carried = null
    else into.push(told)
  }
}

/** The movement that a log tells; null where it tells none. */
function transferOf(rules: EvmRules, txId: string, log: RpcLog): Transfer | null {
  const [event, ...topics] = log.topics
  const topic = event?.toLowerCase()
  // Three topics and one word of data; four topics is an ERC-721 transfer, whose last topic is an id.
  if (topic === transferTopic && topics.length === 2 && log.data.length === 66) {
    const contract = log.address.toLowerCase()
    return movement(rules, txId, log, contract === nativeTransferLogger ? null : contract, topics[0], topics[1], log.data)
  }
  if (topic === logTransferTopic && topics.length === 3 && log.address.toLowerCase() === rules.nativeLog) {
    return movement(rules, txId, log, null, topics[1], topics[2], log.data.slice(0, 66))
  }
  return null
}

/**
 * Polygon's contract 0x…1010, when it is used as if it were an ERC-20, moves the coin by a call, which the node logs, and then
 * emits `Transfer` and the node's own event once more: those two move nothing.
 */
const isRepeated = (rules: EvmRules, told: Transfer, before: Transfer | null): boolean =>
  told.contract === null && before !== null && rules.nativeLog !== null && before.contract === rules.nativeLog && isSame(told, before)

function movement(
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
  return { txId, movementKey: `log:${Number(log.logIndex)}`, contract, from: addressOfTopic(from), to: addressOfTopic(to), amount }
}

const addressOfTopic = (topic: string) => `0x${topic.slice(26)}`.toLowerCase()

const isSame = (a: Transfer, b: Transfer) => a.from === b.from && a.to === b.to && a.amount === b.amount
