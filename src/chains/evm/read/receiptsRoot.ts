import { lengthOf, type RlpWriter } from '../rlp.ts'
import { trieRoot } from './trieRoot.ts'

/** The fields of a receipt that are hashed into the receipts root, in hex as nodes answer them. */
export interface ConsensusReceipt {
  type?: string
  /** The state root in place of a status, before the Byzantium fork (2017). */
  root?: string
  status?: string
  cumulativeGasUsed: string
  logsBloom: string
  depositNonce?: string
  depositReceiptVersion?: string
  logs: readonly { address: string; topics: readonly string[]; data: string }[]
}

/**
 * The receipts root. The header commits to it: a log that is missing, added or changed changes the root.
 * Encoding: EIP-2718 and EIP-658 (`[status, cumulativeGasUsed, logsBloom, logs]`, after the type byte unless
 * it is 0; deposits of OP chains add nonce and version after the logs since the Canyon fork). Trie: Yellow
 * Paper, appendix D, with the RLP of each index as its key.
 * @throws on a receipt that cannot be encoded
 */
export const receiptsRoot = (receipts: readonly ConsensusReceipt[]): string =>
  trieRoot(receipts, { room: roomOf, write: writeReceipt })

/** Upper bounds in bytes: a receipt without its logs, and a log without its data. */
const [receiptRoom, logRoom] = [436, 220]

const roomOf = ({ logs }: ConsensusReceipt) =>
  logs.reduce((sum, log) => sum + logRoom + lengthOf(log.data), receiptRoom)

function writeReceipt(writer: RlpWriter, receipt: ConsensusReceipt): void {
  const end = writer.at
  if (receipt.depositReceiptVersion !== undefined) {
    writer.hexNumber(receipt.depositReceiptVersion)
    writer.hexNumber(receipt.depositNonce ?? '0x0')
  }
  const logsEnd = writer.at
  for (let i = receipt.logs.length - 1; i >= 0; i--)
    writeLog(writer, receipt.logs[i] as ConsensusReceipt['logs'][number])
  writer.listSince(logsEnd)
  writer.hex(receipt.logsBloom)
  writer.hexNumber(receipt.cumulativeGasUsed)
  if (receipt.status === undefined) writer.hex(receipt.root ?? '0x')
  else writer.hexNumber(receipt.status)
  writer.listSince(end)
  const type = receipt.type === undefined ? 0 : Number(receipt.type)
  if (type !== 0) writer.raw(Uint8Array.of(type))
}

function writeLog(writer: RlpWriter, { address, topics, data }: ConsensusReceipt['logs'][number]): void {
  const end = writer.at
  writer.hex(data)
  const topicsEnd = writer.at
  for (let i = topics.length - 1; i >= 0; i--) writer.hex(topics[i] as string)
  writer.listSince(topicsEnd)
  writer.hex(address)
  writer.listSince(end)
}
