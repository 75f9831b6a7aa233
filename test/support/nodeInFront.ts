import { type ReceivedRequest, startServer, type TestServer } from './httpServer.ts'

interface Asked {
  id: number
  method: string
  params: readonly unknown[]
}

/**
 * Stands in front of a node: with another chain id, without some answers, and with another clock in the
 * header `Date`.
 */
export interface NodeFaults {
  chainId?: number
  /** True where the node refuses a call, as one that does not have the method. */
  refuses?(call: Asked): boolean
  clockMs?: number
}

export function startNodeInFront(
  nodeUrl: string,
  { chainId, refuses = () => false, clockMs = 0 }: NodeFaults,
): Promise<TestServer> {
  const answerOne = async (call: Asked): Promise<object> => {
    if (refuses(call))
      return {
        jsonrpc: '2.0',
        id: call.id,
        error: { code: -32601, message: `the method ${call.method} is not available` },
      }
    if (call.method === 'eth_chainId' && chainId !== undefined)
      return { jsonrpc: '2.0', id: call.id, result: `0x${chainId.toString(16)}` }
    const answer = await fetch(nodeUrl, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(call),
    })
    return (await answer.json()) as object
  }
  const answerAll = async ({ body }: ReceivedRequest): Promise<object> => {
    const calls = JSON.parse(body) as Asked | Asked[]
    return Array.isArray(calls) ? Promise.all(calls.map(answerOne)) : answerOne(calls)
  }
  return startServer((response, request) => {
    response.setHeader('date', new Date(Date.now() + clockMs).toUTCString())
    if (request.body === '') return void response.end()
    answerAll(request).then(
      (answer) => void response.setHeader('content-type', 'application/json').end(JSON.stringify(answer)),
      () => void response.destroy(),
    )
  })
}
