import { messageOf } from '../../platform/errors.ts'
import { Pool } from '../../platform/http/undici.ts'
import type { Turn } from '../../platform/priority.ts'
import { ProviderError } from '../chain.ts'

/** One HTTP endpoint, common to all families. */
export interface Http {
  /** @throws ProviderError with the request's name and the problem, never with the URL */
  request(about: string, request: HttpRequest): Promise<HttpAnswer>
  /** A provider's text without the parts of its URL that may be a key. */
  withoutSecrets(text: string): string
  close(): Promise<void>
}

export interface HttpRequest {
  method: 'GET' | 'POST'
  /** Appended to the path of the endpoint's URL; that path alone if omitted. */
  path?: string
  /** JSON. */
  body?: string
}

export interface HttpAnswer {
  status: number
  /** The body as it arrived. */
  chunks: readonly Uint8Array[]
  text(): string
  /** Milliseconds to pause, as the endpoint requests; one second by default. */
  waitMs: number
}

/** Bytes. JSON of this length is parsed in about 0.1 ms. */
const largeAnswer = 65_536

const utf8 = new TextDecoder()

/**
 * @param timeoutMs for the whole answer, body included
 * @param headers sent with each request; their values are secrets
 * @param turn awaited before a large answer is returned, because parsing it blocks the event loop for
 * milliseconds
 */
export function openHttp(
  url: string,
  timeoutMs: number,
  name: string,
  headers: Record<string, string> = {},
  turn?: Turn,
): Http {
  const target = new URL(url)
  const pool = new Pool(target.origin, { connections: 16, pipelining: 1 })
  const own = target.pathname + target.search
  const base = target.pathname.replace(/\/$/, '')
  const authorization = target.username
    ? {
        authorization: `Basic ${Buffer.from(`${decodeURIComponent(target.username)}:${decodeURIComponent(target.password)}`).toString('base64')}`,
      }
    : {}
  // Some providers repeat the path in their answers, and the path is the key.
  const secrets = [
    own,
    target.username,
    target.password,
    ...target.pathname.split('/'),
    ...target.searchParams.values(),
    ...Object.values(headers),
  ].filter((part) => part.length > 3)

  return {
    withoutSecrets: (text) => secrets.reduce((clean, secret) => clean.replaceAll(secret, '…'), text),
    close: () => pool.close(),
    async request(about, { method, path, body }) {
      try {
        const response = await pool.request({
          path:
            path === undefined
              ? own
              : `${base}${path}${target.search && (path.includes('?') ? `&${target.search.slice(1)}` : target.search)}`,
          method,
          headers: {
            ...(body === undefined ? {} : { 'content-type': 'application/json' }),
            ...authorization,
            ...headers,
          },
          ...(body === undefined ? {} : { body }),
          signal: AbortSignal.timeout(timeoutMs),
        })
        const retryAfter = Number(response.headers['retry-after'])
        const chunks: Buffer[] = []
        let length = 0
        for await (const chunk of response.body as AsyncIterable<Buffer>) {
          chunks.push(chunk)
          length += chunk.length
        }
        if (turn && length > largeAnswer) await turn()
        return {
          status: response.statusCode,
          chunks,
          text: () => utf8.decode(chunks.length === 1 ? chunks[0] : Buffer.concat(chunks, length)),
          waitMs: retryAfter > 0 ? Math.min(retryAfter * 1000, 60_000) : 1000,
        }
      } catch (error) {
        throw new ProviderError(`${name}: ${about}: ${messageOf(error)}`)
      }
    },
  }
}
