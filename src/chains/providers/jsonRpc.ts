import { Pool } from 'undici'
import { messageOf } from '../../platform/errors.ts'
import { ProviderError } from '../chain.ts'

/** One JSON-RPC endpoint over HTTP. */
export interface JsonRpc {
  /** The endpoint's host: safe to show, unlike the URL, which often holds a key. */
  name: string
  /** @throws ProviderError with the method and what went wrong, never with the URL */
  call(method: string, params: unknown[]): Promise<unknown>
  close(): Promise<void>
}

/** A refusal that says "too fast", not "broken". */
export class ThrottledError extends ProviderError {
  readonly retryAfterMs: number
  constructor(message: string, retryAfterMs: number) {
    super(message)
    this.retryAfterMs = retryAfterMs
  }
}

/** @param timeoutMs for the whole answer, body included */
export function openJsonRpc(url: string, timeoutMs: number): JsonRpc {
  const target = new URL(url)
  const pool = new Pool(target.origin, { connections: 16, pipelining: 1 })
  const path = target.pathname + target.search
  const authorization = target.username
    ? { authorization: `Basic ${Buffer.from(`${decodeURIComponent(target.username)}:${decodeURIComponent(target.password)}`).toString('base64')}` }
    : {}
  const name = target.host
  // Some providers repeat the path or the key in what they say, and the path is the key.
  const secrets = [path, target.username, target.password, ...target.pathname.split('/'), ...target.searchParams.values()].filter(
    (part) => part.length > 3,
  )
  const withoutSecrets = (text: string) => secrets.reduce((clean, secret) => clean.replaceAll(secret, '…'), text)
  let id = 0

  return {
    name,
    async call(method, params) {
      const fail = (what: string) => new ProviderError(`${name}: ${method}: ${what}`)
      const request = ++id
      let status: number
      let text: string
      let retryAfter: string | string[] | undefined
      try {
        const response = await pool.request({
          path,
          method: 'POST',
          headers: { 'content-type': 'application/json', ...authorization },
          body: JSON.stringify({ jsonrpc: '2.0', id: request, method, params }),
          signal: AbortSignal.timeout(timeoutMs),
        })
        status = response.statusCode
        retryAfter = response.headers['retry-after']
        text = await response.body.text()
      } catch (error) {
        throw fail(messageOf(error))
      }
      const wait = Number(retryAfter) > 0 ? Math.min(Number(retryAfter) * 1000, 60_000) : 1000
      if (status === 429) throw new ThrottledError(`${name}: ${method}: too many requests`, wait)
      let answer: { id?: unknown; result?: unknown; error?: { code?: number; message?: string } }
      try {
        answer = JSON.parse(text)
      } catch {
        throw fail(`status ${status}, not JSON`)
      }
      if (answer === null || typeof answer !== 'object') throw fail('not a JSON-RPC answer')
      if (answer.error) {
        // -32005 is what several providers answer over HTTP 200 when a limit is reached (EIP-1474).
        if (answer.error.code === -32005) throw new ThrottledError(`${name}: ${method}: limit exceeded`, wait)
        throw fail(`error ${answer.error.code}: ${withoutSecrets(String(answer.error.message)).slice(0, 200)}`)
      }
      if (status !== 200) throw fail(`status ${status}`)
      if (answer.id !== request || !('result' in answer)) throw fail('an answer to another request')
      return answer.result
    },
    close: () => pool.close(),
  }
}
