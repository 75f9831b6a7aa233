import { Router } from 'express'

/** Serves the page of the till; its files are among those of the dashboard, and so is its session. */
export function serveTill(folder: string): Router {
  const router = Router()
  router.get('/', (_request, response) => {
    response.setHeader('Cache-Control', 'no-cache')
    response.sendFile('till.html', { root: folder })
  })
  return router
}
