import { keccak256 } from './keccak.ts'

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
  const leaves = receipts.map((receipt, index) => ({ key: nibblesOf(rlpOfNumber(index)), value: encodeReceipt(receipt) }))
  // Keys in the order of their bytes: index 0 is 0x80 and so comes after 1 to 127.
  leaves.sort((a, b) => Buffer.compare(a.key, b.key))
  return `0x${Buffer.from(keccak256(leaves.length === 0 ? Buffer.from([0x80]) : nodeOf(leaves, 0, leaves.length, 0))).toString('hex')}`
}

interface Leaf {
  key: Uint8Array
  value: Buffer
}

function encodeReceipt(receipt: ConsensusReceipt): Buffer {
  const type = receipt.type === undefined ? 0 : Number(receipt.type)
  const deposit =
    receipt.depositReceiptVersion === undefined ? [] : [rlpOfHexNumber(receipt.depositNonce ?? '0x0'), rlpOfHexNumber(receipt.depositReceiptVersion)]
  const body = rlpList([
    receipt.status === undefined ? rlpOf(bytesOf(receipt.root ?? '0x')) : rlpOfHexNumber(receipt.status),
    rlpOfHexNumber(receipt.cumulativeGasUsed),
    rlpOf(bytesOf(receipt.logsBloom)),
    rlpList(
      receipt.logs.map((log) =>
        rlpList([rlpOf(bytesOf(log.address)), rlpList(log.topics.map((topic) => rlpOf(bytesOf(topic)))), rlpOf(bytesOf(log.data))]),
      ),
    ),
    ...deposit,
  ])
  return type === 0 ? body : Buffer.concat([Buffer.from([type]), body])
}

/** The RLP of the trie's node that holds `leaves[from..to)`, which agree in the first `depth` nibbles of their keys. */
function nodeOf(leaves: readonly Leaf[], from: number, to: number, depth: number): Buffer {
  const first = leaves[from] as Leaf
  if (to - from === 1) return rlpList([rlpOf(hexPrefix(first.key.subarray(depth), true)), rlpOf(first.value)])
  const last = leaves[to - 1] as Leaf
  let common = depth
  while (common < first.key.length && common < last.key.length && first.key[common] === last.key[common]) common++
  if (common > depth) return rlpList([rlpOf(hexPrefix(first.key.subarray(depth, common), false)), reference(nodeOf(leaves, from, to, common))])
  const children: Buffer[] = []
  let at = from
  for (let nibble = 0; nibble < 16; nibble++) {
    const start = at
    while (at < to && leaves[at]?.key[depth] === nibble) at++
    children.push(at === start ? empty : reference(nodeOf(leaves, start, at, depth + 1)))
  }
  // No key is a prefix of another: the RLP of a number tells its own length. So a branch holds no value.
  return rlpList([...children, empty])
}

const empty = Buffer.from([0x80])

/** A node stands in its parent as it is while it is short, else as its hash. */
const reference = (node: Buffer) => (node.length < 32 ? node : rlpOf(keccak256(node)))

/** Nibbles in bytes, with a first nibble that tells leaf from extension and odd from even (Yellow Paper, appendix C). */
function hexPrefix(nibbles: Uint8Array, isLeaf: boolean): Buffer {
  const odd = nibbles.length % 2
  const bytes = Buffer.alloc((nibbles.length - odd) / 2 + 1)
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

const bytesOf = (hex: string) => Buffer.from(hex.slice(2), 'hex')

/** A number has no leading zeros in RLP, and zero is the empty string. */
function rlpOfHexNumber(hex: string): Buffer {
  const digits = hex.slice(2).replace(/^0+/, '')
  return rlpOf(Buffer.from(digits.length % 2 ? `0${digits}` : digits, 'hex'))
}

const rlpOfNumber = (value: number) => rlpOfHexNumber(`0x${value.toString(16)}`)

function rlpOf(bytes: Uint8Array): Buffer {
  if (bytes.length === 1 && (bytes[0] as number) < 0x80) return Buffer.from(bytes)
  const head = rlpHead(bytes.length, 0x80)
  const whole = Buffer.allocUnsafe(head.length + bytes.length)
  whole.set(head)
  whole.set(bytes, head.length)
  return whole
}

function rlpList(items: readonly Buffer[]): Buffer {
  const length = items.reduce((sum, item) => sum + item.length, 0)
  return Buffer.concat([rlpHead(length, 0xc0), ...items])
}

function rlpHead(length: number, offset: number): Buffer {
  if (length < 56) return Buffer.from([offset + length])
  const size = Buffer.from(length.toString(16).padStart(length < 256 ? 2 : length < 65_536 ? 4 : 6, '0'), 'hex')
  return Buffer.concat([Buffer.from([offset + 55 + size.length]), size])
}
