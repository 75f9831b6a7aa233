import { ProviderError } from '../../chain.ts'
import { isStateSync, type RpcBlock, type RpcLog, type RpcReceipt, type RpcTransaction } from '../rpcTypes.ts'
import { bloomEquals, bloomOf } from './bloom.ts'
import type { EvmRules } from './movements.ts'
import { receiptsRoot } from './receiptsRoot.ts'
import { isProvable, transactionsRoot } from './transactionsRoot.ts'

/**
 * Types with Ethereum's receipt encoding: EIP-2718, 2930, 1559, 4844, 7702, and Polygon's state sync
 * (PIP-74).
 */
const standardTypes = new Set(['0x0', '0x1', '0x2', '0x3', '0x4', '0x7f'])
/** A deposit of OP chains. Its receipt has a nonce and a version since the Canyon fork. */
const deposit = '0x7e'

/**
 * Refuses incomplete or changed receipts. Providers were seen to answer with receipts without logs, of
 * another fork, or fewer than there are transactions. Requires one receipt of this block for each
 * transaction, and the receipts root of the header, which commits to every log. Where a provider omits fields
 * that are hashed into the root (deposits on OP chains, Polygon's state sync), a root that differs proves
 * nothing. Then the indexes of logs must have no gap, each bloom must match its logs, and the blooms must add
 * up to the block's. Of a trusted node only the indexes and the block's bloom are checked: that finds
 * mistakes, not forgeries.
 * @returns the receipts under the root, with the types that it proves; null where nothing is proven
 * @throws ProviderError
 */
export function requireCompleteReceipts(
  rules: Pick<EvmRules, 'ownReceipts' | 'trusted' | 'nativeLog' | 'canyonTime'>,
  block: RpcBlock,
  receipts: readonly RpcReceipt[],
): readonly RpcReceipt[] | null {
  const at = `block ${Number(block.number)}`
  if (!Array.isArray(block.transactions) || !Array.isArray(receipts))
    throw new ProviderError(`${at}: no transactions or receipts`)
  requireSameTransactions(rules, at, block, receipts)
  const counted = receipts.filter((receipt) => !isSync(rules, receipt))
  requireIndexes(at, counted)
  if (block.receiptsRoot !== undefined && !rules.trusted) {
    // Polygon's state sync is under the root since a fork of 2025.
    const candidates =
      counted.length < receipts.length ? [counted, receipts, receipts.map(asTyped)] : [counted]
    const proven = candidates.find((all) => receiptsRoot(all) === block.receiptsRoot)
    if (proven) return proven
    if (!rules.ownReceipts || hasAllFields(rules, block, receipts))
      throw new ProviderError(`${at}: receipts do not match the receipts root`)
  }
  for (const receipt of rules.trusted ? [] : receipts) {
    if (!bloomEquals(bloomOf(receipt.logs), receipt.logsBloom))
      throw new ProviderError(`${at}: logs of ${receipt.transactionHash} do not match its bloom`)
  }
  // Polygon's state sync is part of the block's bloom since a fork of 2025.
  if (
    !bloomEquals(unionOfBlooms(counted), block.logsBloom) &&
    !bloomEquals(unionOfBlooms(receipts), block.logsBloom)
  ) {
    throw new ProviderError(`${at}: logs of the receipts do not match the block's bloom`)
  }
  return null
}

/** The types in receipts, by transaction. */
export const typesOf = (receipts: readonly RpcReceipt[]): Map<string, number> =>
  new Map(receipts.map((receipt) => [receipt.transactionHash, typeOf(receipt)]))

const typeOf = ({ type }: { type?: string | undefined }) => Number(type ?? '0x0')

/**
 * Refuses transactions that do not match the transactions root of the header: no transaction can be missing,
 * no recipient or value changed.
 * @param types of the receipts under the root, by transaction: a transaction without one is not under the
 * transactions root either. Null where no receipts are proven
 * @returns whether the transactions are proven; types that this version does not know cannot be
 * @throws ProviderError also where a transaction does not match its hash
 */
export function requireTransactions(
  rules: Pick<EvmRules, 'ownReceipts' | 'nativeLog'>,
  block: RpcBlock,
  types: ReadonlyMap<string, number> | null,
): boolean {
  const listed = block.transactions.filter((each) => (types ? types.has(each.hash) : !isSync(rules, each)))
  const transactions = listed.map((fields) => ({
    hash: fields.hash,
    type: types?.get(fields.hash) ?? typeOf(fields),
    fields: fields as unknown as Readonly<Record<string, unknown>>,
  }))
  // Types of proven receipts count too: some providers do not list Polygon's state sync.
  const isOpen = (types ? [...types.values()] : transactions.map(({ type }) => type)).some(
    (type) => !isProvable(type),
  )
  // Without proven receipts the node could claim any type, and only some chains have types of their own.
  if (isOpen && !types && !rules.ownReceipts)
    throw new ProviderError(
      `block ${Number(block.number)}: a transaction has a type that does not exist on this chain`,
    )
  if (block.transactionsRoot === undefined || isOpen) return false
  if (transactionsRoot(transactions) === block.transactionsRoot) return true
  // Without proven receipts it is unknown whether Polygon's state sync is under the root.
  if (!types && listed.length < block.transactions.length) return false
  throw new ProviderError(`block ${Number(block.number)}: transactions do not match the transactions root`)
}

