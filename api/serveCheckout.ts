import { Router } from 'express'

/**
 * Serves the page of a session's `checkoutUrl`; its files are among those of the dashboard. The page is the
 * same for every token: only the API knows which of them lead to a session.
 */
export function serveCheckout(folder: string): Router {
  const router = Router()
  router.get('/:token', (_request, response) => {
    response.setHeader('Cache-Control', 'no-cache')
    response.sendFile('checkout.html', { root: folder })
  })
  return router
}
