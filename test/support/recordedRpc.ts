import { startServer } from './httpServer.ts'

/** A node that speaks JSON-RPC 2.0 over HTTP and answers from recordings. */
export interface RecordedRpc {
  url: string
  /** Calls by method, refused ones included. */
  calls: Map<string, number>
  /** Changes answers; must not mutate its argument. Null: the node is honest. */
  tamper: ((method: string, result: unknown) => unknown) | null
  close(): Promise<void>
}

/** Gets parameters by position; named ones are all in the first. */
export type RpcMethod = (params: readonly unknown[]) => unknown

interface RpcRequest {
  id: number
  method: string
  params?: unknown
}

/** An error in place of an answer. */
export class RpcRefusal extends Error {
  readonly code: number
  constructor(code: number, message: string) {
    super(message)
    this.code = code
  }
}

/** JSON-RPC 2.0, "Error object". */
const methodNotFound = -32601

export async function startRecordedRpc(methods: Record<string, RpcMethod>): Promise<RecordedRpc> {
  const calls = new Map<string, number>()
  const answerOne = ({ id, method, params = [] }: RpcRequest) => {
    calls.set(method, (calls.get(method) ?? 0) + 1)
    try {
      const answer = methods[method]
      if (!answer) throw new RpcRefusal(methodNotFound, `Method not found: ${method}`)
      const result = answer(Array.isArray(params) ? params : [params])
      return { jsonrpc: '2.0', id, result: rpc.tamper ? rpc.tamper(method, result) : result }
    } catch (error) {
      if (!(error instanceof RpcRefusal)) throw error
      return { jsonrpc: '2.0', id, error: { code: error.code, message: error.message } }
    }
  }
  const server = await startServer((response, request) => {
    server.heard.length = 0
    const body = JSON.parse(request.body) as RpcRequest | RpcRequest[]
    response
      .writeHead(200, { 'content-type': 'application/json' })
      .end(JSON.stringify(Array.isArray(body) ? body.map(answerOne) : answerOne(body)))
  })
  const rpc: RecordedRpc = { url: server.url, calls, tamper: null, close: () => server.close() }
  return rpc
}
