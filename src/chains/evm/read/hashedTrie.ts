import { copyInto } from '../../../platform/webAssembly.ts'
import { createRlpWriter } from '../rlp.ts'
import { maxLength, receiptsModule } from './receiptsModule.ts'
import type { TrieValue } from './trieRoot.ts'

interface HashedTrie {
  /** In hex. */
  root: string
  /** The hash of each value, in hex without prefix, one after the other. */
  hashes: string
}

/** The module has this much free before each value, for the head of its leaf (wasm/evm/trie.ts). */
const gap = new Uint8Array(24)
const maxCount = 65_536
/** In bytes: a place, a length and a target; a hash; the nodes on the way to a leaf. */
const [entrySize, hashSize, nodesRoom] = [12, 32, 16_384]

const writer = createRlpWriter()

/**
 * The root of the trie of `trieRoot`, and the hash of each value, by the module: it hashes two at a time,
 * which takes half the time.
 * @returns null for more than the module takes, and where an encoding is shorter than a hash: its node would
 * not be hashed
 */
export function hashedTrie<V>(values: readonly V[], { room, write }: TrieValue<V>): HashedTrie | null {
  const most = values.reduce((sum, value) => sum + room(value) + gap.length, 0)
  if (most > maxLength || values.length > maxCount) return null
  writer.reset(most)
  const end = writer.at
  const entries = new Uint32Array(values.length * 3)
  for (let index = values.length - 1; index >= 0; index--) {
    const valueEnd = writer.at
    write(writer, values[index] as V)
    const length = valueEnd - writer.at
    if (length < hashSize) return null
    entries.set([writer.at, length], index * 3)
    writer.raw(gap)
  }
  const module = receiptsModule()
  const written = writer.since(end)
  const list = aligned(module.textAt() + written.length)
  const hashes = list + values.length * entrySize
  const scratch = hashes + values.length * hashSize
  for (let index = 0; index < values.length; index++) {
    entries[index * 3] = module.textAt() + (entries[index * 3] as number) - writer.at
    entries[index * 3 + 2] = hashes + index * hashSize
  }
  const memory = copyInto(
    module.memory,
    module.textAt(),
    [written],
    written.length,
    scratch + values.length * hashSize + nodesRoom,
  )
  new Uint32Array(memory.buffer, list, entries.length).set(entries)
  module.hashValues(list, values.length, scratch)
  const hexOf = (from: number, length: number) => Buffer.from(memory.buffer, from, length).toString('hex')
  return { root: `0x${hexOf(module.rootAt(), hashSize)}`, hashes: hexOf(hashes, values.length * hashSize) }
}

const aligned = (at: number) => Math.ceil(at / 16) * 16
