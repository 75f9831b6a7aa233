import { keccak256 } from '../keccak.ts'
import { createRlpWriter, type RlpWriter } from '../rlp.ts'

export interface TrieValue<V> {
  /** An upper bound of the encoding, in bytes. */
  room(value: V): number
  /** Writes the encoding, last part first. */
  write(writer: RlpWriter, value: V): void
}

/**
 * The root, in hex, of a trie that holds each value under the RLP of its index (Yellow Paper, appendix D).
 * In place of `@ethereumjs/mpt`: it only computes a root, so that 300 receipts take a twentieth of the time
 * (2 ms against 40 ms, Node 24).
 */
export function trieRoot<V>(values: readonly V[], how: TrieValue<V>): string {
  const leaves = values.map((value, index) => ({ key: nibblesOf(rlpOfIndex(index)), value }))
  // Sort by bytes: index 0 is encoded as 0x80, after 1 to 127.
  leaves.sort((a, b) => Buffer.compare(a.key, b.key))
  const root = leaves.length === 0 ? empty : referenceTo(how, leaves, 0, leaves.length, 0)
  return `0x${Buffer.from(root.length === hashLength ? root : keccak256(root)).toString('hex')}`
}

interface Leaf<V> {
  key: Uint8Array
  value: V
}

/** Shared: the code is synchronous, and each node is hashed or copied before the next one is written. */
const writer = createRlpWriter()
const hashLength = 32
/** An upper bound of the bytes around a leaf's value. */
const leafRoom = 64

/**
 * The reference to the node that holds `leaves[from..to)`, whose keys share their first `depth` nibbles: its
 * hash, or the node itself where that is shorter than a hash.
 */
function referenceTo<V>(
  how: TrieValue<V>,
  leaves: readonly Leaf<V>[],
  from: number,
  to: number,
  depth: number,
): Uint8Array {
  const first = leaves[from] as Leaf<V>
  if (to - from === 1) {
    return referenceToList(leafRoom + how.room(first.value), () => {
      const end = writer.at
      how.write(writer, first.value)
      writer.stringSince(end)
      writer.bytes(hexPrefix(first.key.subarray(depth), true))
    })
  }
  const last = leaves[to - 1] as Leaf<V>
  let common = depth
  while (common < first.key.length && common < last.key.length && first.key[common] === last.key[common])
    common++
  if (common > depth) {
    const child = referenceTo(how, leaves, from, to, common)
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
    children.push(at === start ? null : referenceTo(how, leaves, start, at, depth + 1))
  }
  return referenceToList(1024, () => {
    // A branch holds no value: RLP numbers include their length, so no key is a prefix of another.
    writer.raw(empty)
    for (const child of children.reverse()) {
      if (child) writeReference(child)
      else writer.raw(empty)
    }
  })
}

/** @param write writes the items, last one first */
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

/**
 * Packs nibbles into bytes; the first nibble marks leaf or extension, odd or even (Yellow Paper, appendix C).
 */
function hexPrefix(nibbles: Uint8Array, isLeaf: boolean): Uint8Array {
  const odd = nibbles.length % 2
  const bytes = new Uint8Array((nibbles.length - odd) / 2 + 1)
  bytes[0] = ((isLeaf ? 2 : 0) + odd) * 16 + (odd ? (nibbles[0] as number) : 0)
  for (let i = odd, at = 1; i < nibbles.length; i += 2, at++)
    bytes[at] = (nibbles[i] as number) * 16 + (nibbles[i + 1] as number)
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

/** RLP numbers have no leading zeros; zero is the empty string. */
function rlpOfIndex(index: number): Uint8Array {
  if (index === 0) return empty
  if (index < 0x80) return Uint8Array.of(index)
  return index < 0x100 ? Uint8Array.of(0x81, index) : Uint8Array.of(0x82, index >> 8, index & 0xff)
}
