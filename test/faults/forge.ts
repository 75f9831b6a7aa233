import { concatHex, type Hex, keccak256, numberToHex, padHex, size, toRlp } from 'viem'
import { type SlowHeader, slowHeaderHash } from '../support/slowHeader.ts'
import type { RpcReceipt } from './omit.ts'

/**
 * Blooms and tries by the Yellow Paper, implemented a second time: a mistake in the indexer's own code must
 * not pass here.
 */

export type ForgedBlock = SlowHeader & { hash: Hex; transactions: unknown[] }

export interface ForgedTransfer {
  token: Hex
  from: Hex
  to: Hex
  amount: bigint
}

const transferTopic = keccak256(new TextEncoder().encode('Transfer(address,address,uint256)'))

/**
 * Adds a transfer that never happened to a block and its receipts, with matching indexes, blooms and receipts
 * root.
 * @param isFork true: with the matching block hash, so that only the genuine block contradicts it; false:
 * keeps the genuine hash, which fools only a reader that does not compute it
 */
export function forge<B extends ForgedBlock>(
  block: B,
  receipts: readonly RpcReceipt[],
  { token, from, to, amount }: ForgedTransfer,
  isFork: boolean,
): { block: B; receipts: RpcReceipt[] } {
  const logIndex = numberToHex(receipts.flatMap((receipt) => receipt.logs).length)
  const forged = receipts.map((receipt, index) => {
    if (index < receipts.length - 1) return receipt
    const topics = [transferTopic, padHex(from), padHex(to)].map((topic) => topic.toLowerCase())
    const logs = [
      ...receipt.logs,
      {
        ...{
          address: token.toLowerCase(),
          topics,
          data: numberToHex(amount, { size: 32 }),
          logIndex,
          removed: false,
        },
        ...{ transactionHash: receipt.transactionHash, blockHash: block.hash, blockNumber: block.number },
      },
    ]
    return { ...receipt, logs, logsBloom: bloomOf(logs) }
  })
  const logsBloom = bloomOf(forged.flatMap(({ logs }) => logs))
  const changed = { ...block, logsBloom, receiptsRoot: receiptsRootOf(forged) }
  const hash = isFork ? slowHeaderHash(changed) : block.hash
  const inFork = forged.map((receipt) => ({
    ...receipt,
    blockHash: hash,
    logs: receipt.logs.map((log) => ({ ...log, blockHash: hash })),
  }))
  return { block: { ...changed, hash }, receipts: inFork }
}

function bloomOf(logs: readonly { address: string; topics: readonly string[] }[]): Hex {
  let bits = 0n
  for (const item of logs.flatMap(({ address, topics }) => [address, ...topics])) {
    const hash = Buffer.from(keccak256(item as Hex).slice(2), 'hex')
    for (const at of [0, 2, 4]) bits |= 1n << BigInt(hash.readUInt16BE(at) & 2047)
  }
  return numberToHex(bits, { size: 256 })
}

type Rlp = Hex | readonly Rlp[]

export function receiptsRootOf(receipts: readonly RpcReceipt[]): Hex {
  const leaves = receipts.map((receipt, index) => ({
    path: [...toRlp(quantity(index)).slice(2)],
    value: encoded(receipt),
  }))
  return keccak256(toRlp(nodeOf(leaves) as Hex[]))
}

function encoded({ type, status, cumulativeGasUsed, logsBloom, logs }: RpcReceipt): Hex {
  const fields: Rlp = [
    quantity(status),
    quantity(cumulativeGasUsed),
    logsBloom as Hex,
    logs.map(({ address, topics, data }) => [address as Hex, topics as Hex[], data as Hex]),
  ]
  const body = toRlp(fields as Hex[])
  return Number(type) === 0 ? body : concatHex([numberToHex(Number(type), { size: 1 }), body])
}

interface Leaf {
  /** Nibbles, one hexadecimal digit each. */
  path: string[]
  value: Hex
}

function nodeOf(leaves: readonly Leaf[]): Rlp {
  const [first, ...others] = leaves
  if (!first) return '0x'
  if (others.length === 0) return [compact(first.path, true), first.value]
  const common = first.path.findIndex((nibble, at) => others.some(({ path }) => path[at] !== nibble))
  const below = (depth: number) => leaves.map(({ path, value }) => ({ path: path.slice(depth), value }))
  if (common > 0) return [compact(first.path.slice(0, common), false), reference(nodeOf(below(common)))]
  const children = [...'0123456789abcdef'].map((nibble) => leaves.filter(({ path }) => path[0] === nibble))
  const branch = children.map((some) =>
    some.length === 0
      ? ('0x' as const)
      : reference(nodeOf(some.map(({ path, value }) => ({ path: path.slice(1), value })))),
  )
  return [...branch, '0x']
}

function reference(node: Rlp): Rlp {
  const bytes = toRlp(node as Hex[])
  return size(bytes) < 32 ? node : keccak256(bytes)
}

const compact = (path: readonly string[], leaf: boolean): Hex => {
  const odd = path.length % 2
  return `0x${(leaf ? 2 : 0) + odd}${odd ? '' : '0'}${path.join('')}`
}

function quantity(value: string | number): Hex {
  const digits = BigInt(value).toString(16)
  return BigInt(value) === 0n ? '0x' : `0x${digits.length % 2 ? '0' : ''}${digits}`
}
