import { RpcError } from './errors.ts'

export interface RpcRequest {
  jsonrpc?: string
  id?: number | string | null
  method: string
  params?: readonly unknown[]
}

/** The face of a path; empty: the honest node. */
export const faceOf = (url: string | undefined): string => /^\/faces\/([^/?]+)/.exec(url ?? '')?.[1] ?? ''

/**
 * One JSON-RPC 2.0 message: a call or a batch.
 * @returns null if it holds only notifications, which have no answer
 */
export function answerOne(text: string, run: (call: RpcRequest) => unknown): string | null {
  let message: RpcRequest | RpcRequest[]
  try {
    message = JSON.parse(text) as RpcRequest | RpcRequest[]
  } catch {
    return JSON.stringify({ jsonrpc: '2.0', error: { code: -32700, message: 'Parse error' }, id: null })
  }
  const answer = (call: RpcRequest): object | null => {
    const { id } = call
    if (typeof call.method !== 'string')
      return { jsonrpc: '2.0', error: { code: -32600, message: 'Invalid request' }, id: id ?? null }
    if (id === undefined) return null
    try {
      return { jsonrpc: '2.0', result: run(call), id }
    } catch (error) {
      const { code, message, data } =
        error instanceof RpcError
          ? error
          : new RpcError(-32603, `Internal error: ${(error as Error).message}`)
      return { jsonrpc: '2.0', error: { code, message, ...(data === undefined ? {} : { data }) }, id }
    }
  }
  if (!Array.isArray(message)) {
    const one = answer(message)
    return one && JSON.stringify(one)
  }
  const answers = message.map(answer).filter((each) => each !== null)
  return answers.length > 0 ? JSON.stringify(answers) : null
}
