import type { Request, RequestHandler, Response } from 'express'
import type { Db } from '../../src/platform/database/db.ts'
import type { RateLimiter } from '../../src/rateLimits/rateLimiter.ts'
import { isOriginOfKey } from '../../src/verification/findKey.ts'
import { clientAddress } from '../middleware/clientAddress.ts'
import { countRequest, perAddress, type RequestLimits, responseOf } from '../middleware/limits.ts'

interface CorsContext {
  db: Db
  limiter: RateLimiter
  requestLimits: RequestLimits
}

/** Seconds that a browser keeps the answer to a preflight request. */
const maxAge = '600'

/**
 * Lets browsers read answers on the web sites that publishable keys name (Fetch standard, CORS protocol). A
 * preflight request has no credential: any such site is allowed then. Other requests are allowed with their
 * key, once it is known (`allowOwnOrigin`): one without costs no search.
 */
export const allowOrigins =
  (ctx: CorsContext): RequestHandler =>
  async (request, response, next) => {
    const { origin } = request.headers
    if (origin === undefined) return next()
    response.setHeader('Vary', 'Origin')
    if (request.method !== 'OPTIONS' || request.headers['access-control-request-method'] === undefined)
      return next()
    await countRequest(ctx, response, [
      perAddress('document', clientAddress(request), ctx.requestLimits.perAddress),
    ])
    if (await isOriginOfKey(ctx, origin)) {
      allow(response, origin)
      response.setHeader('Access-Control-Allow-Methods', 'GET, POST')
      response.setHeader('Access-Control-Allow-Headers', 'Authorization, Content-Type')
      response.setHeader('Access-Control-Max-Age', maxAge)
    }
    response.status(204).end()
  }

/** Lets a browser read the answer, also an error, on a web site that the request's key names. */
export function allowOwnOrigin(request: Request, { origins }: { origins: readonly string[] }): void {
  const { origin } = request.headers
  if (origin !== undefined && origins.includes(origin)) allow(responseOf(request), origin)
}

function allow(response: Response, origin: string): void {
  response.setHeader('Access-Control-Allow-Origin', origin)
  response.setHeader(
    'Access-Control-Expose-Headers',
    'X-Request-Id, Retry-After, RateLimit, RateLimit-Policy',
  )
}
