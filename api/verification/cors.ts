import type { RequestHandler, Response } from 'express'
import type { RateLimiter } from '../../src/limits/rateLimiter.ts'
import type { Db } from '../../src/platform/db.ts'
import { isOriginOfKey } from '../../src/verification/findKey.ts'
import { clientAddress } from '../middleware/clientAddress.ts'
import { countRequest, perAddress, type RequestLimits } from '../middleware/limits.ts'

interface CorsContext {
  db: Db
  limiter: RateLimiter
  requestLimits: RequestLimits
}

/** Seconds that a browser keeps the answer to a preflight request. */
const maxAge = '600'

/**
 * Lets browsers read answers on the web sites that publishable keys name (Fetch standard, CORS protocol). A preflight request has no credential: any
 * such site is allowed then; the key's own sites are checked with the key.
 */
export const allowOrigins =
  (ctx: CorsContext): RequestHandler =>
  async (request, response, next) => {
    const { origin } = request.headers
    if (origin === undefined) return next()
    response.setHeader('Vary', 'Origin')
    const isPreflight = request.method === 'OPTIONS' && request.headers['access-control-request-method'] !== undefined
    if (isPreflight) await countRequest(ctx, response, [perAddress('document', clientAddress(request), ctx.requestLimits.perAddress)])
    const isKnown = await isOriginOfKey(ctx, origin)
    if (isKnown) allow(response, origin)
    if (!isPreflight) return next()
    if (isKnown) {
      response.setHeader('Access-Control-Allow-Methods', 'GET, POST')
      response.setHeader('Access-Control-Allow-Headers', 'Authorization, Content-Type')
      response.setHeader('Access-Control-Max-Age', maxAge)
    }
    response.status(204).end()
  }

function allow(response: Response, origin: string): void {
  response.setHeader('Access-Control-Allow-Origin', origin)
  response.setHeader('Access-Control-Expose-Headers', 'X-Request-Id, Retry-After, RateLimit, RateLimit-Policy')
}
