import { ProviderError } from '../chain.ts'
import { bloomEquals, bloomOf } from './bloom.ts'
import type { EvmRules } from './movements.ts'
import { receiptsRoot } from './receiptsRoot.ts'
import { isStateSync, type RpcBlock, type RpcLog, type RpcReceipt, type RpcTransaction } from './rpcTypes.ts'
import { isProvable, transactionsRoot } from './transactionsRoot.ts'

/** Types whose receipts are encoded as Ethereum's: EIP-2718, 2930, 1559, 4844, 7702, and Polygon's state sync (PIP-74). */
const standardTypes = new Set(['0x0', '0x1', '0x2', '0x3', '0x4', '0x7f'])
/** A deposit of OP chains: nonce and version are part of its receipt since the Canyon fork. */
const deposit = '0x7e'

/**
 * Refuses receipts that leave something out. Providers were seen to answer receipts without logs, of another fork, or fewer
 * than there are transactions. What is checked: one receipt for each transaction, of this block; and that they give the root
 * which the header commits to, so that nothing of a log can be changed either. Where a provider leaves out fields that the root is
 * made of (of deposits on OP chains, Polygon's state sync) a root that does not fit proves nothing, and
 * what is left is: logs' indexes have no gap, the receipts' blooms are those of their logs and make up the block's.
 * Of a trusted node only the last is asked: mistakes are still found, and lies are not expected.
 * @returns the receipts that the root is made of, with the types that it proves; null where nothing is proven
 * @throws ProviderError
 */
export function requireCompleteReceipts(
  rules: Pick<EvmRules, 'ownReceipts' | 'trusted' | 'nativeLog'>,
  block: RpcBlock,
  receipts: readonly RpcReceipt[],
): readonly RpcReceipt[] | null {
  const at = `block ${Number(block.number)}`
  if (!Array.isArray(block.transactions) || !Array.isArray(receipts)) throw new ProviderError(`${at}: no transactions or receipts`)
  requireSameTransactions(rules, at, block, receipts)
  const counted = receipts.filter((receipt) => !isSync(rules, receipt))
  requireIndexes(at, counted)
  if (block.receiptsRoot !== undefined && !rules.trusted) {
    // Since a fork of 2025 Polygon's state sync is under the root, too.
    const candidates = counted.length < receipts.length ? [counted, receipts, receipts.map(asTyped)] : [counted]
    const proven = candidates.find((all) => receiptsRoot(all) === block.receiptsRoot)
    if (proven) return proven
    if (!rules.ownReceipts || hasAllFields(block, receipts)) throw new ProviderError(`${at}: the receipts are not those of its receipts root`)
  }
  for (const receipt of rules.trusted ? [] : receipts) {
    if (!bloomEquals(bloomOf(receipt.logs), receipt.logsBloom)) throw new ProviderError(`${at}: the logs of ${receipt.transactionHash} are not all`)
  }
  // Polygon's state sync became part of the block's bloom with a fork of 2025; before, it was not.
  if (!bloomEquals(united(counted), block.logsBloom) && !bloomEquals(united(receipts), block.logsBloom)) {
    throw new ProviderError(`${at}: the receipts' logs are not all of the block's`)
  }
  return null
}

/**
 * Refuses transactions that are not those of the root which the header commits to: no transaction can be left out, and neither recipient nor value
 * be another. Each must be that of its hash.
 * @param receipts those that are proven: a type is that of the receipt, and what has no receipt there is not under the root either
 * @returns whether they are proven: transactions of a type that this version does not know cannot be
 * @throws ProviderError
 */
export function requireTransactions(
  rules: Pick<EvmRules, 'ownReceipts' | 'nativeLog'>,
  block: RpcBlock,
  receipts: readonly RpcReceipt[] | null,
): boolean {
  const typeOf = ({ type }: { type?: string | undefined }) => Number(type ?? '0x0')
  const types = receipts && new Map(receipts.map((receipt) => [receipt.transactionHash, typeOf(receipt)]))
  const listed = block.transactions.filter((each) => (types ? types.has(each.hash) : !isSync(rules, each)))
  const transactions = listed.map((fields) => ({
    hash: fields.hash,
    type: types?.get(fields.hash) ?? typeOf(fields),
    fields: fields as unknown as Readonly<Record<string, unknown>>,
  }))
  // Of those that are proven, too: some providers do not list Polygon's state sync.
  const isOpen = (types ? [...types.values()] : transactions.map(({ type }) => type)).some((type) => !isProvable(type))
  // Where nothing proves a type it is the node's own word, and only some chains have types of their own.
  if (isOpen && !types && !rules.ownReceipts)
    throw new ProviderError(`block ${Number(block.number)}: a transaction of a type that this chain does not have`)
  if (block.transactionsRoot === undefined || isOpen) return false
  if (transactionsRoot(transactions) === block.transactionsRoot) return true
  // Without proven receipts nothing says whether Polygon's state sync is under the root.
  if (!types && listed.length < block.transactions.length) return false
  throw new ProviderError(`block ${Number(block.number)}: the transactions are not those of its transactions root`)
}

