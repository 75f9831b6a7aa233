import { toRlp } from 'viem'
import { keccak256 } from '../src/chains/evm/keccak.ts'

type Rlp = Uint8Array | Rlp[]

/** Nodes of the trie of a block's list: keys are the RLP of indexes, so no key starts with another one. */
interface Node {
  /** Nibbles before the branch, or before the end of the key. */
  path: string
  /** The branch; null: a leaf. */
  children: ReadonlyMap<string, Node> | null
  /** The values in it. */
  indexes: ReadonlySet<number>
  /** Of the node as it was at first. */
  reference: Rlp
}

const empty = new Uint8Array()

/**
 * The trie of a block's transactions or receipts, of which few differ from height to height: only the paths
 * to those are hashed again.
 * @returns the root with some values replaced, by index
 */
export function changingTrie(
  values: readonly Uint8Array[],
): (changed: ReadonlyMap<number, Uint8Array>) => string {
  const none = new Map<number, Uint8Array>()
  const keys = values.map((_, index) => ({
    index,
    path: hexOf(toRlp(index === 0 ? empty : bytesOf(index.toString(16)), 'bytes')),
  }))
  const root = nodeOf(keys)
  return (changed) => `0x${hexOf(keccak256(encoded(structureOf(root, changed))))}`

  function nodeOf(entries: readonly { index: number; path: string }[]): Node {
    const first = entries[0] as { path: string }
    let common = 0
    if (entries.length === 1) common = first.path.length
    else while (entries.every(({ path }) => path[common] === first.path[common])) common++
    const after = entries.map(({ index, path }) => ({
      index,
      first: path[common] as string,
      path: path.slice(common + 1),
    }))
    const groups = entries.length === 1 ? null : Map.groupBy(after, (each) => each.first)
    const children = groups && new Map([...groups].map(([nibble, some]) => [nibble, nodeOf(some)]))
    const node: Node = {
      path: first.path.slice(0, common),
      children,
      indexes: new Set(entries.map(({ index }) => index)),
      reference: empty,
    }
    node.reference = short(structureOf(node, none))
    return node
  }

  function structureOf({ path, children, indexes }: Node, changed: ReadonlyMap<number, Uint8Array>): Rlp[] {
    if (!children) {
      const [index] = indexes as unknown as Iterable<number>
      return [hexPrefix(path, true), changed.get(index as number) ?? (values[index as number] as Uint8Array)]
    }
    const branch = [...'0123456789abcdef'].map((nibble) => {
      const child = children.get(nibble)
      if (!child) return empty
      return [...changed.keys()].some((index) => child.indexes.has(index))
        ? short(structureOf(child, changed))
        : child.reference
    })
    const structure: Rlp[] = [...branch, empty]
    return path === '' ? structure : [hexPrefix(path, false), short(structure)]
  }
}

const encoded = (structure: Rlp[]) => toRlp(structure as Uint8Array[], 'bytes')

/** A node in its parent: the node itself, or its hash, the shorter of both. */
function short(structure: Rlp[]): Rlp {
  const bytes = encoded(structure)
  return bytes.length < 32 ? structure : Uint8Array.from(keccak256(bytes))
}

function hexPrefix(path: string, isLeaf: boolean): Uint8Array {
  const flag = (isLeaf ? 2 : 0) + (path.length % 2)
  return bytesOf(`${flag}${path.length % 2 ? '' : '0'}${path}`)
}

const hexOf = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex')
const bytesOf = (hex: string) => Uint8Array.from(Buffer.from(hex.length % 2 ? `0${hex}` : hex, 'hex'))
