import { createHash } from 'node:crypto'
import type { BlockReader, Transfer } from '../../../../src/chains/chain.ts'
import type { Rest } from '../../../../src/chains/providers/rest.ts'
import type { SilenceOptions } from '../../../../src/chains/providers/silence.ts'
import { blockId } from '../../../../src/chains/tron/blockProof.ts'
import { tronBlockReader } from '../../../../src/chains/tron/blockReader.ts'
import { encodeBytes, encodeNumber } from '../../../../src/chains/tron/protobuf.ts'
import type { TronHeader, TronTransactionInfo } from '../../../../src/chains/tron/rpcTypes.ts'
import type { NodeOfView, ProtocolDialect } from '../dialect.ts'
import type { Transaction, TreeBlock, TreeTransfer } from '../tree.ts'
import { configuredOne } from './configured.ts'
import { onlyNode, providersOf } from './endpoint.ts'

const address = (byte: string) => `41${byte.repeat(20)}`
const [sender, program, usdc] = [address('5e'), address('9a'), address('cc')]
const base = configuredOne('TRON', { TRON_USDC: usdc })
const sha256 = (data: string | Uint8Array) => createHash('sha256').update(data).digest('hex')

/**
 * Tron: forks above the solidified block, internal transfers in every block. A second token, as if Circle
 * still issued one.
 */
export const tronDialect: ProtocolDialect = {
  family: 'tron',
  chain: (confirmations) => ({ ...base, confirmations }),
  usdc,
  usdt: base.tokens.find(({ symbol }) => symbol === 'USDT')?.contract ?? '',
  unknownToken: address('f0'),
  unwatched: address('ee'),
  finalDepth: 4,
  skips: false,
  paysAhead: true,
  undirected: () => [],
  noParent: '00'.repeat(32),
  transactionId: (nonce, transfers) => sha256(signed(nonce, transfers)),
  blockId: (block) => blockId(headerJson(block)),
  transfersOf: (block) => block.placed.flatMap(({ transaction }) => transfersOf(transaction)),
  readerOf: (source, point) => readerOver([onlyNode(source, point)]),
  readerOver,
}

function readerOver(nodes: readonly NodeOfView[], silence?: SilenceOptions): BlockReader {
  return tronBlockReader({ providers: providersOf(nodes.map(nodeOf), silence) })
}

/** Logs of other contracts before a transaction's own. */
const logsBefore = ({ nonce }: Transaction) => nonce % 3

const transfersOf = (transaction: Transaction): Transfer[] =>
  transaction.transfers.flatMap(({ kind, contract, to, amount }, index) => {
    if (kind === 'failed') return []
    const alike = transaction.transfers
      .slice(0, index)
      .filter((each) => each.kind === kind && each.to === to && each.amount === amount).length
    const internal = `trace:${program}:${to}:${amount}:${alike}`
    const keys = { log: `log:${logsBefore(transaction) + index}`, internal, native: 'native' }
    return [
      {
        txId: transaction.id,
        movementKey: keys[kind],
        contract,
        from: kind === 'internal' ? program : sender,
        to,
        amount,
      },
    ]
  })

// --- Signed transactions (`core/Tron.proto` of java-tron)
// --------------------------------------------------------------------------

const hex = (text: string) => Buffer.from(text, 'hex')
const [transferContract, triggerContract] = [1n, 31n]

