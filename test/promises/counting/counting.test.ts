import { describe, expect, test } from '@jest/globals'
import {
  type Address,
  encodeAbiParameters,
  encodeEventTopics,
  erc20Abi,
  type Hex,
  pad,
  parseAbi,
  type RpcLog,
  toHex,
} from 'viem'
import { linesOf } from './countedTransfer.ts'
import {
  type Counted,
  countTransfers,
  internalByLogs,
  internalByTraces,
  transferringCalls,
} from './countTransfers.ts'
import { evmChains, type RawBlock, type RawFrame, rawBlock } from './rawBlock.ts'
import { recordedHeights } from './readRecording.ts'

// Checks the count that readers are compared with: against others' counts of the same blocks, against a
// second way of counting where a block allows it, and against made-up blocks with one case each.

const recorded = evmChains.flatMap((chain) => recordedHeights(chain).map((height) => ({ chain, height })))

const numbers = ({ erc20, native, internal, withdrawals }: Counted) => ({
  erc20: erc20.length,
  native: native.length,
  internal: internal?.length ?? null,
  withdrawals: withdrawals.length,
})

describe('a recorded block', () => {
  test.each([
    // Counted by those who recorded them; see the fixtures' README.
    ['ethereum', 15753009, { erc20: 133, native: 74, internal: 74, withdrawals: 0 }],
    ['ethereum', 18000000, { erc20: 91, native: 39, internal: null, withdrawals: 16 }],
    ['polygon', 38102393, { erc20: 50, native: 5, internal: 11, withdrawals: 0 }],
    ['polygon', 50000000, { erc20: 42, native: 20, internal: 11, withdrawals: 0 }],
  ] as const)('%s %i has the known transfers: %o', (chain, height, known) => {
    expect(numbers(countTransfers(rawBlock(chain, height)))).toEqual(known)
  })

  // SELFDESTRUCT's transfers are the only kind that Polygon's nodes do not log.
  test("has the same transfers by traces and by the native coin's log, if it has both", () => {
    const logged = new Set([...transferringCalls].filter((type) => type !== 'SELFDESTRUCT'))
    for (const { chain, height } of recorded) {
      const block = rawBlock(chain, height)
      const byTraces = internalByTraces(block, logged)
      const byLogs = internalByLogs(block)
      if (byTraces && byLogs)
        expect({ chain, height, lines: linesOf(byLogs) }).toEqual({ chain, height, lines: linesOf(byTraces) })
    }
  })
})

const address = (n: number): Address => pad(toHex(n), { size: 20 })
const hash = (n: number): Hex => pad(toHex(n), { size: 32 })
const [alice, bob, carol, token] = [address(0xa), address(0xb), address(0xc), address(0x70)] as const

const logAt = (contract: Address, topics: unknown[], data: Hex): RpcLog => ({
  address: contract,
  topics: topics as RpcLog['topics'],
  data,
  removed: false,
  transactionHash: hash(1),
  blockHash: hash(9),
  blockNumber: '0x1',
  transactionIndex: '0x0',
  logIndex: '0x0',
})

const transfer = (contract: Address, from: Address, to: Address, value: bigint): RpcLog =>
  logAt(
    contract,
    encodeEventTopics({ abi: erc20Abi, eventName: 'Transfer', args: { from, to } }),
    pad(toHex(value)),
  )

const polygonCoin = address(0x1010)
const polygonAbi = parseAbi([
  'event LogTransfer(address indexed token, address indexed from, address indexed to, uint256 amount, uint256 input1, uint256 input2, uint256 output1, uint256 output2)',
  'event LogFeeTransfer(address indexed token, address indexed from, address indexed to, uint256 amount, uint256 input1, uint256 input2, uint256 output1, uint256 output2)',
])
const polygonLog = (
  eventName: 'LogTransfer' | 'LogFeeTransfer',
  from: Address,
  to: Address,
  amount: bigint,
): RpcLog =>
  logAt(
    polygonCoin,
    encodeEventTopics({ abi: polygonAbi, eventName, args: { token: polygonCoin, from, to } }),
    encodeAbiParameters(
      Array.from({ length: 5 }, () => ({ type: 'uint256' as const })),
      [amount, 9n, 9n, 9n, 9n],
    ),
  )

interface Made {
  chain?: RawBlock['chain']
  value?: bigint
  to?: Address | null
  status?: Hex
  logs?: RpcLog[]
  frame?: RawFrame
}

/** A block with one transaction, from Alice. */
const made = ({
  chain = 'ethereum',
  value = 0n,
  to = bob,
  status = '0x1',
  logs = [],
  frame,
}: Made): RawBlock => ({
  chain,
  height: 1,
  hash: hash(9),
  withdrawals: [],
  transactions: [{ hash: hash(1), from: alice, to, value: toHex(value) }],
  receipts: [{ transactionHash: hash(1), status, contractAddress: to ? null : carol, logs }],
  frames: frame ? new Map([[hash(1), frame]]) : null,
})

const call = (
  type: string,
  from: Address,
  to: Address,
  value: bigint,
  more: Partial<RawFrame> = {},
): RawFrame => ({
  type,
  from,
  to,
  value: toHex(value),
  ...more,
})

