import { keccak256 } from '../keccak'
import { hashAll } from '../keccakPair'
import { headBefore, stringBefore } from './rlp'

/**
 * The root of a trie that holds each value under the RLP of its index (Yellow Paper, appendix D). Values are
 * longer than a hash, as receipts are: so every node is, and is named by its hash.
 */

/** Bytes that must be free before each value: its head, the path and the head of the leaf. */
export const leafRoom: usize = 24

const branchRoom: usize = 16 * 33 + 1

let values: usize = 0
let count: i32 = 0
let free: usize = 0
/** The hashes of the leaves, by index. */
let hashes: usize = 0

/**
 * Bytes of a value in the list: its place, its length, and where the hash of its leaf goes, four bytes each.
 */
export const valueSize: usize = 12

/**
 * @param list of the values; no more than 65,536. It is changed. @param scratch free memory: 32 bytes a
 * value, and 8 kB
 */
export function trieRoot(list: usize, length: i32, scratch: usize, target: usize): void {
  values = list
  count = length
  hashes = scratch
  free = scratch + (length as usize) * 32
  if (length == 0) {
    store<u8>(scratch, 0x80)
    keccak256(scratch, 1, target)
    return
  }
  // Twice over the same nodes: hashing the leaves together takes half the time.
  writeLeaves(0, length, 0)
  hashAll(list, length)
  nodeOf(0, length, 0, target)
}

/** The index at a place of the keys' order: 0 is encoded as 0x80, after 1 to 127. */
function indexAt(place: i32): i32 {
  const zero = min(127, count - 1)
  if (place < zero) return place + 1
  return place == zero ? 0 : place
}

/** A key in one number, its first nibble highest. */
function keyOf(index: i32): u32 {
  if (index == 0) return 0x800000
  if (index < 0x80) return (index as u32) << 16
  return index < 0x100 ? 0x810000 | ((index as u32) << 8) : 0x820000 | (index as u32)
}

function nibblesOf(index: i32): i32 {
  if (index < 0x80) return 2
  return index < 0x100 ? 4 : 6
}

function nibbleAt(index: i32, at: i32): i32 {
  return ((keyOf(index) >> (20 - 4 * at)) & 15) as i32
}

/** The depth below `depth` to which the keys from place `from` to before `to` are the same. */
function commonDepth(from: i32, to: i32, depth: i32): i32 {
  const first = indexAt(from)
  const last = indexAt(to - 1)
  let common = depth
  while (nibbleAt(first, common) == nibbleAt(last, common)) common++
  return common
}

/** The place after the keys from `from` on that have this nibble. */
function afterNibble(from: i32, to: i32, depth: i32, nibble: i32): i32 {
  let at = from
  while (at < to && nibbleAt(indexAt(at), depth) == nibble) at++
  return at
}

/**
 * Writes the leaves of the keys from place `from` to before `to`, which share their first `depth` nibbles.
 */
function writeLeaves(from: i32, to: i32, depth: i32): void {
  if (to - from == 1) {
    writeLeaf(indexAt(from), depth)
    return
  }
  const common = commonDepth(from, to, depth)
  let at = from
  for (let nibble = 0; nibble < 16; nibble++) {
    const start = at
    at = afterNibble(at, to, common, nibble)
    if (at > start) writeLeaves(start, at, common + 1)
  }
}

function writeLeaf(index: i32, depth: i32): void {
  const entry = values + (index as usize) * valueSize
  const value = load<u32>(entry) as usize
  const length = load<u32>(entry, 4) as usize
  const path = pathBefore(headBefore(value, length, 0x80), index, depth, nibblesOf(index), 2)
  const begin = headBefore(path, value + length - path, 0xc0)
  store<u32>(entry, begin as u32)
  store<u32>(entry, (value + length - begin) as u32, 4)
  store<u32>(entry, (hashes + (index as usize) * 32) as u32, 8)
}

/**
 * Writes the hash of the node that holds the keys from place `from` to before `to`, which share their first
 * `depth` nibbles.
 */
function nodeOf(from: i32, to: i32, depth: i32, target: usize): void {
  if (to - from == 1) memory.copy(target, hashes + (indexAt(from) as usize) * 32, 32)
  else {
    const common = commonDepth(from, to, depth)
    if (common > depth) extension(from, to, depth, common, target)
    else branch(from, to, depth, target)
  }
}

function extension(from: i32, to: i32, depth: i32, common: i32, target: usize): void {
  const node = free + leafRoom
  free += leafRoom + 33
  store<u8>(node, 0xa0)
  nodeOf(from, to, common, node + 1)
  const path = pathBefore(node, indexAt(from), depth, common, 0)
  const begin = headBefore(path, node + 33 - path, 0xc0)
  keccak256(begin, node + 33 - begin, target)
  free = node - leafRoom
}

function branch(from: i32, to: i32, depth: i32, target: usize): void {
  const node = free + leafRoom
  free += leafRoom + branchRoom
  let end = node
  let at = from
  for (let nibble = 0; nibble < 16; nibble++) {
    const start = at
    at = afterNibble(at, to, depth, nibble)
    if (at == start) store<u8>(end++, 0x80)
    else {
      store<u8>(end, 0xa0)
      nodeOf(start, at, depth + 1, end + 1)
      end += 33
    }
  }
  // No value: RLP numbers include their length, so no key is a prefix of another.
  store<u8>(end++, 0x80)
  const begin = headBefore(node, end - node, 0xc0)
  keccak256(begin, end - begin, target)
  free = node - leafRoom
}

/**
 * Packs nibbles `[from, to)` of a key; the first nibble marks leaf or extension, odd or even (Yellow Paper,
 * appendix C).
 */
function pathBefore(at: usize, index: i32, from: i32, to: i32, mark: i32): usize {
  const odd = (to - from) & 1
  let begin = at
  for (let nibble = to - 2; nibble >= from + odd; nibble -= 2) {
    store<u8>(--begin, ((nibbleAt(index, nibble) << 4) | nibbleAt(index, nibble + 1)) as u8)
  }
  store<u8>(--begin, (((mark + odd) << 4) | (odd ? nibbleAt(index, from) : 0)) as u8)
  return stringBefore(begin, at - begin)
}
