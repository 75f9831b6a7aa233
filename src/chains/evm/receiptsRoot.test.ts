import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { type Hex, keccak256, toHex, toRlp } from 'viem'
import { howMany } from '../../../test/support/full.ts'
import { recordedBlock } from '../../../test/support/recordedBlocks.ts'
import { haveFixtures } from '../../../test/support/shared.ts'
import { type ConsensusReceipt, receiptsRoot } from './receiptsRoot.ts'

const whenRecorded = haveFixtures ? describe : describe.skip

/*
 * A second trie, written from the Yellow Paper alone: built by putting in one key after the other, slowly, over strings of
 * nibbles; RLP and Keccak by viem.
 */
type Node = { kind: 'leaf'; path: string; value: Hex } | { kind: 'extension'; path: string; child: Node } | Branch
interface Branch {
  kind: 'branch'
  children: Map<string, Node>
  value: Hex | null
}
type Rlp = Hex | Rlp[]

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
    return { ...node, children: new Map(node.children).set(first, put(node.children.get(first), path.slice(1), value)) }
  }
  const common = commonOf(node.path, path)
  if (node.kind === 'extension' && common === node.path.length) return { ...node, child: put(node.child, path.slice(common), value) }
  let branch: Node = { kind: 'branch', children: new Map(), value: null }
  if (node.kind === 'leaf') branch = put(branch, node.path.slice(common), node.value)
  else {
    const rest = node.path.slice(common)
    const child: Node = rest.length > 1 ? { kind: 'extension', path: rest.slice(1), child: node.child } : node.child
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
    ...[...'0123456789abcdef'].map((nibble) => (node.children.has(nibble) ? referenceOf(node.children.get(nibble) as Node) : '0x')),
    node.value ?? '0x',
  ] as Rlp
}

function referenceOf(node: Node): Rlp {
  const short = structure(node)
  const bytes = toRlp(short as Hex[])
  return bytes.length < 2 + 64 ? short : keccak256(bytes)
}

const number = (hex: string): Hex => (BigInt(hex) === 0n ? '0x' : toHex(BigInt(hex)))

function encoded({ type, root, status, cumulativeGasUsed, logsBloom, logs, depositNonce, depositReceiptVersion }: ConsensusReceipt): Hex {
  const first = status === undefined ? (root as Hex) : number(status)
  const own = [first, number(cumulativeGasUsed), logsBloom as Hex, logs.map((log) => [log.address as Hex, log.topics as Hex[], log.data as Hex])]
  const deposit = depositReceiptVersion === undefined ? [] : [number(depositNonce ?? '0x0'), number(depositReceiptVersion)]
  const body = toRlp([...own, ...deposit] as Hex[])
  return type === undefined || Number(type) === 0 ? body : `0x${Number(type).toString(16).padStart(2, '0')}${body.slice(2)}`
}

function slowRoot(receipts: readonly ConsensusReceipt[]): Hex {
  let trie: Node | undefined
  for (const [index, receipt] of receipts.entries()) trie = put(trie, toRlp(index === 0 ? '0x' : toHex(index)).slice(2), encoded(receipt))
  return keccak256(trie ? toRlp(structure(trie) as Hex[]) : '0x80')
}

const hexOf = (bytes: number) => fc.uint8Array({ minLength: bytes, maxLength: bytes }).map((array) => toHex(array))
const logs = fc.record({
  address: hexOf(20),
  topics: fc.array(hexOf(32), { maxLength: 4 }),
  data: fc.uint8Array({ maxLength: 80 }).map((array) => toHex(array)),
})
const receipts: fc.Arbitrary<ConsensusReceipt> = fc
  .record({
    type: fc.constantFrom(undefined, '0x0', '0x1', '0x2', '0x3', '0x4'),
    status: fc.constantFrom('0x0', '0x1'),
    cumulativeGasUsed: fc.oneof(
      fc.constantFrom('0x0', '0x7f', '0x80', '0xff', '0x100'),
      fc.bigInt({ min: 0n, max: 60_000_000n }).map((gas) => toHex(gas)),
    ),
    logsBloom: fc.constantFrom('00', 'a5').map((byte) => `0x${byte.repeat(256)}`),
    logs: fc.array(logs, { maxLength: 3 }),
  })
  .map(({ type, ...rest }) => (type === undefined ? rest : { type, ...rest }))

