import type { MessageHex } from './bridging.ts'

/**
 * Messages of CCTP v2, as its contracts have them: MessageV2.sol, and BurnMessageV2.sol from offset 148 on (circlefin/evm-cctp-contracts). All
 * chains use the same form. Words of 32 bytes are hex with 0x.
 */
export interface BridgeMessage {
  version: number
  sourceDomain: number
  destinationDomain: number
  /** Circle's; zero in the message that a burn emits. */
  nonce: MessageHex
  /** The bridge on the source chain, and on the destination. */
  sender: MessageHex
  recipient: MessageHex
  /** Zero: everybody may mint it. */
  destinationCaller: MessageHex
  minFinality: number
  executedFinality: number
  bodyVersion: number
  burnToken: MessageHex
  mintRecipient: MessageHex
  amount: bigint
  messageSender: MessageHex
  maxFee: bigint
  feeExecuted: bigint
  /** Block of the destination; 0: it never expires. */
  expirationBlock: bigint
  hook: MessageHex
}

export const zeroWord: MessageHex = `0x${'0'.repeat(64)}`

const fixedBytes = 376
/** Circle's transmitters take no longer bodies. */
const maxBytes = 148 + 8192

/** @returns null for anything but a whole message of a burn */
export function decodeMessage(text: string): BridgeMessage | null {
  if (!/^0x(?:[0-9a-f]{2})*$/i.test(text)) return null
  const bytes = Buffer.from(text.slice(2), 'hex')
  if (bytes.length < fixedBytes || bytes.length > maxBytes) return null
  const word = (from: number): MessageHex => `0x${bytes.subarray(from, from + 32).toString('hex')}`
  const amount = (from: number) => BigInt(word(from))
  return {
    version: bytes.readUInt32BE(0),
    sourceDomain: bytes.readUInt32BE(4),
    destinationDomain: bytes.readUInt32BE(8),
    nonce: word(12),
    sender: word(44),
    recipient: word(76),
    destinationCaller: word(108),
    minFinality: bytes.readUInt32BE(140),
    executedFinality: bytes.readUInt32BE(144),
    bodyVersion: bytes.readUInt32BE(148),
    burnToken: word(152),
    mintRecipient: word(184),
    amount: amount(216),
    messageSender: word(248),
    maxFee: amount(280),
    feeExecuted: amount(312),
    expirationBlock: amount(344),
    hook: `0x${bytes.subarray(fixedBytes).toString('hex')}`,
  }
}
