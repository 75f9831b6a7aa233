import { join } from 'node:path'
import express, { Router } from 'express'
import { compressedAssets } from './compressedAssets.ts'

const year = 365 * 24 * 3600

/**
 * Serves the built dashboard. Assets have the hash of their content in their name, so browsers cache them;
 * every other path is `index.html`, which routes by itself.
 */
export function serveDashboard(folder: string): Router {
  const router = Router()
  router.use(
    '/assets',
    compressedAssets(join(folder, 'assets'), `public, max-age=${year}, immutable`),
    express.static(join(folder, 'assets'), {
      index: false,
      redirect: false,
      immutable: true,
      maxAge: year * 1000,
    }),
  )
  router.use(express.static(folder, { index: false, redirect: false, maxAge: 0 }))
  router.get('/{*path}', (request, response, next) => {
    if (request.path.startsWith('/api/') || request.path.startsWith('/assets/')) {
      next()
      return
    }
    response.setHeader('Cache-Control', 'no-cache')
    response.sendFile('index.html', { root: folder })
  })
  return router
}