const plain = (index: number): ConsensusReceipt => ({
  type: '0x2',
  status: '0x1',
  cumulativeGasUsed: toHex(21_000 * (index + 1)),
  logsBloom: `0x${'00'.repeat(256)}`,
  logs: [],
})

test('of no receipts is the root of the empty trie, as Ethereum has it in every empty block', () => {
  expect(receiptsRoot([])).toBe('0x56e81f171bcc55a6ff8345e692c0f86e5b48e01b996cadc001622fb5e363b421')
})

whenRecorded('of recorded blocks', () => {
  test.each(['ethereum/18000000', 'ethereum/15753009', 'polygon/50000000', 'polygon/38102393'])('%s: is that of the header', (name) => {
    const { block, receipts: all } = recordedBlock(name)
    expect(receiptsRoot(all as unknown as ConsensusReceipt[])).toBe(block.receiptsRoot)
    expect(slowRoot(all as unknown as ConsensusReceipt[])).toBe(block.receiptsRoot)
  })
})

describe('of receipts that are made up', () => {
  test.each([1, 2, 16, 17, 127, 128, 129, 130, 255, 256, 257, 300])('%i of them: is that of a trie that is built slowly', (count) => {
    const all = Array.from({ length: count }, (_, index) => plain(index))
    expect(receiptsRoot(all)).toBe(slowRoot(all))
  })

  test('is that of a trie that is built slowly, whatever they hold', () => {
    fc.assert(
      fc.property(fc.array(receipts, { maxLength: 140 }), (all) => {
        expect(receiptsRoot(all)).toBe(slowRoot(all))
      }),
      { numRuns: howMany(60, 1000) },
    )
  })

  test('of before the Byzantium fork has the state root in place of a status', () => {
    const { status: _, type: __, ...old } = plain(0)
    const all = [{ ...old, root: `0x${'ab'.repeat(32)}` }]
    expect(receiptsRoot(all)).toBe(slowRoot(all))
  })

  test("of an OP chain's deposits hold their nonce and version after the logs, since the fork that has a version", () => {
    const deposit = { ...plain(0), type: '0x7e', depositNonce: '0x12', depositReceiptVersion: '0x1' }
    for (const all of [
      [deposit, plain(1)],
      [{ ...deposit, depositNonce: '0x0' }, plain(1), plain(2)],
    ])
      expect(receiptsRoot(all)).toBe(slowRoot(all))
    const { depositReceiptVersion: _, ...older } = deposit
    expect(receiptsRoot([older])).toBe(receiptsRoot([{ ...plain(0), type: '0x7e' }]))
    expect(receiptsRoot([deposit])).not.toBe(receiptsRoot([older]))
  })

  test('is the same for a number with leading zeros: some nodes pad', () => {
    expect(receiptsRoot([{ ...plain(0), cumulativeGasUsed: '0x005208', status: '0x01' }])).toBe(receiptsRoot([plain(0)]))
  })

  test('holds a log of more than 65,536 bytes', () => {
    const all = [{ ...plain(0), logs: [{ address: `0x${'11'.repeat(20)}`, topics: [], data: `0x${'42'.repeat(70_000)}` }] }]
    expect(receiptsRoot(all)).toBe(slowRoot(all))
  })

  test('is another one when anything of any receipt is another', () => {
    fc.assert(
      fc.property(fc.array(receipts, { minLength: 1, maxLength: 20 }), fc.nat(), fc.nat(), (all, at, how) => {
        const index = at % all.length
        const receipt = all[index] as ConsensusReceipt
        const changes: ConsensusReceipt[] = [
          { ...receipt, status: receipt.status === '0x1' ? '0x0' : '0x1' },
          { ...receipt, cumulativeGasUsed: toHex(BigInt(receipt.cumulativeGasUsed) + 1n) },
          { ...receipt, logsBloom: `0x${'01'.repeat(256)}` },
          { ...receipt, logs: [...receipt.logs, { address: `0x${'11'.repeat(20)}`, topics: [], data: '0x' }] },
          { ...receipt, type: receipt.type === '0x2' ? '0x1' : '0x2' },
        ]
        const changed = all.map((each, i) => (i === index ? (changes[how % changes.length] as ConsensusReceipt) : each))
        expect(receiptsRoot(changed)).not.toBe(receiptsRoot(all))
        expect(receiptsRoot(all.slice(0, -1))).not.toBe(receiptsRoot(all))
      }),
      { numRuns: howMany(100, 2000) },
    )
  })
})
