import {
  type Address,
  decodeAbiParameters,
  type Hex,
  hexToBytes,
  keccak256,
  size,
  slice,
  toEventSelector,
  toHex,
} from 'viem'
import { attesters, messageTransmitter } from './cctp.ts'
import { rpc } from './evm.ts'

/** What Circle's attestation service adds to a message. Shares no code with the platform. */
export interface Filled {
  nonce: Hex
  /** 1000 or 2000. */
  executed: number
  fee: bigint
  /** Block of the destination; 0: never. */
  expirationBlock: bigint
}

export interface SentMessage {
  message: Hex
  blockNumber: bigint
  logIndex: number
}

const messageSent = toEventSelector('MessageSent(bytes)')

/** Messages that a transaction of an EVM devnet has sent, in order; null for an unknown transaction. */
export async function messagesSent(rpcUrl: string, txHash: string): Promise<SentMessage[] | null> {
  const receipt = (await rpc(rpcUrl, 'eth_getTransactionReceipt', [txHash])) as {
    blockNumber: Hex
    logs: { address: Address; topics: Hex[]; data: Hex; logIndex: Hex }[]
  } | null
  if (!receipt) return null
  return receipt.logs
    .filter(({ address, topics }) => address === messageTransmitter && topics[0] === messageSent)
    .map(({ data, logIndex }) => {
      const [message] = decodeAbiParameters([{ type: 'bytes' }], data)
      return { message, blockNumber: BigInt(receipt.blockNumber), logIndex: Number(logIndex) }
    })
}

export const headOf = async (rpcUrl: string): Promise<bigint> =>
  BigInt((await rpc(rpcUrl, 'eth_blockNumber', [])) as string)

/** Offsets of MessageV2 and, from 148 on, of BurnMessageV2. */
export const at = {
  version: [0, 4],
  sourceDomain: [4, 4],
  destinationDomain: [8, 4],
  nonce: [12, 32],
  sender: [44, 32],
  recipient: [76, 32],
  destinationCaller: [108, 32],
  minFinality: [140, 4],
  executed: [144, 4],
  bodyVersion: [148, 4],
  burnToken: [152, 32],
  mintRecipient: [184, 32],
  amount: [216, 32],
  messageSender: [248, 32],
  maxFee: [280, 32],
  fee: [312, 32],
  expirationBlock: [344, 32],
} as const
export type MessageField = keyof typeof at

export function fieldOf(message: Hex, name: MessageField): Hex {
  const [from, length] = at[name]
  return slice(message, from, from + length)
}

/** The message with another value in a field. */
export function withField(message: Hex, name: MessageField, value: Hex | bigint | number): Hex {
  const [from, length] = at[name]
  const bytes = hexToBytes(message)
  bytes.set(hexToBytes(typeof value === 'string' ? value : toHex(value, { size: length })), from)
  return toHex(bytes)
}

export const hookOf = (message: Hex): Hex => (size(message) > 376 ? slice(message, 376) : '0x')

export function fill(message: Hex, { nonce, executed, fee, expirationBlock }: Filled): Hex {
  const values = { nonce, executed, fee, expirationBlock }
  return Object.entries(values).reduce(
    (text, [name, value]) => withField(text, name as MessageField, value),
    message,
  )
}

/** Signatures of all attesters over the hash of a message, in the order of their addresses. */
export async function attest(message: Hex): Promise<Hex> {
  const ordered = attesters.toSorted((a, b) => (a.address.toLowerCase() < b.address.toLowerCase() ? -1 : 1))
  const signed = await Promise.all(ordered.map((attester) => attester.sign({ hash: keccak256(message) })))
  return `0x${signed.map((each) => each.slice(2)).join('')}`
}
