/** A provider of the same chain that misbehaves by flags. The honest one has no flags. */

import type { Block } from './blocks.ts'
import { blockJson, infosOf } from './blocks.ts'
import type { Chain } from './chain.ts'
import { isObject, type JsonObject } from './json.ts'

export interface Flags {
  /** Its head is this many blocks lower. */
  lagBlocks?: number
  /** HTTP 503. */
  down?: boolean
  /** HTTP 429 after this many requests in a second. */
  throttle?: number
  slowMs?: number
  /** A lite full node with `openHistoryQueryWhenLiteFN`: older blocks are missing. */
  pruneBelow?: number
  /** A lite full node by default: refuses all history requests. */
  lite?: boolean
  /** Infos of these transactions have no `log`. */
  omitLogs?: string[]
  /** These transactions are in no block, and have no info. */
  omit?: string[]
  /** This transaction's amount is wrong in JSON; `raw_data_hex` stays. */
  amountOff?: string
  /** These failed calls are shown as `contractRet: SUCCESS`; their receipts stay. */
  failedAsSuccess?: string[]
  /** A node without `vm.saveInternalTx`, java-tron's default. */
  noInternal?: boolean
  /** The block at this height has a wrong parent hash; its id stays. */
  wrongParent?: number
  /** Infos of a height are those of the block that a reorg dropped there. */
  infoOfOtherFork?: boolean
  /** Refuses requests without this key, as TronGrid does. */
  apiKey?: string
}

export const flagNames = [
  'lagBlocks',
  'down',
  'throttle',
  'slowMs',
  'pruneBelow',
  'lite',
  'omitLogs',
  'omit',
  'amountOff',
  'failedAsSuccess',
  'noInternal',
  'wrongParent',
  'infoOfOtherFork',
  'apiKey',
] as const satisfies readonly (keyof Flags)[]

const listed = (each: JsonObject | null): JsonObject[] => (each === null ? [] : [each])

/** A block as a face serves it. */
export function shownBlock(flags: Flags, block: Block, detail: boolean): JsonObject {
  const json = blockJson(block, detail)
  if (
    flags.wrongParent === block.header.number &&
    isObject(json.block_header) &&
    isObject(json.block_header.raw_data)
  ) {
    const parentHash = block.header.parentHash.replace(/.{8}$/, (end) =>
      ((Number.parseInt(end, 16) ^ 1) >>> 0).toString(16).padStart(8, '0'),
    )
    json.block_header = { ...json.block_header, raw_data: { ...json.block_header.raw_data, parentHash } }
  }
  if (!Array.isArray(json.transactions)) return json
  const transactions = json.transactions.filter(isObject).flatMap((tx) => listed(shownTransaction(flags, tx)))
  if (transactions.length > 0) return { ...json, transactions }
  const { transactions: _, ...empty } = json
  return empty
}

/** A transaction as a face serves it; null if hidden. */
export function shownTransaction(flags: Flags, tx: JsonObject): JsonObject | null {
  const id = String(tx.txID)
  if (flags.omit?.includes(id)) return null
  const shown = flags.amountOff === id ? withOtherAmount(tx) : tx
  return flags.failedAsSuccess?.includes(id) ? { ...shown, ret: [{ contractRet: 'SUCCESS' }] } : shown
}

function withOtherAmount(tx: JsonObject): JsonObject {
  const copy = structuredClone(tx)
  const contract =
    isObject(copy.raw_data) && Array.isArray(copy.raw_data.contract) ? copy.raw_data.contract[0] : undefined
  const value = isObject(contract) && isObject(contract.parameter) ? contract.parameter.value : undefined
  if (!isObject(value)) return copy
  if (typeof value.amount === 'number') value.amount *= 10
  // A TRC-20 transfer's last argument is its amount.
  else if (typeof value.data === 'string')
    value.data = value.data.replace(/.$/, (digit) => (Number.parseInt(digit, 16) ^ 1).toString(16))
  return copy
}

/** The infos of a block as a face serves them. */
export function shownInfos(flags: Flags, chain: Chain, block: Block): JsonObject[] {
  const source = (flags.infoOfOtherFork && chain.dropped.get(block.header.number)) || block
  return infosOf(source).flatMap((info) => listed(shownInfo(flags, info)))
}

export function shownInfo(flags: Flags, info: JsonObject): JsonObject | null {
  const id = String(info.id)
  if (flags.omit?.includes(id)) return null
  const { log, internal_transactions, ...rest } = info
  return {
    ...rest,
    ...(log && !flags.omitLogs?.includes(id) ? { log } : {}),
    ...(internal_transactions && !flags.noInternal ? { internal_transactions } : {}),
  }
}
