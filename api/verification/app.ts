import type { RequestHandler } from 'express'
import express, { type Express } from 'express'
import helmet from 'helmet'
import { type ReadinessCheck, shareReadiness } from '../../src/platform/http/http.ts'
import type { Priority } from '../../src/platform/priority.ts'
import type { Metrics } from '../../src/platform/telemetry/metrics.ts'
import type { VerificationContext } from '../../src/verification/context.ts'
import { verificationRoutes } from '../../src/verification/routes.ts'
import type { ServeContext } from '../context.ts'
import { allOperations, type Contract } from '../contract.ts'
import { answerHead } from '../middleware/answerHead.ts'
import { errorHandler } from '../middleware/errors.ts'
import { countDocument } from '../middleware/limits.ts'
import { observeRequests } from '../middleware/observe.ts'
import { nameRequest } from '../middleware/requestId.ts'
import { routeTable } from '../routeTable.ts'
import { serveContract } from '../serveContract.ts'
import { expectKey, type KeyContext, keyHandlers } from './authenticate.ts'
import { allowOrigins } from './cors.ts'

export interface VerificationAppContext
  extends VerificationContext,
    KeyContext,
    Omit<ServeContext, 'db' | 'limiter' | 'refusals' | 'requestLimits'> {
  metrics: Metrics
  priority: Pick<Priority, 'begin'>
  trustedProxies: string[]
  checks(): readonly ReadinessCheck[]
}

/** The HTTP application of the verification host. */
export function createVerificationApp(ctx: VerificationAppContext, contract: Contract): Express {
  const app = express()
  app
    .disable('x-powered-by')
    .set('etag', false)
    .set('query parser', 'simple')
    .set('trust proxy', ctx.trustedProxies)
  app.use(nameRequest, observeRequests(ctx, allOperations(contract)), helmet())
  app.get('/health/live', (_request, response) => void response.json({ status: 'ok' }))
  const shared = shareReadiness(ctx.checks)
  app.get('/health/ready', async (_request, response) => {
    const { status } = await shared()
    response.status(status === 'ok' ? 200 : 503).json({ status })
  })
  const document = Buffer.from(JSON.stringify(contract))
  app.get(
    '/openapi.json',
    countDocument(ctx),
    (_request, response) => void response.type('json').send(document),
  )
  app.use(answerHead, notStored, allowOrigins(ctx), expectKey)
  app.use(
    serveContract(
      ctx,
      contract,
      keyHandlers(ctx),
      routeTable(ctx, [{ name: 'verification', routes: verificationRoutes }]),
    ),
  )
  app.use((_request, _response, next) => next({ status: 404 }))
  app.use(errorHandler(ctx))
  return app
}

/** Answers hold personal data. */
const notStored: RequestHandler = (_request, response, next) => {
  response.setHeader('Cache-Control', 'no-store')
  next()
}
