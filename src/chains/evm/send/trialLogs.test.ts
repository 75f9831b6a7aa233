import { expect, test } from '@jest/globals'
import { encodeEventTopics, parseAbi } from 'viem'
import { approvalIn, movementIn } from './trialLogs.ts'

const abi = parseAbi([
  'event Transfer(address indexed from, address indexed to, uint256 value)',
  'event TransferSingle(address indexed operator, address indexed from, address indexed to, uint256 id, uint256 value)',
  'event TransferBatch(address indexed operator, address indexed from, address indexed to, uint256[] ids, uint256[] values)',
  'event Approval(address indexed owner, address indexed spender, uint256 value)',
  'event ApprovalForAll(address indexed owner, address indexed operator, bool approved)',
])
const [a, b, token] = [`0x${'a1'.repeat(20)}`, `0x${'b2'.repeat(20)}`, `0x${'c3'.repeat(20)}`] as const
const word = (value: bigint): `0x${string}` => `0x${value.toString(16).padStart(64, '0')}`
const wordOf = (address: string) => address.slice(2).padStart(64, '0')
const transfer = encodeEventTopics({ abi, eventName: 'Transfer', args: { from: a, to: b } }) as string[]
const [event = ''] = transfer

test.each([
  ['ERC-20', { address: token, topics: transfer, data: word(7n) }, { token, from: a, to: b, amount: 7n }],
  [
    'the coin',
    { address: '0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE', topics: transfer, data: word(7n) },
    { token: null, from: a, to: b, amount: 7n },
  ],
  [
    'ERC-721',
    { address: token, topics: [...transfer, word(7n)], data: '0x' },
    { token, from: a, to: b, amount: null },
  ],
  [
    'a token that indexes nothing',
    { address: token, topics: [event], data: `0x${wordOf(a)}${wordOf(b)}${word(7n).slice(2)}` },
    { token, from: a, to: b, amount: 7n },
  ],
  [
    'a transfer without an amount',
    { address: token, topics: transfer, data: '0x' },
    { token, from: a, to: b, amount: null },
  ],
])('a transfer of %s is read', (_, log, expected) => {
  expect(movementIn(log)).toEqual([expected])
  expect(approvalIn(log)).toEqual([])
})

test.each(['TransferSingle', 'TransferBatch'] as const)('%s of ERC-1155 is read', (eventName) => {
  const topics = encodeEventTopics({ abi, eventName, args: { operator: token, from: a, to: b } }) as string[]
  expect(movementIn({ address: token, topics, data: word(1n) + word(2n).slice(2) })).toEqual([
    { token, from: a, to: b, amount: null },
  ])
})

test.each(['Approval', 'ApprovalForAll'] as const)('%s is read', (eventName) => {
  const args = eventName === 'Approval' ? { owner: a, spender: b } : { owner: a, operator: b }
  const log = {
    address: token.toUpperCase().replace('0X', '0x'),
    topics: encodeEventTopics({ abi, eventName, args }) as string[],
    data: word(1n),
  }
  expect(approvalIn(log)).toEqual([{ token, owner: a, spender: b }])
  expect(movementIn(log)).toEqual([])
})

test('any other log moves nothing', () => {
  for (const topics of [[], [word(1n)], [word(1n), word(2n), word(3n)]]) {
    expect([
      movementIn({ address: token, topics, data: '0x' }),
      approvalIn({ address: token, topics, data: '0x' }),
    ]).toEqual([[], []])
  }
})
