import type { ServerResponse } from 'node:http'

/**
 * Refuses a batch of calls that read blocks, with the error of a node without batches. The calls come again
 * one by one, so that faults meet each of them.
 * @returns whether it was one
 */
export function refuseBatch(body: string, response: ServerResponse): boolean {
  if (!/^\[.*"eth_getBlock/.test(body)) return false
  const refusal = {
    jsonrpc: '2.0',
    id: null,
    error: { code: -32600, message: 'batch requests are not supported' },
  }
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(refusal))
  return true
}
