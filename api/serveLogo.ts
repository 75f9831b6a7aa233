import { Router } from 'express'
import { readLogo } from '../src/businesses/logo/logo.ts'
import type { Queryable } from '../src/platform/database/db.ts'

/** SHA-256, base64url. */
const form = /^[A-Za-z0-9_-]{43}$/
/** Of browsers and proxies: a logo that was removed is gone within a day. */
const cacheSeconds = 24 * 3600

/**
 * Serves logos of businesses by the hash of their content, for pages of this host: an image and nothing else,
 * whatever a browser makes of its bytes.
 */
export function serveLogo(ctx: { db: Queryable }): Router {
  const router = Router()
  router.get('/:hash', async (request, response, next) => {
    const { hash } = request.params
    const logo = form.test(hash) ? await readLogo(ctx.db, hash) : null
    if (logo === null) {
      response.setHeader('Cache-Control', 'no-store')
      next({ status: 404 })
      return
    }
    response.set({
      'Cache-Control': `public, max-age=${cacheSeconds}, immutable`,
      'Content-Disposition': 'inline',
      'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
      'Content-Type': logo.type,
      ETag: `"${hash}"`,
    })
    if (request.fresh) response.status(304).end()
    else response.send(logo.image)
  })
  router.all('/:hash', (_request, _response, next) => next({ status: 405, headers: { Allow: 'GET, HEAD' } }))
  return router
}
