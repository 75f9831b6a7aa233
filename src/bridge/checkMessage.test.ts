import { describe, expect, test } from '@jest/globals'
import { type BridgeMessage, decodeMessage, zeroWord } from '../chains/cctpMessage.ts'
import type { BridgeRequest } from './bridgeRow.ts'
import { wrongField } from './checkMessage.ts'

const word = (n: number): `0x${string}` => `0x${n.toString(16).padStart(64, '0')}`

const request = {
  sourceDomain: 6,
  destinationDomain: 7,
  sourceMessenger: word(1),
  destinationMessenger: word(2),
  burnToken: word(3),
  mintRecipient: word(4),
  sourceWord: word(5),
  amount: 250_000_001n,
  maxFee: 39_002n,
  speed: 'fast',
  hook: '0x',
} as unknown as BridgeRequest

const message: BridgeMessage = {
  version: 1,
  sourceDomain: 6,
  destinationDomain: 7,
  nonce: word(99),
  sender: word(1),
  recipient: word(2),
  destinationCaller: zeroWord,
  minFinality: 1000,
  executedFinality: 1000,
  bodyVersion: 1,
  burnToken: word(3),
  mintRecipient: word(4),
  amount: 250_000_001n,
  messageSender: word(5),
  maxFee: 39_002n,
  feeExecuted: 32_501n,
  expirationBlock: 12n,
  hook: '0x',
}

test('a message of the burn is taken, at any fee up to the maximum, with any expiration', () => {
  expect(wrongField(message, request)).toBeNull()
  expect(
    wrongField({ ...message, feeExecuted: 39_002n, expirationBlock: 0n, executedFinality: 2000 }, request),
  ).toBeNull()
})

describe('a message is refused with', () => {
  test.each<[keyof BridgeMessage, unknown]>([
    ['version', 0],
    ['bodyVersion', 2],
    ['sourceDomain', 0],
    ['destinationDomain', 3],
    ['sender', word(6)],
    ['recipient', word(6)],
    ['destinationCaller', word(6)],
    ['minFinality', 2000],
    ['executedFinality', 500],
    ['burnToken', word(6)],
    ['mintRecipient', word(6)],
    ['amount', 250_000_002n],
    ['messageSender', word(6)],
    ['maxFee', 39_003n],
    ['feeExecuted', 39_003n],
    ['hook', '0x00'],
    ['nonce', zeroWord],
  ])('another %s', (name, value) => {
    expect(wrongField({ ...message, [name]: value }, request)).toBe(name)
  })

  test('less finality than a standard transfer requires', () => {
    expect(wrongField({ ...message, minFinality: 2000 }, { ...request, speed: 'standard' })).toBe(
      'executedFinality',
    )
  })
})

describe('a text that is no whole message is not decoded:', () => {
  test.each([
    '',
    '0x',
    'message',
    `0x${'00'.repeat(375)}`,
    `0x${'00'.repeat(376)}0`,
    `0x${'00'.repeat(9000)}`,
    `${'00'.repeat(376)}`,
  ])('%#', (text) => expect(decodeMessage(text)).toBeNull())
})