/**
 * Refuses logs that leave something out, where there are no receipts: their indexes have no gap and their bloom is the block's.
 * Weaker than the receipts root: a last log whose address and topics all appear before could be missing unseen. So it serves
 * for blocks far below the head and for providers that give no receipts by block.
 * @param logs all of the block's, in order
 * @throws ProviderError
 */
export function requireCompleteLogs(rules: Pick<EvmRules, 'nativeLog'>, block: RpcBlock, logs: readonly RpcLog[]): void {
  const at = `block ${Number(block.number)}`
  if (!Array.isArray(block.transactions) || !Array.isArray(logs)) throw new ProviderError(`${at}: no transactions or logs`)
  for (const [index, log] of logs.entries()) {
    if (log.blockHash !== block.hash) throw new ProviderError(`${at}: a log is of another block`)
    if (log.removed) throw new ProviderError(`${at}: a log was removed by a fork`)
    if (Number(log.logIndex) !== index) throw new ProviderError(`${at}: log ${index} is missing`)
  }
  const listed = new Set(block.transactions.map(({ hash }) => hash))
  if (rules.nativeLog === null && logs.some((log) => !listed.has(log.transactionHash))) throw new ProviderError(`${at}: a log is of no transaction`)
  if (bloomEquals(bloomOf(logs), block.logsBloom)) return
  const synced = new Set(block.transactions.filter((each) => isSync(rules, each)).map(({ hash }) => hash))
  const counted = logs.filter((log) => listed.has(log.transactionHash) && !synced.has(log.transactionHash))
  if (counted.length === logs.length || !bloomEquals(bloomOf(counted), block.logsBloom)) {
    throw new ProviderError(`${at}: the logs are not all of the block's`)
  }
}

/** Of the chains only Polygon has them: elsewhere this would be a way around every root. */
const isSync = (rules: Pick<EvmRules, 'nativeLog'>, each: Pick<RpcTransaction, 'from' | 'to'>): boolean =>
  rules.nativeLog !== null && isStateSync(each)

/** Its type is 0x7f (PIP-74), and some nodes show it as a plain one. */
const asTyped = (receipt: RpcReceipt): RpcReceipt => (isStateSync(receipt) ? { ...receipt, type: '0x7f' } : receipt)

/** Whether everything is there that the receipts root is made of: then it is what proves them. */
function hasAllFields(block: RpcBlock, receipts: readonly RpcReceipt[]): boolean {
  const synced = new Set(receipts.filter(isStateSync).map(({ transactionHash }) => transactionHash))
  const types = new Map(block.transactions.map(({ hash, type }) => [hash, type]))
  return (
    block.transactions.every((each) => !isStateSync(each) || synced.has(each.hash)) &&
    receipts.every(({ transactionHash, type = types.get(transactionHash), depositReceiptVersion, depositNonce }) =>
      type === deposit ? depositReceiptVersion !== undefined && depositNonce !== undefined : type !== undefined && standardTypes.has(type),
    )
  )
}

/** A receipt for each transaction, in their order. Only Polygon's state sync may be in the receipts and not in the block. */
function requireSameTransactions(rules: Pick<EvmRules, 'nativeLog'>, at: string, block: RpcBlock, receipts: readonly RpcReceipt[]): void {
  let next = 0
  for (const [index, receipt] of receipts.entries()) {
    if (receipt?.blockHash !== block.hash) throw new ProviderError(`${at}: receipt ${index} is of another block`)
    if (!Array.isArray(receipt.logs)) throw new ProviderError(`${at}: receipt ${index} has no list of logs`)
    if (receipt.transactionHash === block.transactions[next]?.hash) next++
    else if (!isSync(rules, receipt) || index < receipts.length - 1) throw new ProviderError(`${at}: receipt ${index} is of another transaction`)
  }
  if (next !== block.transactions.length) throw new ProviderError(`${at}: ${receipts.length} receipts for ${block.transactions.length} transactions`)
}

function requireIndexes(at: string, receipts: readonly RpcReceipt[]): void {
  let next = 0
  for (const { logs, transactionHash } of receipts) {
    for (const log of logs) {
      if (Number(log.logIndex) !== next++) throw new ProviderError(`${at}: log ${next - 1} is missing`)
      if (log.transactionHash !== transactionHash) throw new ProviderError(`${at}: log ${next - 1} is of another transaction`)
    }
  }
}

function united(receipts: readonly RpcReceipt[]): Uint8Array {
  const union = new Uint8Array(256)
  for (const { logs, logsBloom } of receipts) {
    if (logs.length === 0) continue
    const bytes = Buffer.from(logsBloom.slice(2), 'hex')
    for (let i = 0; i < 256; i++) union[i] = (union[i] as number) | (bytes[i] ?? 0)
  }
  return union
}
