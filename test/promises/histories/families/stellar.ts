import { createHash } from 'node:crypto'
import {
  Account,
  Asset,
  Keypair,
  Memo,
  Operation,
  type Transaction as SdkTransaction,
  TransactionBuilder,
  xdr,
} from '@stellar/stellar-sdk'
import type { BlockReader, Transfer } from '../../../../src/chains/chain.ts'
import { type JsonRpc, RpcError } from '../../../../src/chains/providers/jsonRpc.ts'
import type { SilenceOptions } from '../../../../src/chains/providers/silence.ts'
import { muxed, unmuxed } from '../../../../src/chains/stellar/address.ts'
import { stellarBlockReader } from '../../../../src/chains/stellar/blockReader.ts'
import { rpcSource } from '../../../../src/chains/stellar/rpcSource.ts'
import { genesisHeader } from '../../../devnets/stellar/closeLedger.ts'
import type { NodeOfView, ProtocolDialect } from '../dialect.ts'
import { firstHeight, type Transaction, type TreeBlock, type TreeTransfer } from '../tree.ts'
import { configuredOne } from './configured.ts'
import { cached, firstOf, onlyNode, providersOf } from './endpoint.ts'

const sha256 = (...parts: (string | Uint8Array)[]) =>
  parts.reduce((hash, part) => hash.update(part), createHash('sha256')).digest()
const keyPair = (text: string) => Keypair.fromRawEd25519Seed(sha256(text))
const [payer, unwatched, issuer] = ['payer', 'unwatched', 'issuer of an unknown token'].map(keyPair) as [
  Keypair,
  Keypair,
  Keypair,
]
const base = configuredOne('STELLAR')
const assetNamed = (symbol: string) => base.tokens.find((token) => token.symbol === symbol)?.contract ?? ''

/** Not a deposit's: deposit ids have 52 bits. */
const unknownId = 2n ** 60n + 7n

/** Stellar: no forks; one account whose deposits are distinguished by an id, in the address or as a memo. */
export const stellarDialect: ProtocolDialect = {
  family: 'stellar',
  chain: () => base,
  usdc: assetNamed('USDC'),
  usdt: assetNamed('USDT'),
  unknownToken: `USDC:${issuer.publicKey()}`,
  unwatched: unwatched.publicKey(),
  finalDepth: 0,
  skips: false,
  // Payments to an id that is not assigned yet stay in suspense.
  paysAhead: false,
  undirected(addresses) {
    const { account } = unmuxed(addresses[0] ?? '')
    return [account, muxed(account, unknownId)]
  },
  noParent: '00'.repeat(32),
  transactionId: (nonce, transfers) => Buffer.from(signed(nonce, transfers).hash()).toString('hex'),
  blockId: (block) => sha256(headerOf(block).toXDR()).toString('hex'),
  transfersOf: (block) =>
    block.placed.flatMap(({ transaction: { id, transfers } }) =>
      transfers.flatMap(({ kind, contract, to, amount }, index): Transfer[] => {
        if (kind === 'failed') return []
        return [
          {
            txId: id,
            movementKey: `op:${index}:${to}:${contract ?? 'native'}`,
            contract,
            from: payer.publicKey(),
            to,
            amount,
          },
        ]
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

// --- Signed transactions
// ----------------------------------------------------------------------------------------------------------

const assetOf = (contract: string | null): Asset => {
  const [code = '', by] = contract?.split(':') ?? []
  return contract === null ? Asset.native() : new Asset(code, by)
}

/** Units of 10^-7, in the format of operations. */
const written = (amount: bigint) => `${amount / 10_000_000n}.${String(amount % 10_000_000n).padStart(7, '0')}`

/**
 * One operation per transfer. A payment to a single address may name its id by a memo, of type id or text.
 */
function signed(nonce: number, transfers: readonly TreeTransfer[]): SdkTransaction {
  const builder = new TransactionBuilder(new Account(payer.publicKey(), String(nonce)), {
    fee: '100',
    networkPassphrase: base.network,
  }).setTimeout(0)
  const [first] = transfers
  const { account, id } = unmuxed(first?.to ?? unwatched.publicKey())
  const form =
    transfers.length === 1 && id > 0n ? (['address', 'memo', 'text'] as const)[nonce % 3] : 'address'
  if (form === 'memo') builder.addMemo(Memo.id(String(id)))
  if (form === 'text') builder.addMemo(Memo.text(String(id)))
  for (const { to, contract, amount } of transfers)
    builder.addOperation(
      Operation.payment({
        destination: form === 'address' ? to : account,
        asset: assetOf(contract),
        amount: written(amount),
      }),
    )
  const built = builder.build()
  built.sign(payer)
  return built
}

const resultOf = (transfers: readonly TreeTransfer[]) => {
  const failed = transfers.some(({ kind }) => kind === 'failed')
  const each = failed ? xdr.PaymentResult.paymentUnderfunded() : xdr.PaymentResult.paymentSuccess()
  const results = transfers.map(() => xdr.OperationResult.opInner(xdr.OperationResultTr.payment(each)))
  const result = failed
    ? xdr.TransactionResultResult.txFailed(results)
    : xdr.TransactionResultResult.txSuccess(results)
  return new xdr.TransactionResult({ feeCharged: 100n, result, ext: xdr.TransactionResultExt.v0() })
}

// --- A node with the methods that readers use (Stellar docs, "RPC methods")
// -------------------------------------------------------

/** The header commits to all results and to the previous ledger. */
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

function nodeOf({ name, view: tree, point, onRequest }: NodeOfView): JsonRpc {
  const oldest = firstHeight
  const from = (method: string, { startLedger = 0 }: Asked): TreeBlock[] => {
    const latest = tree.tip().height
    if (startLedger < oldest || startLedger > latest) {
      const message = `startLedger must be between the oldest ledger: ${oldest} and the latest ledger: ${latest} for this rpc instance.`
      throw new RpcError(`${name}: ${method}`, -32600, message)
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
    onRequest?.(method === 'getLatestLedger' ? 'tip' : 'block')
    await point('read')
    return answers[method]?.(firstOf<Asked>(params) ?? {})
  }
  return {
    name,
    call,
    callMany: (method, all) => Promise.all(all.map((params) => call(method, params))),
    close: async () => {},
  }
}

const ledgerJson = cached((block: TreeBlock) => ({
  sequence: block.height,
  headerXdr: headerOf(block).toXDR('base64'),
}))

const transactionJson = cached(({ id, nonce, transfers }: Transaction) => ({
  txHash: id,
  envelopeXdr: signed(nonce, transfers).toXDR(),
  resultXdr: resultOf(transfers).toXDR('base64'),
}))
