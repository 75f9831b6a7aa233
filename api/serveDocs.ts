import { join } from 'node:path'
import express, { Router } from 'express'

/** Redoc writes styles into the page. */
const styles = "style-src 'self' 'unsafe-inline'"

/**
 * Serves the guides and the reference of the API, which are built with the dashboard's pages; they load nothing
 * from elsewhere.
 * @param folder that of the built pages
 */
export function serveDocs(folder: string): Router {
  const router = Router()
  router.get('/reference', (_request, response) => {
    const policy = String(response.getHeader('Content-Security-Policy'))
    response.setHeader('Content-Security-Policy', policy.replace(/style-src [^;]*/, styles))
    response.setHeader('Cache-Control', 'no-cache')
    response.sendFile('reference.html', { root: folder })
  })
  router.get('/', (_request, response) => {
    response.setHeader('Cache-Control', 'no-cache')
    response.sendFile('docs/index.html', { root: folder })
  })
  router.use(express.static(join(folder, 'docs'), { extensions: ['html'], redirect: false, maxAge: 0 }))
  return router
}
