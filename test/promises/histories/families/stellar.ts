import { createHash } from 'node:crypto'
import { Account, Asset, Keypair, Memo, Operation, type Transaction as SdkTransaction, TransactionBuilder, xdr } from '@stellar/stellar-sdk'
import type { BlockReader, Transfer } from '../../../../src/chains/chain.ts'
import { type JsonRpc, RpcError } from '../../../../src/chains/providers/jsonRpc.ts'
import type { SilenceOptions } from '../../../../src/chains/providers/silence.ts'
import { muxed, unmuxed } from '../../../../src/chains/stellar/address.ts'
import { stellarBlockReader } from '../../../../src/chains/stellar/blockReader.ts'
import { rpcSource } from '../../../../src/chains/stellar/rpcSource.ts'
import { genesisHeader } from '../../../devnets/stellar/closeLedger.ts'
import type { NodeOfView, SpokenDialect } from '../dialect.ts'
import { firstHeight, type Movement, type Transaction, type TreeBlock } from '../tree.ts'
import { configuredOne } from './configured.ts'
import { firstOf, kept, onlyNode, providersOf } from './endpoint.ts'

const sha256 = (...parts: (string | Uint8Array)[]) => parts.reduce((hash, part) => hash.update(part), createHash('sha256')).digest()
const keyPair = (text: string) => Keypair.fromRawEd25519Seed(sha256(text))
const [payer, stranger, issuer] = ['payer', 'stranger', 'issuer of what nobody knows'].map(keyPair) as [Keypair, Keypair, Keypair]
const base = configuredOne('STELLAR')
const assetNamed = (symbol: string) => base.tokens.find((token) => token.symbol === symbol)?.contract ?? ''

/** No deposit's: an id has 52 bits. */
const nobodys = 2n ** 60n + 7n

/** Stellar: no forks; one account whose deposits are told apart by an id, in the address or as a memo. */
export const stellarDialect: SpokenDialect = {
  family: 'stellar',
  chain: () => base,
  usdc: assetNamed('USDC'),
  usdt: assetNamed('USDT'),
  nameless: `USDC:${issuer.publicKey()}`,
  stranger: stranger.publicKey(),
  finalDepth: 0,
  skips: false,
  // An id that was not given to anybody yet is nobody's, and what is paid to it stays in suspense.
  paysAhead: false,
  undirected(addresses) {
    const { account } = unmuxed(addresses[0] ?? '')
    return [account, muxed(account, nobodys)]
  },
  noParent: '00'.repeat(32),
  transactionId: (nonce, movements) => Buffer.from(signed(nonce, movements).hash()).toString('hex'),
  blockId: (block) => sha256(headerOf(block).toXDR()).toString('hex'),
  transfersOf: (block) =>
    block.placed.flatMap(({ transaction: { id, movements } }) =>
      movements.flatMap(({ kind, contract, to, amount }, index): Transfer[] => {
        if (kind === 'failed') return []
        return [{ txId: id, movementKey: `op:${index}:${to}:${contract ?? 'native'}`, contract, from: payer.publicKey(), to, amount }]
      }),
    ),
  readerOf: (source, point) => readerOver([onlyNode(source, point)]),
  readerOver,
}

function readerOver(nodes: readonly NodeOfView[], silence?: SilenceOptions): BlockReader {
  return stellarBlockReader({
    providers: providersOf(
      nodes.map((node) => rpcSource(nodeOf(node))),
      silence,
    ),
    rules: base,
  })
}

// --- What is signed --------------------------------------------------------------------------------------------------------------

const assetOf = (contract: string | null): Asset => {
  const [code = '', by] = contract?.split(':') ?? []
  return contract === null ? Asset.native() : new Asset(code, by)
}

/** Units of 10^-7, as operations write them. */
const written = (amount: bigint) => `${amount / 10_000_000n}.${String(amount % 10_000_000n).padStart(7, '0')}`

