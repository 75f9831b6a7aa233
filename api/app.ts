import { existsSync } from 'node:fs'
import express, { type Express } from 'express'
import helmet from 'helmet'
import { shareReadiness } from '../src/platform/http/http.ts'
import type { ApiContext } from './context.ts'
import { allOperations, type Contract } from './contract.ts'
import { readCookies, refuseOtherSites, sessionHandlers } from './dashboard-api/session.ts'
import { answerHead } from './middleware/answerHead.ts'
import { credentialHandlers } from './middleware/authenticate.ts'
import { errorHandler } from './middleware/errors.ts'
import { countDocument } from './middleware/limits.ts'
import { observeRequests } from './middleware/observe.ts'
import { nameRequest } from './middleware/requestId.ts'
import { withAllMistakes } from './mistakes/allMistakes.ts'
import { noSuchPath } from './mistakes/noSuchPath.ts'
import { writersOf } from './replicaReads.ts'
import { restoreAnswer } from './restoreAnswer.ts'
import { dashboardTable, type LoadedRoutes, publicTable } from './routes.ts'
import { type ServeOptions, serveContract } from './serveContract.ts'
import { serveDashboard } from './serveDashboard.ts'
import { serveDocs } from './serveDocs.ts'
import { serveLogo } from './serveLogo.ts'
import { servePage } from './servePage.ts'
import { serveRefundPage } from './serveRefundPage.ts'
import { serveUnsubscribe } from './serveUnsubscribe.ts'
import { checkedQuotes, serveQuotes } from './streams/serveQuotes.ts'

/** The HTTP application: the public contract, the dashboard's contract and pages, and the page of refunds. */
export function createApp(
  ctx: ApiContext,
  contract: Contract,
  dashboard: Contract,
  routes: LoadedRoutes,
): Express {
  const app = express()
  app
    .disable('x-powered-by')
    .set('etag', false)
    .set('query parser', 'simple')
    .set('trust proxy', ctx.trustedProxies)
  app.use(
    nameRequest,
    observeRequests(ctx, [contract, dashboard].flatMap(allOperations)),
    helmet({ contentSecurityPolicy: { useDefaults: false, directives: contentSecurity } }),
  )

  app.get('/health/live', (_request, response) => void response.json({ status: 'ok' }))
  const shared = shareReadiness(ctx.checks)
  app.get('/health/ready', async (_request, response) => {
    const { status, checks } = await shared()
    // This endpoint is public: the reasons are shown on the internal port only.
    const shown = Object.fromEntries(
      Object.entries(checks).map(([name, state]) => [name, state === 'ok' ? 'ok' : 'unavailable']),
    )
    response.status(status === 'ok' ? 200 : 503).json({ status, checks: shown })
  })
  const document = Buffer.from(JSON.stringify(contract))
  const counted = countDocument(ctx)
  app.get('/openapi.json', counted, (_request, response) => void response.type('json').send(document))
  app.get('/.well-known/jwks.json', counted, async (_request, response) => {
    const keys = await ctx.signingKeys.published()
    response.setHeader('Cache-Control', 'public, max-age=300')
    response.json({ keys })
  })
  app.all(
    ['/health/live', '/health/ready', '/openapi.json', '/.well-known/jwks.json'],
    (_request, _response, next) => next({ status: 405, headers: { Allow: 'GET, HEAD' } }),
  )
  if (existsSync(ctx.dashboardFolder)) {
    app.use('/dashboard', serveDashboard(ctx.dashboardFolder))
    app.use('/checkout', counted, servePage(ctx.dashboardFolder, '/:token', 'checkout.html'))
    app.use('/pay', counted, servePage(ctx.dashboardFolder, '/:token', 'checkout.html'))
    app.use('/till', servePage(ctx.dashboardFolder, '/', 'till.html'))
    app.use('/docs', serveDocs(ctx.dashboardFolder))
  } else
    ctx.log.warn(
      { folder: ctx.dashboardFolder },
      'the pages are not built: only the API is served; run npx vite build web',
    )

  app.use('/logos', counted, serveLogo(ctx))
  app.use('/refund', counted, serveRefundPage())
  app.use('/unsubscribe', counted, serveUnsubscribe(ctx))

  app.use(answerHead)
  // Answers are private, and some hold a secret.
  app.use((_request, response, next) => {
    response.setHeader('Cache-Control', 'no-store')
    next()
  })
  const options: ServeOptions = {
    idempotency: {
      requestKey: ctx.requestKey,
      days: ctx.idempotencyDays,
      restore: (businessId, stored) => restoreAnswer(ctx, businessId, stored),
    },
    wrote: (caller) => ctx.replica?.wrote(writersOf(caller)),
    allMistakes: (operation, body, error) => withAllMistakes(ctx, operation, body, error),
    limits: { caps: ctx.caps, bulkCallsAtOnce: ctx.bulkCallsAtOnce },
    serveQuotes: (operation, caller, request, response, answers) =>
      serveQuotes(ctx, operation, caller, request, response, async (of) =>
        checkedQuotes(await answers.of(of), operation, answers.keep),
      ),
  }
  const answerDashboard = [
    readCookies,
    refuseOtherSites(ctx.issuer),
    serveContract(ctx, dashboard, sessionHandlers(ctx), dashboardTable(ctx, routes), options),
  ]
  const answerApi = serveContract(ctx, contract, credentialHandlers(ctx), publicTable(ctx, routes), options)
  const isDashboard = (path: string) => path === '/dashboard' || path.startsWith('/dashboard/')
  for (const each of answerDashboard)
    app.use((request, response, next) =>
      isDashboard(request.path) ? void each(request, response, next) : next(),
    )
  app.use((request, response, next) =>
    isDashboard(request.path) ? next() : void answerApi(request, response, next),
  )
  app.use((_request, _response, next) => next({ status: 404 }))
  app.use(errorHandler({ log: ctx.log, noSuchPath: noSuchPath(contract) }))
  return app
}

/** Pages load only their own files, and no site may frame them. */
const contentSecurity = {
  defaultSrc: ["'none'"],
  scriptSrc: ["'self'"],
  styleSrc: ["'self'"],
  imgSrc: ["'self'", 'data:'],
  fontSrc: ["'self'"],
  connectSrc: ["'self'"],
  manifestSrc: ["'self'"],
  formAction: ["'self'"],
  baseUri: ["'none'"],
  frameAncestors: ["'none'"],
}
