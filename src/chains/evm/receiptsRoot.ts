import { keccak256 } from './keccak.ts'
import { createRlpWriter } from './rlp.ts'

/** What of a receipt is part of consensus, as a node answers it in hex. */
export interface ConsensusReceipt {
  type?: string
  /** Of receipts before the Byzantium fork (2017): the state root in place of a status. */
  root?: string
  status?: string
  cumulativeGasUsed: string
  logsBloom: string
  depositNonce?: string
  depositReceiptVersion?: string
  logs: readonly { address: string; topics: readonly string[]; data: string }[]
}

/**
 * The root of the trie of receipts, which the block's header commits to: no log can be left out, added or changed without
 * changing it. Encoding: EIP-2718 and EIP-658 (`[status, cumulativeGasUsed, logsBloom, logs]`, after the type's byte unless it
 * is 0; deposits of OP chains have their nonce and version after the logs since the Canyon fork); trie: Yellow Paper, appendix D, with the RLP of each index as its key.
 * @throws on a receipt that cannot be encoded
 */
export function receiptsRoot(receipts: readonly ConsensusReceipt[]): string {
  const leaves = receipts.map((receipt, index) => ({ key: nibblesOf(rlpOfIndex(index)), receipt }))
  // Keys in the order of their bytes: index 0 is 0x80 and so comes after 1 to 127.
  leaves.sort((a, b) => Buffer.compare(a.key, b.key))
  const root = leaves.length === 0 ? empty : referenceTo(leaves, 0, leaves.length, 0)
  return `0x${Buffer.from(root.length === hashLength ? root : keccak256(root)).toString('hex')}`
}

interface Leaf {
  key: Uint8Array
  receipt: ConsensusReceipt
}

/** Shared by all, because nothing here waits: what it holds is hashed before anything else is written. */
const writer = createRlpWriter()
const hashLength = 32

/** More than the encoding of a leaf without its logs, and of what stands around the data of a log. */
const [leafRoom, logRoom] = [500, 220]

function writeReceipt(receipt: ConsensusReceipt): void {
  const end = writer.at
  if (receipt.depositReceiptVersion !== undefined) {
    writer.hexNumber(receipt.depositReceiptVersion)
    writer.hexNumber(receipt.depositNonce ?? '0x0')
  }
  const logsEnd = writer.at
  for (let i = receipt.logs.length - 1; i >= 0; i--) writeLog(receipt.logs[i] as ConsensusReceipt['logs'][number])
  writer.listSince(logsEnd)
  writer.hex(receipt.logsBloom)
  writer.hexNumber(receipt.cumulativeGasUsed)
  if (receipt.status === undefined) writer.hex(receipt.root ?? '0x')
  else writer.hexNumber(receipt.status)
  writer.listSince(end)
  const type = receipt.type === undefined ? 0 : Number(receipt.type)
  if (type !== 0) writer.raw(Uint8Array.of(type))
}

function writeLog({ address, topics, data }: ConsensusReceipt['logs'][number]): void {
  const end = writer.at
  writer.hex(data)
  const topicsEnd = writer.at
  for (let i = topics.length - 1; i >= 0; i--) writer.hex(topics[i] as string)
  writer.listSince(topicsEnd)
  writer.hex(address)
  writer.listSince(end)
}

/**
 * What stands for the trie's node that holds `leaves[from..to)`, which agree in the first `depth` nibbles of their keys: its hash,
 * or the node itself while it is shorter than one.
 */
function referenceTo(leaves: readonly Leaf[], from: number, to: number, depth: number): Uint8Array {
  const first = leaves[from] as Leaf
  if (to - from === 1) {
    const room = first.receipt.logs.reduce((sum, log) => sum + logRoom + log.data.length, leafRoom)
    return referenceToList(room, () => {
      const end = writer.at
      writeReceipt(first.receipt)
      writer.stringSince(end)
      writer.bytes(hexPrefix(first.key.subarray(depth), true))
    })
  }
  const last = leaves[to - 1] as Leaf
  let common = depth
  while (common < first.key.length && common < last.key.length && first.key[common] === last.key[common]) common++
  if (common > depth) {
    const child = referenceTo(leaves, from, to, common)
    return referenceToList(128, () => {
      writeReference(child)
      writer.bytes(hexPrefix(first.key.subarray(depth, common), false))
    })
  }
  const children: (Uint8Array | null)[] = []
  let at = from
  for (let nibble = 0; nibble < 16; nibble++) {
    const start = at
    while (at < to && leaves[at]?.key[depth] === nibble) at++
    children.push(at === start ? null : referenceTo(leaves, start, at, depth + 1))
  }
  return referenceToList(1024, () => {
    // No key is a prefix of another: the RLP of a number tells its own length. So a branch holds no value.
    writer.raw(empty)
    for (const child of children.reverse()) {
      if (child) writeReference(child)
      else writer.raw(empty)
    }
  })
}

/** @param write writes the items, the last one first */
function referenceToList(room: number, write: () => void): Uint8Array {
  writer.reset(room)
  const end = writer.at
  write()
  writer.listSince(end)
  const node = writer.since(end)
  return node.length < hashLength ? new Uint8Array(node) : keccak256(node)
}

const empty = Uint8Array.of(0x80)

function writeReference(reference: Uint8Array): void {
  if (reference.length === hashLength) writer.bytes(reference)
  else writer.raw(reference)
}

/** Nibbles in bytes, with a first nibble that tells leaf from extension and odd from even (Yellow Paper, appendix C). */
function hexPrefix(nibbles: Uint8Array, isLeaf: boolean): Uint8Array {
  const odd = nibbles.length % 2
  const bytes = new Uint8Array((nibbles.length - odd) / 2 + 1)
  bytes[0] = ((isLeaf ? 2 : 0) + odd) * 16 + (odd ? (nibbles[0] as number) : 0)
  for (let i = odd, at = 1; i < nibbles.length; i += 2, at++) bytes[at] = (nibbles[i] as number) * 16 + (nibbles[i + 1] as number)
  return bytes
}

function nibblesOf(bytes: Uint8Array): Uint8Array {
  const nibbles = new Uint8Array(bytes.length * 2)
  for (const [i, byte] of bytes.entries()) {
    nibbles[i * 2] = byte >> 4
    nibbles[i * 2 + 1] = byte & 15
  }
  return nibbles
}

/** A number has no leading zeros in RLP, and zero is the empty string. */
function rlpOfIndex(index: number): Uint8Array {
  if (index === 0) return empty
  if (index < 0x80) return Uint8Array.of(index)
  return index < 0x100 ? Uint8Array.of(0x81, index) : Uint8Array.of(0x82, index >> 8, index & 0xff)
}
