/** A JSON-RPC 2.0 error, which RPC answers with HTTP 200. */
export class RpcError extends Error {
  readonly code: number
  constructor(code: number, message: string) {
    super(message)
    this.code = code
  }
}

export const invalidRequest = (message: string) => new RpcError(-32600, message)
export const methodNotFound = () => new RpcError(-32601, 'method not found')
export const invalidParams = (message: string) => new RpcError(-32602, message)
