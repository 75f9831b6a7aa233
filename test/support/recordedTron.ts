import { createHash } from 'node:crypto'
import type { TronInternal, TronTransactionInfo } from '../../src/chains/tron/rpcTypes.ts'
import { merkleRoot } from '../devnets/tron/wire.ts'
import { readFixture } from '../fixtures/readFixture.ts'
import { startServer } from './httpServer.ts'

/**
 * Blocks of mainnet as a full node of Tron answers them (TRON developer docs, "Full Node HTTP API"). Logs
 * were not recorded with them.
 */

interface Header {
  number: number
  timestamp: number
  txTrieRoot: string
  parentHash: string
  witness_address: string
  version: number
}

export interface Transaction {
  txID: string
  raw_data_hex: string
  signature: string[]
  ret: { contractRet: string }[]
  raw_data: {
    contract: {
      type: string
      parameter: { value: { contract_address?: string; owner_address: string; data?: string } }
    }[]
  }
}

export interface TronRecording {
  blockID: string
  block_header: { raw_data: Header }
  transactions?: Transaction[]
}

export interface TronOptions {
  /** Gives each call of `transfer` and `transferFrom` the log that a token's contract emits (TIP-20). */
  withLogs?: boolean
  /** Transactions that are reported as if they had run out of energy. */
  failed?: (txId: string) => boolean
  /** Gives each successful call an internal transfer of TRX: the recordings contain no such transfer. */
  withInternals?: boolean
}

export interface RecordedTron {
  url: string
  /** Changes the answer of a path; must not mutate its argument. Null: the node is honest. */
  tamper: ((path: string, answer: unknown) => unknown) | null
  close(): Promise<void>
}

/** Id of the first block of mainnet. */
const genesis = '00000000000000001ebf88508a03865c71d452e25f4d51194196a1d22b6653dc'
const ofContract = new Set(['TriggerSmartContract', 'CreateSmartContract'])
/** keccak256 of `Transfer(address,address,uint256)`, and the selectors of the calls that emit it. */
const transferTopic = 'ddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'
const [transferCall, transferFromCall] = ['a9059cbb', '23b872dd']
const outOfEnergy = 'OUT_OF_ENERGY'

export async function startRecordedTron(
  recordings: readonly TronRecording[],
  { withLogs = false, failed = () => false, withInternals = false }: TronOptions = {},
): Promise<RecordedTron> {
  const blocks = new Map(
    recordings.map((block) => [block.block_header.raw_data.number, asReported(block, failed)]),
  )
  const newest = () => blocks.get(Math.max(...blocks.keys()))
  const answers: Record<string, (num: number) => unknown> = {
    '/wallet/getblockbynum': (num) => (num === 0 ? { blockID: genesis } : (blocks.get(num) ?? {})),
    '/wallet/gettransactioninfobyblocknum': (num) =>
      (blocks.get(num)?.transactions ?? []).map((each) => infoOf(each, num, withLogs, withInternals)),
    '/wallet/getnowblock': newest,
    '/walletsolidity/getnowblock': newest,
  }
  const server = await startServer((response, { url, body }) => {
    server.heard.length = 0
    const answer = answers[url]
    if (!answer) return void response.writeHead(404).end()
    const { num = 0 } = JSON.parse(body || '{}') as { num?: number }
    response
      .writeHead(200, { 'content-type': 'application/json' })
      .end(JSON.stringify(node.tamper ? node.tamper(url, answer(num)) : answer(num)))
  })
  const node: RecordedTron = { url: server.url, tamper: null, close: () => server.close() }
  return node
}

const asReported = (
  { transactions, ...block }: TronRecording,
  failed: (txId: string) => boolean,
): TronRecording => ({
  ...block,
  ...(transactions
    ? {
        transactions: transactions.map((each) =>
          failed(each.txID) ? { ...each, ret: [{ contractRet: outOfEnergy }] } : each,
        ),
      }
    : {}),
})

