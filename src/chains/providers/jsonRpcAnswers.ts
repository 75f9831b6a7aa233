import type { Retry } from '../../platform/errors.ts'
import { ProviderError } from '../chain.ts'
import { ThrottledError } from './budget.ts'
import type { HttpAnswer } from './http.ts'

/** By position, or by name if the server requires it. */
export type Params = readonly unknown[] | Readonly<Record<string, unknown>>

/** A JSON-RPC 2.0 request. */
export interface Call {
  jsonrpc: '2.0'
  id: number
  method: string
  params: Params
}

export interface Answer {
  id?: unknown
  result?: unknown
  error?: { code?: unknown; message?: unknown; data?: unknown }
}

const unsupported =
  /not (?:found|supported|available|allowed|enabled|whitelisted)|does not exist|unsupported|disabled/i

/** The node understood the request and refused it. */
export class RpcError extends ProviderError {
  override readonly code = 'rpc_refused'
  override readonly retry: Retry
  /** As the node answered it. */
  readonly rpcCode: number | undefined
  /**
   * The node does not offer the method. Nodes and gateways have many texts for this; -32601 is the standard
   * code.
   */
  readonly isUnsupported: boolean
  constructor(prefix: string, rpcCode: number | undefined, said: string) {
    super(`${prefix}: error ${rpcCode}: ${said}`)
    this.rpcCode = rpcCode
    // "The state is not available" or "block not found" are about one block, not about the method.
    const isAboutData = /\b(?:block|header|state|transaction)\b/i.test(said) && !/\bmethod\b/i.test(said)
    this.isUnsupported = rpcCode === -32601 || (!isAboutData && unsupported.test(said))
    this.retry = this.isUnsupported ? 'no' : 'yes'
  }
}

/** The result of an answer that was read from its bytes, and so is plain. */
export const resultIn = <T>(chunks: readonly Uint8Array[]): T =>
  (JSON.parse(Buffer.concat(chunks).toString()) as { result: T }).result

/** Where an answer came from, for messages. */
export interface AnswerOrigin {
  /** The provider's name. */
  name: string
  withoutSecrets(text: string): string
}

/** The results of calls of one method, in their order. @throws ProviderError */
export function resultsOf(
  of: AnswerOrigin,
  calls: readonly Call[],
  { status, text, waitMs }: HttpAnswer,
): unknown[] {
  const method = calls[0]?.method ?? ''
  const answered = parsedOf(of, method, status, text)
  const answers = Array.isArray(answered) ? answered : [answered]
  const results = new Map<unknown, unknown>()
  for (const answer of answers)
    results.set(
      (answer as { id?: unknown } | null)?.id,
      resultOf(of, method, answer as Answer, status, waitMs),
    )
  return calls.map((call) => {
    if (!results.has(call.id)) throw new ProviderError(`${of.name}: ${method}: an answer to another request`)
    return results.get(call.id)
  })
}

/** @throws ProviderError */
function parsedOf({ name }: AnswerOrigin, method: string, status: number, text: () => string): unknown {
  try {
    return JSON.parse(text())
  } catch {
    throw new ProviderError(`${name}: ${method}: status ${status}, not JSON`)
  }
}

/** Of a contract's own error, geth reports only that the call reverted; the data starts with its selector. */
function customErrorIn(message: string, data: unknown): string {
  const selector = typeof data === 'string' ? /^0x[0-9a-f]{8}/i.exec(data)?.[0] : undefined
  return selector !== undefined && /^execution reverted$/i.test(message) ? `: custom error ${selector}` : ''
}

/** @throws ProviderError */
export function resultOf(
  { name, withoutSecrets }: AnswerOrigin,
  method: string,
  answer: Answer | null,
  status: number,
  waitMs: number,
): unknown {
  const fail = (what: string) => new ProviderError(`${name}: ${method}: ${what}`)
  if (answer === null || typeof answer !== 'object') throw fail('not a JSON-RPC answer')
  if (answer.error) {
    // Several providers answer -32005 over HTTP 200 when a limit is reached (EIP-1474).
    if (answer.error.code === -32005) throw new ThrottledError(`${name}: ${method}: limit exceeded`, waitMs)
    const { code, message, data } = answer.error
    const said =
      typeof message === 'string' ? message + customErrorIn(message, data) : 'an error without a message'
    throw new RpcError(
      `${name}: ${method}`,
      typeof code === 'number' ? code : undefined,
      withoutSecrets(said).slice(0, 200),
    )
  }
  if (status !== 200) throw fail(`status ${status}`)
  if (!('result' in answer)) throw fail('an answer without a result')
  return answer.result
}
