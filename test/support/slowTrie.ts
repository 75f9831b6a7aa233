import { type Hex, keccak256, toHex, toRlp } from 'viem'
import type { ConsensusReceipt } from '../../src/chains/evm/read/receiptsRoot.ts'

/*
 * An independent trie, written from the Yellow Paper alone: it inserts one key after another, slowly, over
 * strings of nibbles; RLP and Keccak are viem's.
 */
type Node =
  | { kind: 'leaf'; path: string; value: Hex }
  | { kind: 'extension'; path: string; child: Node }
  | Branch
interface Branch {
  kind: 'branch'
  children: Map<string, Node>
  value: Hex | null
}
export type Rlp = Hex | Rlp[]

export const rlp = (structure: Rlp): Hex => toRlp(structure as Hex[])

/** A number in RLP: without leading zeros, and empty for zero. */
export const rlpNumber = (hex: string): Hex => (BigInt(hex) === 0n ? '0x' : toHex(BigInt(hex)))

/**
 * The root of the trie of these values, each under the RLP of its index: of the transactions or the receipts
 * of a block.
 */
export function slowRoot(values: readonly Hex[]): Hex {
  let trie: Node | undefined
  for (const [index, value] of values.entries())
    trie = put(trie, toRlp(rlpNumber(toHex(index))).slice(2), value)
  return keccak256(trie ? rlp(structure(trie)) : '0x80')
}

/** A receipt as a value of the trie of receipts (EIP-2718, EIP-658). */
export function encodeReceipt(receipt: ConsensusReceipt): Hex {
  const { type, root, status, cumulativeGasUsed, logsBloom, logs, depositNonce, depositReceiptVersion } =
    receipt
  const first = status === undefined ? (root as Hex) : rlpNumber(status)
  const own: Rlp = [
    first,
    rlpNumber(cumulativeGasUsed),
    logsBloom as Hex,
    logs.map((log) => [log.address as Hex, log.topics as Hex[], log.data as Hex]),
  ]
  const deposit =
    depositReceiptVersion === undefined
      ? []
      : [rlpNumber(depositNonce ?? '0x0'), rlpNumber(depositReceiptVersion)]
  return typed(type, rlp([...own, ...deposit]))
}

/** The bytes of a receipt or transaction: its type's byte first, except for type 0 (EIP-2718). */
export const typed = (type: string | undefined, body: Hex): Hex =>
  type === undefined || Number(type) === 0
    ? body
    : `0x${Number(type).toString(16).padStart(2, '0')}${body.slice(2)}`

const commonOf = (a: string, b: string) => {
  let length = 0
  while (length < a.length && a[length] === b[length]) length++
  return length
}

function put(node: Node | undefined, path: string, value: Hex): Node {
  if (!node) return { kind: 'leaf', path, value }
  if (node.kind === 'branch') {
    if (path === '') return { ...node, value }
    const [first = ''] = path
    return {
      ...node,
      children: new Map(node.children).set(first, put(node.children.get(first), path.slice(1), value)),
    }
  }
  const common = commonOf(node.path, path)
  if (node.kind === 'extension' && common === node.path.length)
    return { ...node, child: put(node.child, path.slice(common), value) }
  let branch: Node = { kind: 'branch', children: new Map(), value: null }
  if (node.kind === 'leaf') branch = put(branch, node.path.slice(common), node.value)
  else {
    const rest = node.path.slice(common)
    const child: Node =
      rest.length > 1 ? { kind: 'extension', path: rest.slice(1), child: node.child } : node.child
    branch.children.set(rest[0] as string, child)
  }
  branch = put(branch, path.slice(common), value)
  return common === 0 ? branch : { kind: 'extension', path: path.slice(0, common), child: branch }
}

const hexPrefix = (path: string, isLeaf: boolean): Hex => {
  const flag = (isLeaf ? 2 : 0) + (path.length % 2)
  return `0x${flag.toString(16)}${path.length % 2 ? '' : '0'}${path}`
}

function structure(node: Node): Rlp {
  if (node.kind === 'leaf') return [hexPrefix(node.path, true), node.value]
  if (node.kind === 'extension') return [hexPrefix(node.path, false), referenceOf(node.child)]
  return [
    ...[...'0123456789abcdef'].map((nibble): Rlp => {
      const child = node.children.get(nibble)
      return child ? referenceOf(child) : '0x'
    }),
    node.value ?? '0x',
  ]
}

function referenceOf(node: Node): Rlp {
  const short = structure(node)
  const bytes = rlp(short)
  return bytes.length < 2 + 64 ? short : keccak256(bytes)
}