/** A transfer of TRX, a failing call with TRX, or a call of a contract that does the rest. */
function signed(nonce: number, transfers: readonly TreeTransfer[]): Buffer {
  const [first] = transfers
  const plain = first?.kind === 'native'
  const carried = first && (plain || first.kind === 'failed') ? first : null
  const value = Buffer.concat([
    encodeBytes(1, hex(sender)),
    encodeBytes(2, hex(carried?.to ?? program)),
    encodeNumber(3, carried?.amount ?? 0n),
    ...(plain ? [] : [encodeBytes(4, hex('a9059cbb'))]),
  ])
  const contract = Buffer.concat([
    encodeNumber(1, plain ? transferContract : triggerContract),
    encodeBytes(
      2,
      Buffer.concat([encodeBytes(1, Buffer.from('type.googleapis.com/protocol')), encodeBytes(2, value)]),
    ),
  ])
  const moved = JSON.stringify(transfers.map((each) => [each.kind, each.contract, each.to, `${each.amount}`]))
  // Field 10 is the memo, 14 the time.
  return Buffer.concat([
    encodeBytes(10, hex(sha256(moved))),
    encodeBytes(11, contract),
    encodeNumber(14, BigInt(nonce + 1)),
  ])
}

// --- A node with the methods that readers use (TRON developer docs, "HTTP API")
// ----------------------------------------------------

/** A block's content ends with its transactions. A liar keeps the header. */
const isEmpty = (content: string) => content.endsWith(',[]]')

const headerJson = ({ height, parentId, time, content }: Omit<TreeBlock, 'id'>): TronHeader => ({
  number: height,
  txTrieRoot: isEmpty(content) ? '0'.repeat(64) : sha256(content),
  parentHash: parentId,
  timestamp: time.getTime(),
  witness_address: sender,
  version: 30,
  accountStateRoot: sha256(content),
})

function nodeOf({ name, view: tree, point, onRequest }: NodeOfView): Rest {
  const answers: Record<string, (body: { num?: number }) => unknown> = {
    '/wallet/getnowblock': () => blockJson(tree.tip()),
    '/walletsolidity/getnowblock': () => blockJson(tree.final()),
    '/wallet/getblockbynum': ({ num = 0 }) => blockJson(tree.at(num)),
    '/wallet/gettransactioninfobyblocknum': ({ num = 0 }) =>
      tree.at(num)?.placed.map(({ transaction }) => infoJson(transaction, num)) ?? [],
  }
  return {
    name,
    get: () => Promise.reject(new Error('GET is not used')),
    async post(path, body) {
      onRequest?.(path.endsWith('getnowblock') ? 'tip' : 'block')
      await point('read')
      return answers[path]?.(body as { num?: number })
    },
    close: async () => {},
  }
}

function blockJson(block: TreeBlock | null) {
  if (!block) return {}
  return {
    blockID: block.id,
    block_header: { raw_data: headerJson(block) },
    transactions: block.placed.map(({ transaction: { id, nonce, transfers } }) => ({
      txID: id,
      raw_data_hex: signed(nonce, transfers).toString('hex'),
      ret: [{ contractRet: transfers[0]?.kind === 'failed' ? 'REVERT' : 'SUCCESS' }],
    })),
  }
}

const transferTopic = 'ddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'
const word = (text: string) => text.padStart(64, '0')

function infoJson(transaction: Transaction, height: number): TronTransactionInfo {
  const { id, transfers } = transaction
  const [first] = transfers
  const failed = first?.kind === 'failed'
  const logs = transfers.filter(({ kind }) => kind === 'log')
  const internal = transfers.filter(({ kind }) => kind === 'internal')
  return {
    id,
    blockNumber: height,
    ...(failed ? { result: 'FAILED' } : {}),
    receipt: first?.kind === 'native' ? {} : { result: failed ? 'REVERT' : 'SUCCESS' },
    log:
      logs.length === 0
        ? []
        : [
            ...Array.from({ length: logsBefore(transaction) }, () => ({
              address: program.slice(2),
              topics: [word('01')],
              data: '',
            })),
            ...logs.map(({ contract, to, amount }) => ({
              address: (contract ?? '').slice(2),
              topics: [transferTopic, word(sender.slice(2)), word(to.slice(2))],
              data: word(amount.toString(16)),
            })),
          ],
    internal_transactions: internal.map(({ to, amount }) => ({
      caller_address: program,
      transferTo_address: to,
      callValueInfo: [{ callValue: Number(amount) }],
    })),
  }
}
