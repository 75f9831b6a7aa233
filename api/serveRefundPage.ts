import { join } from 'node:path'
import express, { Router } from 'express'

const folder = join(import.meta.dirname, 'refund-page')

/**
 * Serves the page where a customer names the address of a refund. The link's token is in the fragment, so
 * that no request for the page has it.
 */
export function serveRefundPage(): Router {
  const router = Router()
  router.get('/', (_request, response) => {
    response.setHeader('Cache-Control', 'no-cache')
    response.sendFile('index.html', { root: folder })
  })
  router.use('/files', express.static(folder, { index: false, redirect: false, maxAge: 0 }))
  return router
}
