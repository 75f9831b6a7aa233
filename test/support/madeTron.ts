import { utils } from 'tronweb'
import { createProviders } from '../../src/chains/providers/providers.ts'
import type { Rest } from '../../src/chains/providers/rest.ts'
import { tronBlockReader } from '../../src/chains/tron/blockReader.ts'
import type {
  TronBlock,
  TronHeader,
  TronLog,
  TronTransaction,
  TronTransactionInfo,
} from '../../src/chains/tron/rpcTypes.ts'
import { blockIdOf } from '../devnets/tron/wire.ts'

/** Synthetic blocks of Tron with valid hashes, and nodes in this process that answer as full nodes do. */

export const account = (number: number): string => `41${number.toString(16).padStart(40, '0')}`
export const word = (value: bigint | string): string =>
  (typeof value === 'string' ? value.slice(2) : value.toString(16)).padStart(64, '0')

export interface MadeTron {
  transaction: TronTransaction
  info: TronTransactionInfo
}

let made = 0

/** The bytes of a transaction with one contract, by the public library. */
export function rawOf(type: string, value: object): { raw_data_hex: string; txID: string } {
  made += 1
  const raw_data = {
    contract: [{ parameter: { value, type_url: `type.googleapis.com/protocol.${type}` }, type }],
    ref_block_bytes: '0001',
    ref_block_hash: '0011223344556677',
    expiration: 1_700_000_060_000,
    // Makes each one unique.
    timestamp: 1_700_000_000_000 + made,
  }
  const message: unknown = utils.transaction.txJsonToPb({ raw_data, visible: false })
  return {
    raw_data_hex: utils.transaction.txPbToRawDataHex(message).toLowerCase(),
    txID: utils.transaction.txPbToTxID(message).slice(2),
  }
}

const outcome = (
  contractRet: string,
  more: Partial<TronTransactionInfo>,
  type: string,
  value: object,
): MadeTron => {
  const raw = rawOf(type, value)
  return { transaction: { ...raw, ret: [{ contractRet }] }, info: { id: raw.txID, ...more } }
}

/** A plain transfer of TRX, in sun: nodes give no result in its receipt. */
export const madeTransfer = (from: string, to: string, amount: number, contractRet = 'SUCCESS'): MadeTron =>
  outcome(contractRet, { receipt: {} }, 'TransferContract', { owner_address: from, to_address: to, amount })

interface Call {
  from: string
  contract: string
  /** Hex without prefix. */
  data?: string
  value?: number
  result?: string
  more?: Partial<TronTransactionInfo>
}

/** A contract call with its outcome. */
export const madeCall = ({
  from,
  contract,
  data = '',
  value = 0,
  result = 'SUCCESS',
  more = {},
}: Call): MadeTron =>
  outcome(
    result,
    { receipt: { result }, ...(result === 'SUCCESS' ? {} : { result: 'FAILED' }), ...more },
    'TriggerSmartContract',
    {
      owner_address: from,
      contract_address: contract,
      data,
      ...(value ? { call_value: value } : {}),
    },
  )

/** keccak256 of `Transfer(address,address,uint256)` (TIP-20). */
export const transferTopic = 'ddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'

/** A token's log of a transfer; nodes leave the chain's prefix out of the contract's address. */
export const transferLog = (contract: string, from: string, to: string, amount: bigint): TronLog => ({
  address: contract.slice(2),
  topics: [transferTopic, word(from), word(to)],
  data: word(amount),
})

export interface MadeTronBlock {
  block: TronBlock
  infos: TronTransactionInfo[]
}

/** @param fork another number gives another block */
export function madeTronBlock(
  height: number,
  transactions: readonly MadeTron[] = [],
  fork = 1,
): MadeTronBlock {
  const header: Required<Omit<TronHeader, 'witness_id' | 'accountStateRoot'>> = {
    number: height,
    txTrieRoot: (transactions.length > 0 ? 'ab' : '').padStart(64, '0'),
    witness_address: account(0xabc + fork),
    parentHash: height > 0 ? (madeTronBlock(height - 1, [], fork).block.blockID ?? '') : '00'.repeat(32),
    version: 32,
    timestamp: 1_700_000_000_000 + 3000 * height,
  }
  const block: TronBlock = {
    blockID: blockIdOf(header),
    block_header: { raw_data: header },
    ...(transactions.length > 0 ? { transactions: transactions.map(({ transaction }) => transaction) } : {}),
  }
  return { block, infos: transactions.map(({ info }) => ({ ...info, blockNumber: height })) }
}

export type TronAnswers = Record<string, (body: Record<string, unknown>, truth: () => unknown) => unknown>

/** A node that has these blocks, and these pending transactions. `answer` replaces the answer of a path. */
export function madeTronNode(
  name: string,
  blocks: readonly MadeTronBlock[],
  answer: TronAnswers = {},
  waiting: readonly MadeTron[] = [],
): Rest {
  const at = (height: unknown) => blocks.find(({ block }) => block.block_header?.raw_data?.number === height)
  const truth: Record<string, (body: Record<string, unknown>) => unknown> = {
    '/wallet/getnowblock': () => blocks.at(-1)?.block,
    '/walletsolidity/getnowblock': () => blocks[0]?.block,
    '/wallet/getblockbynum': ({ num }) => at(num)?.block,
    '/wallet/gettransactioninfobyblocknum': ({ num }) => at(num)?.infos ?? [],
    // A full node reports `SUCCESS` for pending ones, too.
    '/wallet/gettransactionbyid': ({ value }) =>
      [
        ...blocks.flatMap(({ block }) => block.transactions ?? []),
        ...waiting.map(({ transaction }) => transaction),
      ].find(({ txID }) => txID === value),
    '/wallet/gettransactioninfobyid': ({ value }) =>
      blocks.flatMap(({ infos }) => infos).find(({ id }) => id === value),
  }
  return {
    name,
    close: async () => {},
    get: () => Promise.reject(new Error('not used')),
    async post(path, body) {
      const given = body as Record<string, unknown>
      const honest = () => truth[path]?.(given) ?? {}
      return answer[path] ? answer[path](given, honest) : honest()
    },
  }
}

/** A reader of these nodes, the best one first; lists the nodes whose answers it refused. */
export function madeTronReader(nodes: readonly Rest[]) {
  const refused: string[] = []
  const providers = createProviders<Rest>(
    nodes.map((node) => () => node),
    { observe: { called: () => {}, refused: (provider) => void refused.push(provider) } },
  )
  return { reader: tronBlockReader({ providers }), refused }
}
