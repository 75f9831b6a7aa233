import type { Turn } from '../../platform/priority.ts'
import { ProviderError } from '../chain.ts'
import { ThrottledError } from './budget.ts'
import { type HttpAnswer, openHttp } from './http.ts'
import type { Endpoint, Gate } from './providers.ts'

/** By position, or by name if the server requires it. */
type Params = readonly unknown[] | Readonly<Record<string, unknown>>

/** One JSON-RPC endpoint over HTTP. */
export interface JsonRpc extends Endpoint {
  /** @throws ProviderError with the method and the problem, never with the URL; RpcError if the node refused */
  call(method: string, params: Params): Promise<unknown>
  /** Several calls of one method in one request; results in the order of the calls. */
  callMany(method: string, params: readonly Params[]): Promise<unknown[]>
  /**
   * One call whose answer is read from its bytes. Endpoints in memory may have none.
   * @param scan null where it does not understand the answer to this request: then it is parsed
   */
  read?<T>(
    method: string,
    params: Params,
    scan: (answer: readonly Uint8Array[], id: number) => T | null | Promise<T | null>,
  ): Promise<{ scanned: T } | { result: unknown }>
}

/** The same endpoint, whose answers are all parsed. */
export function parsing({ read: _, ...rpc }: JsonRpc): JsonRpc {
  return rpc
}

const unsupported = /not (?:found|supported|available|allowed|enabled|whitelisted)|does not exist|unsupported|disabled/i

/** The node understood the request and refused it. */
export class RpcError extends ProviderError {
  readonly code: number | undefined
  /** The node does not offer the method. Nodes and gateways word this in many ways; -32601 is the standard code. */
  readonly isUnsupported: boolean
  constructor(prefix: string, code: number | undefined, said: string) {
    super(`${prefix}: error ${code}: ${said}`)
    this.code = code
    // "The state is not available" or "block not found" are about one block, not about the method.
    const isAboutData = /\b(?:block|header|state|transaction)\b/i.test(said) && !/\bmethod\b/i.test(said)
    this.isUnsupported = code === -32601 || (!isAboutData && unsupported.test(said))
  }
}

/** @param timeoutMs for the whole answer, body included @param gate wraps every request */
export function openJsonRpc(url: string, timeoutMs: number, gate: Gate, name = new URL(url).host, turn?: Turn): JsonRpc {
  const http = openHttp(url, timeoutMs, name, {}, turn)
  let id = 0

  return {
    name,
    call: (method, params) => gate(method, async () => (await request(method, [params]))[0]),
    callMany: (method, params) => gate(method, async () => (params.length === 0 ? [] : request(method, params))),
    read: (method, params, scan) =>
      gate(method, async () => {
        const call = callOf(method, params)
        const answer = await ask([call])
        const scanned = answer.status === 200 ? await scan(answer.chunks, call.id) : null
        return scanned === null ? { result: resultsOf([call], answer)[0] } : { scanned }
      }),
    close: () => http.close(),
  }

  function callOf(method: string, params: Params): Call {
    return { jsonrpc: '2.0', id: ++id, method, params }
  }

  async function request(method: string, params: readonly Params[]): Promise<unknown[]> {
    const calls = params.map((each) => callOf(method, each))
    return resultsOf(calls, await ask(calls))
  }

  /** @param calls of one method */
  async function ask(calls: readonly Call[]): Promise<HttpAnswer> {
    const method = methodOf(calls)
    const answer = await http.request(method, { method: 'POST', body: JSON.stringify(calls.length === 1 ? calls[0] : calls) })
    if (answer.status === 429) throw new ThrottledError(`${name}: ${method}: too many requests`, answer.waitMs)
    return answer
  }

  function resultsOf(calls: readonly Call[], { status, text, waitMs }: HttpAnswer): unknown[] {
    const method = methodOf(calls)
    const fail = (what: string) => new ProviderError(`${name}: ${method}: ${what}`)
    let answered: unknown
    try {
      answered = JSON.parse(text())
    } catch {
      throw fail(`status ${status}, not JSON`)
    }
    const answers = Array.isArray(answered) ? answered : [answered]
    const results = new Map<unknown, unknown>()
    for (const answer of answers) results.set((answer as { id?: unknown } | null)?.id, resultOf(method, answer as Answer, status, waitMs))
    return calls.map((call) => {
      if (!results.has(call.id)) throw fail('an answer to another request')
      return results.get(call.id)
    })
  }

  function resultOf(method: string, answer: Answer | null, status: number, waitMs: number): unknown {
    const fail = (what: string) => new ProviderError(`${name}: ${method}: ${what}`)
    if (answer === null || typeof answer !== 'object') throw fail('not a JSON-RPC answer')
    if (answer.error) {
      // Several providers answer -32005 over HTTP 200 when a limit is reached (EIP-1474).
      if (answer.error.code === -32005) throw new ThrottledError(`${name}: ${method}: limit exceeded`, waitMs)
      const { code, message } = answer.error
      const said = typeof message === 'string' ? message : 'an error without a message'
      throw new RpcError(`${name}: ${method}`, typeof code === 'number' ? code : undefined, http.withoutSecrets(said).slice(0, 200))
    }
    if (status !== 200) throw fail(`status ${status}`)
    if (!('result' in answer)) throw fail('an answer without a result')
    return answer.result
  }
}

interface Call {
  jsonrpc: '2.0'
  id: number
  method: string
  params: Params
}

const methodOf = ([first]: readonly Call[]): string => first?.method ?? ''

interface Answer {
  id?: unknown
  result?: unknown
  error?: { code?: unknown; message?: unknown }
}
