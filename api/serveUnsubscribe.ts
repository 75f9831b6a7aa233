import { type RequestHandler, type Response, Router } from 'express'
import { whenOf } from '../src/notifications/composeNotification.ts'
import { unsubscribe } from '../src/notifications/unsubscribe.ts'
import { choiceOfToken } from '../src/notifications/unsubscribeToken.ts'
import type { Db } from '../src/platform/database/db.ts'
import type { Secret } from '../src/platform/secrets.ts'
import { clientAddress } from './middleware/clientAddress.ts'

interface Context {
  db: Db
  appKey: Secret
}

/**
 * Serves the link that ends mails about events, without a sign-in. Reading it changes nothing, because
 * scanners of mail follow links: its page has a button. Mail programs send the POST themselves (RFC 8058).
 */
export function serveUnsubscribe(ctx: Context): Router {
  const router = Router()
  router.use((_request, response, next) => {
    response.setHeader('Cache-Control', 'no-store')
    response.setHeader('Referrer-Policy', 'no-referrer')
    next()
  })
  const unknown = (response: Response) =>
    void response
      .status(404)
      .send(
        page(
          'This link does not work',
          '<p>It is not complete, or no longer valid. Sign in to the dashboard to choose your mails.</p>',
        ),
      )
  const show: RequestHandler<{ token: string }> = ({ params }, response) => {
    const choice = choiceOfToken(ctx.appKey, params.token)
    if (!choice) unknown(response)
    else response.send(page('Stop these mails?', question(whenOf(choice.kind))))
  }
  const stop: RequestHandler<{ token: string }> = async (request, response) => {
    const choice = choiceOfToken(ctx.appKey, request.params.token)
    if (!choice || !(await unsubscribe(ctx, request.params.token, clientAddress(request)))) unknown(response)
    else response.send(page('You get no more of these mails', stopped(whenOf(choice.kind))))
  }
  router.get('/:token', show)
  router.post('/:token', stop)
  return router
}

const question = (when: string): string => `<p>You get a mail when ${when}.</p>
      <form method="post"><button type="submit">Stop these mails</button></form>`

const stopped = (when: string): string =>
  `<p role="status">You get no more mails when ${when} at this business. You can choose them again in the dashboard, under Settings, Business.</p>`

/** @param content HTML without anything that a person wrote */
const page = (title: string, content: string): string => `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <meta name="color-scheme" content="light dark" />
    <meta name="robots" content="noindex" />
    <title>${title}</title>
    <link rel="icon" href="data:," />
    <link rel="stylesheet" href="/refund/files/page.css" />
  </head>
  <body>
    <main>
      <h1>${title}</h1>
      ${content}
    </main>
  </body>
</html>
`
