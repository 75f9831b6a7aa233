import { expect, test } from '@jest/globals'
import { decodeMessage } from './cctpMessage.ts'

/** The fields of MessageV2.sol and BurnMessageV2.sol, each with another byte, in their order. */
const lengths = [4, 4, 4, 32, 32, 32, 32, 4, 4, 4, 32, 32, 32, 32, 32, 32, 32]
const parts = lengths.map((length, i) => (i + 1).toString(16).padStart(2, '0').repeat(length))
const wordOf = (i: number) => `0x${parts[i]}`
const numberOf = (i: number) => Number.parseInt(parts[i] ?? '', 16)

test('each field of a message is read from its place', () => {
  expect(decodeMessage(`0x${parts.join('')}beef`)).toEqual({
    version: numberOf(0),
    sourceDomain: numberOf(1),
    destinationDomain: numberOf(2),
    nonce: wordOf(3),
    sender: wordOf(4),
    recipient: wordOf(5),
    destinationCaller: wordOf(6),
    minFinality: numberOf(7),
    executedFinality: numberOf(8),
    bodyVersion: numberOf(9),
    burnToken: wordOf(10),
    mintRecipient: wordOf(11),
    amount: BigInt(wordOf(12)),
    messageSender: wordOf(13),
    maxFee: BigInt(wordOf(14)),
    feeExecuted: BigInt(wordOf(15)),
    expirationBlock: BigInt(wordOf(16)),
    hook: '0xbeef',
  })
})
