import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { toHex } from 'viem'
import { howMany } from '../../../../test/support/full.ts'
import { recordedBlock } from '../../../../test/support/recordedBlocks.ts'
import { encodeReceipt, slowRoot } from '../../../../test/support/slowTrie.ts'
import { type ConsensusReceipt, receiptsRoot } from './receiptsRoot.ts'

/** A second implementation of the same root. */
const slow = (receipts: readonly ConsensusReceipt[]) => slowRoot(receipts.map(encodeReceipt))

const hexOf = (bytes: number) =>
  fc.uint8Array({ minLength: bytes, maxLength: bytes }).map((array) => toHex(array))
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

test('the root of no receipts is that of the empty trie, as in every empty block of Ethereum', () => {
  expect(receiptsRoot([])).toBe('0x56e81f171bcc55a6ff8345e692c0f86e5b48e01b996cadc001622fb5e363b421')
})

describe('the root of recorded receipts', () => {
  test.each([
    'ethereum/18000000',
    'ethereum/15753009',
    'polygon/50000000',
    'polygon/38102393',
    'arbitrum/150000000',
  ])('is that of the header of %s', (name) => {
    const { block, receipts: all } = recordedBlock(name)
    expect(receiptsRoot(all as unknown as ConsensusReceipt[])).toBe(block.receiptsRoot)
    expect(slow(all as unknown as ConsensusReceipt[])).toBe(block.receiptsRoot)
  })
})

describe('the root of generated receipts', () => {
  test.each([1, 2, 16, 17, 127, 128, 129, 130, 255, 256, 257, 300])(
    'matches the reference implementation for %i receipts',
    (count) => {
      const all = Array.from({ length: count }, (_, index) => plain(index))
      expect(receiptsRoot(all)).toBe(slow(all))
    },
  )

  test('matches the reference implementation for any content', () => {
    fc.assert(
      fc.property(fc.array(receipts, { maxLength: 140 }), (all) => {
        expect(receiptsRoot(all)).toBe(slow(all))
      }),
      { numRuns: howMany(60, 1000) },
    )
  })

  test('includes the state root in place of a status before the Byzantium fork', () => {
    const { status: _, type: __, ...old } = plain(0)
    const all = [{ ...old, root: `0x${'ab'.repeat(32)}` }]
    expect(receiptsRoot(all)).toBe(slow(all))
  })

  test("includes nonce and version of an OP chain's deposit after the logs, since the fork that added the version", () => {
    const deposit = { ...plain(0), type: '0x7e', depositNonce: '0x12', depositReceiptVersion: '0x1' }
    for (const all of [
      [deposit, plain(1)],
      [{ ...deposit, depositNonce: '0x0' }, plain(1), plain(2)],
    ])
      expect(receiptsRoot(all)).toBe(slow(all))
    const { depositReceiptVersion: _, ...older } = deposit
    expect(receiptsRoot([older])).toBe(receiptsRoot([{ ...plain(0), type: '0x7e' }]))
    expect(receiptsRoot([deposit])).not.toBe(receiptsRoot([older]))
  })

  test('is the same for a number with leading zeros, which some nodes add', () => {
    expect(receiptsRoot([{ ...plain(0), cumulativeGasUsed: '0x005208', status: '0x01' }])).toBe(
      receiptsRoot([plain(0)]),
    )
  })

  test('includes a log of more than 65,536 bytes', () => {
    const all = [
      {
        ...plain(0),
        logs: [{ address: `0x${'11'.repeat(20)}`, topics: [], data: `0x${'42'.repeat(70_000)}` }],
      },
    ]
    expect(receiptsRoot(all)).toBe(slow(all))
  })

  const log = {
    address: `0x${'11'.repeat(20)}`,
    topics: [`0x${'0a'.repeat(32)}`],
    data: `0x${'0b'.repeat(32)}`,
  }
  const digits = log.data.slice(2)
  test.each([
    ['ends in what is not hex', `0x${digits.slice(0, -2)}zz`],
    ['starts with what is not hex', `0xz${digits.slice(1)}`],
    ['lacks its first digit, a zero', `0x${digits.slice(1)}`],
    ['does not start with 0x', `0X${digits}`],
    ['is null', null],
  ])(
    'is not computed with a log whose data %s: it could be read differently than it is hashed',
    (_what, data) => {
      const holding = (each: typeof log) => [{ ...plain(0), logs: [each] }]
      // The bytes of the valid log stay in the buffer.
      expect(receiptsRoot(holding(log))).toBe(slow(holding(log)))
      expect(() => receiptsRoot(holding({ ...log, data: data as string }))).toThrow()
    },
  )

  test('changes with any field of any receipt', () => {
    fc.assert(
      fc.property(fc.array(receipts, { minLength: 1, maxLength: 20 }), fc.nat(), fc.nat(), (all, at, how) => {
        const index = at % all.length
        const receipt = all[index] as ConsensusReceipt
        const changes: ConsensusReceipt[] = [
          { ...receipt, status: receipt.status === '0x1' ? '0x0' : '0x1' },
          { ...receipt, cumulativeGasUsed: toHex(BigInt(receipt.cumulativeGasUsed) + 1n) },
          { ...receipt, logsBloom: `0x${'01'.repeat(256)}` },
          {
            ...receipt,
            logs: [...receipt.logs, { address: `0x${'11'.repeat(20)}`, topics: [], data: '0x' }],
          },
          { ...receipt, type: receipt.type === '0x2' ? '0x1' : '0x2' },
        ]
        const changed = all.map((each, i) =>
          i === index ? (changes[how % changes.length] as ConsensusReceipt) : each,
        )
        expect(receiptsRoot(changed)).not.toBe(receiptsRoot(all))
        expect(receiptsRoot(all.slice(0, -1))).not.toBe(receiptsRoot(all))
      }),
      { numRuns: howMany(100, 2000) },
    )
  })
})