/** Plain transfers have no result in their receipt; calls have the contract's. */
function infoOf(
  transaction: Transaction,
  blockNumber: number,
  withLogs: boolean,
  withInternals: boolean,
): TronTransactionInfo {
  const [contract] = transaction.raw_data.contract
  const contractRet = transaction.ret[0]?.contractRet
  const succeeded = contractRet === 'SUCCESS'
  const logs = withLogs && succeeded ? logsOf(transaction) : []
  return {
    id: transaction.txID,
    blockNumber,
    receipt: contract && contractRet && ofContract.has(contract.type) ? { result: contractRet } : {},
    ...(succeeded ? {} : { result: 'FAILED' }),
    ...(logs.length > 0 ? { log: logs } : {}),
    ...(withInternals && succeeded ? internalsOf(transaction) : {}),
  }
}

/** Seven SUN that the contract gives back to its caller. */
function internalsOf({ raw_data }: Transaction): { internal_transactions?: TronInternal[] } {
  const { contract_address: contract, owner_address: owner } = raw_data.contract[0]?.parameter.value ?? {
    owner_address: '',
  }
  if (!contract) return {}
  return {
    internal_transactions: [
      { caller_address: contract, transferTo_address: owner, callValueInfo: [{ callValue: 7 }] },
    ],
  }
}

function logsOf({ raw_data }: Transaction) {
  const {
    contract_address: token,
    owner_address: owner,
    data = '',
  } = raw_data.contract[0]?.parameter.value ?? { owner_address: '' }
  const word = (index: number) => data.slice(8 + 64 * index, 72 + 64 * index)
  // Contracts read the last twenty bytes: the bytes before, often Tron's prefix, are not in the log.
  const topic = (address: string) => address.slice(-40).padStart(64, '0')
  const selector = data.slice(0, 8)
  if (!token || (selector !== transferCall && selector !== transferFromCall)) return []
  const [from, to, amount] =
    selector === transferCall ? [owner, word(0), word(1)] : [word(0), word(1), word(2)]
  return amount.length === 64
    ? [{ address: token.slice(2), topics: [transferTopic, topic(from), topic(to)], data: amount }]
    : []
}

/** The block that was recorded whole, except its logs. */
export const wholeTronBlock = (): TronRecording => readFixture('tron/block-79072107.json')

/**
 * A hundred headers without their transactions, and their ids by the source of the recording. Hashes in hex.
 */
export function tronHeaders(): { recordings: TronRecording[]; ids: string[]; parentOfFirst: string } {
  const { blockHeaderRawBytes, blockIds, startingBlockId } = readFixture<
    Record<string, string[]> & { startingBlockId: string }
  >('tron/headers-78000000-78000099.json')
  const ids = (blockIds ?? []).map((id) => id.slice(2))
  const headers = (blockHeaderRawBytes ?? []).map((bytes) => headerOf(Buffer.from(bytes.slice(2), 'hex')))
  return {
    recordings: headers.map((raw_data, index) => ({ blockID: ids[index] ?? '', block_header: { raw_data } })),
    ids,
    parentOfFirst: startingBlockId.slice(2),
  }
}

interface RecordedCalls {
  blockNumber: string
  /** Unix seconds. */
  blockTimestamp: string
  trc20Txs: { txId: string; encodedTx: string }[]
}

/**
 * The token calls of a block, which were recorded alone, in bytes. Its header was not recorded: the one made
 * here has its height and time, the root of these calls, and an id to match.
 */