describe('tokens', () => {
  const count = (...logs: RpcLog[]) => countTransfers(made({ logs })).erc20

  test('a transfer counts, also to its sender', () => {
    const to = (receiver: Address) => ({
      kind: 'erc20',
      txHash: hash(1),
      from: alice,
      to: receiver,
      contract: token,
      amount: 7n,
    })
    expect(count(transfer(token, alice, bob, 7n), transfer(token, alice, alice, 7n))).toEqual([
      to(bob),
      to(alice),
    ])
  })

  test('a transfer of zero, an NFT, and malformed logs do not', () => {
    const good = transfer(token, alice, bob, 7n)
    expect(count(transfer(token, alice, bob, 0n))).toEqual([])
    expect(count({ ...good, topics: [...good.topics, hash(7)] as RpcLog['topics'], data: '0x' })).toEqual([])
    expect(count({ ...good, topics: [...good.topics, hash(7)] as RpcLog['topics'] })).toEqual([])
    expect(count({ ...good, topics: good.topics.slice(0, 2) as RpcLog['topics'] })).toEqual([])
    expect(count({ ...good, data: `${good.data}00` })).toEqual([])
    expect(count({ ...good, data: '0x07' })).toEqual([])
  })
})

test("each withdrawal counts, in wei, under its block's hash", () => {
  const withdrawals = [1n, 2n].map(
    (gwei) => ({ index: toHex(gwei), validatorIndex: '0x9', address: bob, amount: toHex(gwei) }) as const,
  )
  const paid = (gwei: bigint) => ({
    kind: 'withdrawal',
    txHash: hash(9),
    from: address(0),
    to: bob,
    contract: null,
    amount: gwei * 10n ** 9n,
  })
  expect(countTransfers({ ...made({}), withdrawals }).withdrawals).toEqual([paid(1n), paid(2n)])
})

describe('value of transactions', () => {
  test('value counts if the transaction succeeded, and goes to the contract that it creates', () => {
    const native = (to: Address) => [
      { kind: 'native', txHash: hash(1), from: alice, to, contract: null, amount: 5n },
    ]
    expect(countTransfers(made({ value: 5n })).native).toEqual(native(bob))
    expect(countTransfers(made({ value: 5n, to: null })).native).toEqual(native(carol))
    expect(countTransfers(made({ value: 5n, status: '0x0' })).native).toEqual([])
    expect(countTransfers(made({ value: 0n })).native).toEqual([])
  })
})

describe('transfers by contracts', () => {
  const count = (calls: RawFrame[], outermost: Partial<RawFrame> = {}) =>
    linesOf(
      countTransfers(made({ value: 5n, frame: call('CALL', alice, bob, 5n, { calls, ...outermost }) }))
        .internal ?? [],
    )
  const moved = (to: Address, amount: bigint, from = bob) =>
    linesOf([{ kind: 'internal', txHash: hash(1), from, to, contract: null, amount }])

  test.each(['CALL', 'CREATE', 'CREATE2', 'SELFDESTRUCT'])('%s with value transfers it', (type) => {
    expect(count([call(type, bob, carol, 3n)])).toEqual(moved(carol, 3n))
    expect(count([call(type, bob, carol, 0n)])).toEqual([])
  })

  test.each(['DELEGATECALL', 'STATICCALL', 'CALLCODE'])(
    '%s transfers nothing itself; calls below it do',
    (type) => {
      expect(count([call(type, bob, carol, 3n, { calls: [call('CALL', bob, alice, 2n)] })])).toEqual(
        moved(alice, 2n),
      )
    },
  )

  test('a failed call transfers nothing, nor do calls below it', () => {
    const below = [call('CALL', carol, alice, 2n)]
    expect(count([call('CALL', bob, carol, 3n, { error: 'execution reverted', calls: below })])).toEqual([])
    expect(count([call('CALL', bob, carol, 3n, { calls: below })], { error: 'out of gas' })).toEqual([])
    expect(
      count([call('CALL', bob, carol, 3n, { calls: [{ ...below[0], error: 'out of gas' } as RawFrame] })]),
    ).toEqual(moved(carol, 3n))
  })
})

describe('chains that log their native coin', () => {
  test("Polygon's LogTransfer reports internal transfers; the transaction's own value is counted once, fees and zero amounts are not", () => {
    const logs = [
      polygonLog('LogTransfer', alice, bob, 5n),
      polygonLog('LogTransfer', bob, carol, 5n),
      polygonLog('LogTransfer', bob, carol, 0n),
      polygonLog('LogFeeTransfer', alice, carol, 1n),
    ]
    const { native, internal, erc20 } = countTransfers(made({ chain: 'polygon', value: 5n, logs }))
    expect([native.length, erc20.length]).toEqual([1, 0])
    expect(internal).toEqual([
      { kind: 'internal', txHash: hash(1), from: bob, to: carol, contract: null, amount: 5n },
    ])
  })

  test("a log repeated by the coin's contract is not counted twice, though its Transfer counts as a token's", () => {
    const logs = [
      polygonLog('LogTransfer', alice, polygonCoin, 5n),
      polygonLog('LogTransfer', polygonCoin, bob, 5n),
      transfer(polygonCoin, alice, bob, 5n),
      polygonLog('LogTransfer', alice, bob, 5n),
      polygonLog('LogTransfer', alice, bob, 5n),
    ].map((log, index) => ({ ...log, logIndex: toHex(index) }))
    const { native, internal, erc20 } = countTransfers(
      made({ chain: 'polygon', value: 5n, to: polygonCoin, logs }),
    )
    expect([native.length, erc20.length]).toEqual([1, 1])
    expect(internal?.map(({ from, to }) => [from, to])).toEqual([
      [polygonCoin, bob],
      [alice, bob],
    ])
  })

  test('a log of EIP-7708 is a native transfer by a contract, not a token', () => {
    const system = '0xfffffffffffffffffffffffffffffffffffffffe'
    const block = made({
      value: 5n,
      logs: [transfer(system, alice, bob, 5n), transfer(system, bob, carol, 2n)],
    })
    expect(numbers(countTransfers(block))).toEqual({ erc20: 0, native: 1, internal: 1, withdrawals: 0 })
  })
})