/**
 * Refuses incomplete logs where there are no receipts: their indexes must have no gap, and their bloom must
 * be the block's. Weaker than the receipts root: a missing last log goes unnoticed where earlier logs have
 * its address and topics. Used for providers that do not offer receipts by block.
 * @param logs of the whole block, in order
 * @throws ProviderError
 */
export function requireCompleteLogs(
  rules: Pick<EvmRules, 'nativeLog'>,
  block: RpcBlock,
  logs: readonly RpcLog[],
): void {
  const at = `block ${Number(block.number)}`
  if (!Array.isArray(block.transactions) || !Array.isArray(logs))
    throw new ProviderError(`${at}: no transactions or logs`)
  for (const [index, log] of logs.entries()) {
    if (log.blockHash !== block.hash) throw new ProviderError(`${at}: log ${index} is of another block`)
    if (log.removed) throw new ProviderError(`${at}: log ${index} was removed by a fork`)
    if (Number(log.logIndex) !== index) throw new ProviderError(`${at}: log ${index} is missing`)
  }
  const listed = new Set(block.transactions.map(({ hash }) => hash))
  if (listed.size < block.transactions.length) throw new ProviderError(`${at}: a transaction is listed twice`)
  if (rules.nativeLog === null && logs.some((log) => !listed.has(log.transactionHash)))
    throw new ProviderError(`${at}: a log belongs to no transaction of the block`)
  if (bloomEquals(bloomOf(logs), block.logsBloom)) return
  const synced = new Set(block.transactions.filter((each) => isSync(rules, each)).map(({ hash }) => hash))
  const counted = logs.filter((log) => listed.has(log.transactionHash) && !synced.has(log.transactionHash))
  if (counted.length === logs.length || !bloomEquals(bloomOf(counted), block.logsBloom)) {
    throw new ProviderError(`${at}: logs do not match the block's bloom`)
  }
}

/** Only Polygon has state syncs: on other chains this exception would bypass every root. */
const isSync = (rules: Pick<EvmRules, 'nativeLog'>, each: Pick<RpcTransaction, 'from' | 'to'>): boolean =>
  rules.nativeLog !== null && isStateSync(each)

/** Sets type 0x7f (PIP-74) on a state sync: some nodes answer it as a legacy transaction. */
const asTyped = (receipt: RpcReceipt): RpcReceipt =>
  isStateSync(receipt) ? { ...receipt, type: '0x7f' } : receipt

/** Whether the receipts have every field that is hashed into the receipts root. */
function hasAllFields(
  { canyonTime = 0 }: Pick<EvmRules, 'canyonTime'>,
  block: RpcBlock,
  receipts: readonly RpcReceipt[],
): boolean {
  // Before Canyon the root has no field of a deposit that a node could leave out (OP specs, "Deposits": the
  // nonce was not hashed). However a node writes the types: a root that does not match is proof.
  if (Number(block.timestamp) < canyonTime) return true
  const synced = new Set(receipts.filter(isStateSync).map(({ transactionHash }) => transactionHash))
  const types = new Map(block.transactions.map(({ hash, type }) => [hash, type]))
  return (
    block.transactions.every((each) => !isStateSync(each) || synced.has(each.hash)) &&
    receipts.every(
      ({ transactionHash, type = types.get(transactionHash), depositReceiptVersion, depositNonce }) =>
        type === deposit
          ? depositReceiptVersion !== undefined && depositNonce !== undefined
          : type !== undefined && standardTypes.has(type),
    )
  )
}

/**
 * Requires a receipt for each transaction, in order. Only Polygon's state sync may have a receipt without
 * being listed.
 */
function requireSameTransactions(
  rules: Pick<EvmRules, 'nativeLog'>,
  at: string,
  block: RpcBlock,
  receipts: readonly RpcReceipt[],
): void {
  if (new Set(receipts.map((each) => each?.transactionHash)).size < receipts.length)
    throw new ProviderError(`${at}: a receipt is listed twice`)
  let next = 0
  for (const [index, receipt] of receipts.entries()) {
    if (receipt?.blockHash !== block.hash)
      throw new ProviderError(`${at}: receipt ${index} is of another block`)
    if (!Array.isArray(receipt.logs)) throw new ProviderError(`${at}: receipt ${index} has no list of logs`)
    if (receipt.transactionHash === block.transactions[next]?.hash) next++
    else if (!isSync(rules, receipt) || index < receipts.length - 1)
      throw new ProviderError(`${at}: receipt ${index} is of another transaction`)
  }
  if (next !== block.transactions.length)
    throw new ProviderError(
      `${at}: ${receipts.length} receipts for ${block.transactions.length} transactions`,
    )
}

function requireIndexes(at: string, receipts: readonly RpcReceipt[]): void {
  let next = 0
  for (const { logs, transactionHash } of receipts) {
    for (const log of logs) {
      if (Number(log.logIndex) !== next++) throw new ProviderError(`${at}: log ${next - 1} is missing`)
      if (log.transactionHash !== transactionHash)
        throw new ProviderError(`${at}: log ${next - 1} is of another transaction`)
    }
  }
}

function unionOfBlooms(receipts: readonly RpcReceipt[]): Uint8Array {
  const union = new Uint8Array(256)
  for (const { logs, logsBloom } of receipts) {
    if (logs.length === 0) continue
    const bytes = Buffer.from(logsBloom.slice(2), 'hex')
    for (let i = 0; i < 256; i++) union[i] = (union[i] as number) | (bytes[i] ?? 0)
  }
  return union
}
