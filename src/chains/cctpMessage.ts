/** A message of CCTP v2, in hex with 0x. */
export type MessageHex = `0x${string}`

/**
 * Messages of CCTP v2, as its contracts have them: MessageV2.sol, and BurnMessageV2.sol from offset 148 on
 * (circlefin/evm-cctp-contracts). All chains use the same form. Words of 32 bytes are hex with 0x.
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

/** Of a body without a hook. */
const bodyBytes = 228
/** Circle's transmitters take no longer ones. */
const maxBodyBytes = 8192

/** The part of a message about the burn. A mint reports it, too. */
export type BurnBody = Pick<
  BridgeMessage,
  | 'bodyVersion'
  | 'burnToken'
  | 'mintRecipient'
  | 'amount'
  | 'messageSender'
  | 'maxFee'
  | 'feeExecuted'
  | 'expirationBlock'
  | 'hook'
>

const headBytes = 148

/** @returns null for anything but a whole message of a burn */
export function decodeMessage(text: string): BridgeMessage | null {
  const bytes = bytesOf(text)
  const body = bytes && decodeBody(`0x${text.slice(2 + 2 * headBytes)}`)
  if (!bytes || !body) return null
  const word = wordsOf(bytes)
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
    ...body,
  }
}

/** @returns null for anything but the body of a burn */
export function decodeBody(text: string): BurnBody | null {
  const bytes = bytesOf(text)
  if (!bytes || bytes.length < bodyBytes || bytes.length > maxBodyBytes) return null
  const word = wordsOf(bytes)
  const amount = (from: number) => BigInt(word(from))
  return {
    bodyVersion: bytes.readUInt32BE(0),
    burnToken: word(4),
    mintRecipient: word(36),
    amount: amount(68),
    messageSender: word(100),
    maxFee: amount(132),
    feeExecuted: amount(164),
    expirationBlock: amount(196),
    hook: `0x${bytes.subarray(bodyBytes).toString('hex')}`,
  }
}

const bytesOf = (text: string): Buffer | null =>
  /^0x(?:[0-9a-f]{2})*$/i.test(text) ? Buffer.from(text.slice(2), 'hex') : null
const wordsOf =
  (bytes: Buffer) =>
  (from: number): MessageHex =>
    `0x${bytes.subarray(from, from + 32).toString('hex')}`
