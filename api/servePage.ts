import { Router } from 'express'

/**
 * Serves one page at a path below the router's; its files are among those of the dashboard. It is the same for
 * every request: the checkout page, for one, is that of any token, and only the API knows which of them lead
 * to a session.
 */
export function servePage(folder: string, path: string, file: string): Router {
  const router = Router()
  router.get(path, (_request, response) => {
    response.setHeader('Cache-Control', 'no-cache')
    response.sendFile(file, { root: folder })
  })
  return router
}