export function tronTokenBlock(): TronRecording {
  const { blockNumber, blockTimestamp, trc20Txs } = readFixture<RecordedCalls>(
    'tron/trc20_block_78115149.json',
  )
  const number = Number(blockNumber)
  const raw_data: Header = {
    number,
    timestamp: Number(blockTimestamp) * 1000,
    txTrieRoot: merkleRoot(trc20Txs.map(({ encodedTx }) => Buffer.from(encodedTx.slice(2), 'hex'))),
    parentHash: '0'.repeat(64),
    witness_address: `41${'0'.repeat(40)}`,
    version: 32,
  }
  return {
    blockID: number.toString(16).padStart(16, '0') + sha256(bytesOf(raw_data)).slice(16),
    block_header: { raw_data },
    transactions: trc20Txs.map(({ txId, encodedTx }) =>
      callOf(txId.slice(2), Buffer.from(encodedTx.slice(2), 'hex')),
    ),
  }
}

const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')

/**
 * Field numbers of `core/Tron.proto` in java-tron: Transaction, Transaction.raw, Transaction.Contract, Any,
 * TriggerSmartContract.
 */
function callOf(txID: string, encoded: Buffer): Transaction {
  const transaction = fieldsOf(encoded)
  const raw = bytesIn(transaction, 1)
  const call = fieldsOf(bytesIn(fieldsOf(bytesIn(fieldsOf(bytesIn(fieldsOf(raw), 11)), 2)), 2))
  const value = { owner_address: hexIn(call, 1), contract_address: hexIn(call, 2), data: hexIn(call, 4) }
  return {
    txID,
    raw_data_hex: raw.toString('hex'),
    signature: [hexIn(transaction, 2)],
    // Code 1 of contractResult.
    ret: [{ contractRet: fieldsOf(bytesIn(transaction, 5)).get(3) === 1n ? 'SUCCESS' : outOfEnergy }],
    raw_data: { contract: [{ type: 'TriggerSmartContract', parameter: { value } }] },
  }
}

/** BlockHeader.raw of `core/Tron.proto`. */
function headerOf(bytes: Buffer): Header {
  const fields = fieldsOf(bytes)
  const number = (field: number) => Number(fields.get(field) ?? 0)
  return {
    number: number(7),
    timestamp: number(1),
    txTrieRoot: hexIn(fields, 2),
    parentHash: hexIn(fields, 3),
    witness_address: hexIn(fields, 9),
    version: number(10),
  }
}

const bytesOf = ({ timestamp, txTrieRoot, parentHash, number, witness_address, version }: Header): Buffer =>
  Buffer.concat([
    ...[numberField(1, timestamp), bytesField(2, txTrieRoot), bytesField(3, parentHash)],
    ...[numberField(7, number), bytesField(9, witness_address), numberField(10, version)],
  ])

type Fields = ReadonlyMap<number, bigint | Buffer>

/** Protobuf's wire format, of numbers and bytes alone. */
function fieldsOf(bytes: Buffer): Fields {
  const fields = new Map<number, bigint | Buffer>()
  let at = 0
  const varint = (): bigint => {
    const byte = bytes.readUInt8(at++)
    return BigInt(byte & 0x7f) + (byte < 0x80 ? 0n : varint() * 128n)
  }
  while (at < bytes.length) {
    const key = Number(varint())
    const value = varint()
    if (key % 8 === 2) at += Number(value)
    fields.set(key >> 3, key % 8 === 2 ? bytes.subarray(at - Number(value), at) : value)
  }
  return fields
}

function bytesIn(fields: Fields, field: number): Buffer {
  const value = fields.get(field)
  return Buffer.isBuffer(value) ? value : Buffer.alloc(0)
}

const hexIn = (fields: Fields, field: number) => bytesIn(fields, field).toString('hex')

function varintOf(value: number): number[] {
  return value < 128 ? [value] : [(value % 128) | 128, ...varintOf(Math.floor(value / 128))]
}

const numberField = (field: number, value: number) => Buffer.from([field << 3, ...varintOf(value)])
const bytesField = (field: number, hex: string) =>
  Buffer.concat([Buffer.from([(field << 3) | 2, hex.length / 2]), Buffer.from(hex, 'hex')])