/** An operation for each movement. Who pays to one address alone may name it by a memo, of its own type or as text. */
function signed(nonce: number, movements: readonly Movement[]): SdkTransaction {
  const builder = new TransactionBuilder(new Account(payer.publicKey(), String(nonce)), { fee: '100', networkPassphrase: base.network }).setTimeout(0)
  const [first] = movements
  const { account, id } = unmuxed(first?.to ?? stranger.publicKey())
  const form = movements.length === 1 && id > 0n ? (['address', 'memo', 'text'] as const)[nonce % 3] : 'address'
  if (form === 'memo') builder.addMemo(Memo.id(String(id)))
  if (form === 'text') builder.addMemo(Memo.text(String(id)))
  for (const { to, contract, amount } of movements)
    builder.addOperation(Operation.payment({ destination: form === 'address' ? to : account, asset: assetOf(contract), amount: written(amount) }))
  const built = builder.build()
  built.sign(payer)
  return built
}

const resultOf = (movements: readonly Movement[]) => {
  const failed = movements.some(({ kind }) => kind === 'failed')
  const each = failed ? xdr.PaymentResult.paymentUnderfunded() : xdr.PaymentResult.paymentSuccess()
  const results = movements.map(() => xdr.OperationResult.opInner(xdr.OperationResultTr.payment(each)))
  const result = failed ? xdr.TransactionResultResult.txFailed(results) : xdr.TransactionResultResult.txSuccess(results)
  return new xdr.TransactionResult({ feeCharged: 100n, result, ext: xdr.TransactionResultExt.v0() })
}

// --- A node, as far as it is asked (Stellar docs, "RPC methods") -----------------------------------------------------------------

/** The header commits to all results, and names the ledger before it. */
function headerOf({ height, parentId, time, placed, content }: Omit<TreeBlock, 'id'>): xdr.LedgerHeader {
  const before = genesisHeader(time.getTime() / 1000)
  const count = Buffer.alloc(4)
  count.writeUInt32BE(placed.length)
  const results = placed.flatMap(({ transaction }) => [
    Buffer.from(transaction.id, 'hex'),
    Buffer.from(transactionJson(transaction).resultXdr, 'base64'),
  ])
  return new xdr.LedgerHeader({
    ...before,
    previousLedgerHash: Buffer.from(parentId, 'hex'),
    txSetResultHash: sha256(count, ...results),
    bucketListHash: sha256(content),
    ledgerSeq: height,
  })
}

interface Asked {
  startLedger?: number
}

function nodeOf({ name, view: tree, point, heard }: NodeOfView): JsonRpc {
  const oldest = firstHeight
  const from = (method: string, { startLedger = 0 }: Asked): TreeBlock[] => {
    const latest = tree.tip().height
    if (startLedger < oldest || startLedger > latest) {
      const said = `startLedger must be between the oldest ledger: ${oldest} and the latest ledger: ${latest} for this rpc instance.`
      throw new RpcError(`${name}: ${method}`, -32600, said)
    }
    return tree.blocks().filter(({ height }) => height >= startLedger)
  }
  const answers: Record<string, (params: Asked) => unknown> = {
    getLatestLedger: () => ledgerJson(tree.tip()),
    getLedgers: (params) => ({ ledgers: from('getLedgers', params).slice(0, 1).map(ledgerJson) }),
    getTransactions: (params) => ({
      transactions: from('getTransactions', params).flatMap(({ height, placed }) =>
        placed.map(({ transaction }) => ({ ledger: height, ...transactionJson(transaction) })),
      ),
      cursor: '',
    }),
  }
  const call = async (method: string, params: unknown) => {
    heard?.(method === 'getLatestLedger' ? 'tip' : 'block')
    await point('read')
    return answers[method]?.(firstOf<Asked>(params) ?? {})
  }
  return { name, call, callMany: (method, all) => Promise.all(all.map((params) => call(method, params))), close: async () => {} }
}

const ledgerJson = kept((block: TreeBlock) => ({ sequence: block.height, headerXdr: headerOf(block).toXDR('base64') }))

const transactionJson = kept(({ id, nonce, movements }: Transaction) => ({
  txHash: id,
  envelopeXdr: signed(nonce, movements).toXDR(),
  resultXdr: resultOf(movements).toXDR('base64'),
}))
