import { TransactionBuilder } from '@stellar/stellar-sdk'
import { startServer } from './httpServer.ts'

/** `refuse`: refuses transactions and answers other calls. `down`: answers no call. */
export type NodeMode = 'honest' | 'refuse' | 'down'

/** A proxy of a node that can refuse in its place. */
export interface FaultyNode {
  url: string
  mode: NodeMode
  close(): Promise<void>
}

export async function startFaultyNode(nodeUrl: string): Promise<FaultyNode> {
  const server = await startServer((response, { body }) => {
    if (node.mode === 'down') return void response.writeHead(503).end('no node')
    void answer(node.mode, nodeUrl, body)
      .then((text) => void response.writeHead(200, { 'content-type': 'application/json' }).end(text))
      .catch(() => response.destroy())
  })
  const node: FaultyNode = { url: server.url, mode: 'honest', close: server.close }
  return node
}

const ask = async (nodeUrl: string, body: string) =>
  (await fetch(nodeUrl, { method: 'POST', headers: { 'content-type': 'application/json' }, body })).text()

async function answer(mode: NodeMode, nodeUrl: string, body: string): Promise<string> {
  return (mode === 'refuse' && (await refusal(nodeUrl, body))) || ask(nodeUrl, body)
}

interface Asked {
  id: number
  method: string
  params: unknown
}

/**
 * For insufficient funds, in the form of geth, of Agave and of Stellar RPC; the first two quote their input.
 * Null for other calls.
 */
async function refusal(nodeUrl: string, body: string): Promise<string | null> {
  const { id, method, params } = JSON.parse(body) as Asked
  const reply = (answer: object) => JSON.stringify({ jsonrpc: '2.0', id, ...answer })
  if (method === 'eth_sendRawTransaction')
    return reply({
      error: { code: -32000, message: `insufficient funds for gas * price + value: ${params}` },
    })
  if (method !== 'sendTransaction') return null
  if (Array.isArray(params)) {
    const data = { err: 'InsufficientFundsForFee', logs: [], accounts: null, unitsConsumed: 0 }
    return reply({
      error: {
        code: -32002,
        message: `Transaction simulation failed: Insufficient funds for fee: ${params[0]}`,
        data,
      },
    })
  }
  const { result } = JSON.parse(
    await ask(nodeUrl, JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'getNetwork' })),
  ) as {
    result: { passphrase: string }
  }
  const hash = TransactionBuilder.fromXdr(
    (params as { transaction: string }).transaction,
    result.passphrase,
  ).hash()
  // The XDR of a result: no fee charged, txINSUFFICIENT_BALANCE (-7).
  const errorResultXdr = Buffer.from('0000000000000000fffffff900000000', 'hex').toString('base64')
  return reply({
    result: {
      status: 'ERROR',
      errorResultXdr,
      hash: Buffer.from(hash).toString('hex'),
      latestLedger: 1,
      latestLedgerCloseTime: '1',
    },
  })
}
