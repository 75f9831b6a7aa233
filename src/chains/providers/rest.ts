import type { Retry } from '../../platform/errors.ts'
import type { Turn } from '../../platform/priority.ts'
import { ProviderError } from '../chain.ts'
import { ThrottledError } from './budget.ts'
import { openHttp } from './http.ts'
import type { Endpoint, Gate } from './providers.ts'

/** One endpoint of an HTTP API with JSON answers. */
export interface Rest extends Endpoint {
  /**
   * @throws ProviderError with the request's name and the problem, never with the URL; RestError for a status
   * that refuses
   */
  get(path: string): Promise<unknown>
  post(path: string, body: object): Promise<unknown>
}

/** The endpoint understood the request and refused it. */
export class RestError extends ProviderError {
  override readonly code = 'rest_refused'
  override readonly retry: Retry
  readonly status: number
  constructor(prefix: string, status: number, said: string) {
    super(`${prefix}: status ${status}${said && `: ${said}`}`)
    this.retry = status >= 500 || status === 408 ? 'yes' : 'no'
    this.status = status
  }
}

/**
 * @param timeoutMs for the whole answer, body included
 * @param gate wraps every request, named by its path without variable parts (heights, hashes)
 * @param headers sent with each request; their values are secrets
 */
export function openRest(
  url: string,
  timeoutMs: number,
  gate: Gate,
  name: string,
  headers: Record<string, string> = {},
  turn?: Turn,
): Rest {
  const http = openHttp(url, timeoutMs, name, headers, turn)

  const ask = (method: 'GET' | 'POST', path: string, body?: object) => {
    const about = nameOf(path)
    return gate(about, async () => {
      const { status, waitMs, ...answer } = await http.request(about, {
        method,
        path,
        ...(body ? { body: JSON.stringify(body) } : {}),
      })
      const text = answer.text()
      // Some providers throttle with status 403 and a text.
      if (status === 429 || (status === 403 && /frequency|rate limit|too many/i.test(text))) {
        throw new ThrottledError(`${name}: ${about}: too many requests`, waitMs)
      }
      if (status !== 200)
        throw new RestError(`${name}: ${about}`, status, http.withoutSecrets(text).slice(0, 200))
      try {
        return JSON.parse(text) as unknown
      } catch {
        throw new ProviderError(`${name}: ${about}: not JSON`)
      }
    })
  }
  return {
    name,
    get: (path) => ask('GET', path),
    post: (path, body) => ask('POST', path, body),
    close: () => http.close(),
  }
}

/** Remove heights and hashes: each name is a metric series. */
const nameOf = (path: string) =>
  path
    .split('?', 1)[0]
    ?.split('/')
    .filter((part) => part && !/^(\d+|[0-9a-f]{64}|[A-Z0-9]{50,})$/.test(part))
    .join('/') || 'root'
