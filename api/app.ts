import express, { type Express, type Request, type Response } from 'express'
import { middleware as openApiValidator } from 'express-openapi-validator'
import helmet from 'helmet'
import { invalidBody, messageOf } from '../src/platform/errors.ts'
import { readiness } from '../src/platform/http.ts'
import { beginIdempotent } from '../src/platform/idempotency.ts'
import type { Answer, ApiContext, ApiRequest, Route } from './context.ts'
import { type Contract, type Operation, operationsOf } from './contract.ts'
import { authorize, securityHandlers } from './middleware/authenticate.ts'
import { canonicalContentType } from './middleware/contentType.ts'
import { errorHandler } from './middleware/errors.ts'
import { observeRequests, operationOf, pathParamsOf } from './middleware/observe.ts'
import { nameRequest } from './middleware/requestId.ts'
import { routes } from './routes/index.ts'

const bodyLimit = '100kb'

/** The whole HTTP application: the contract validates both ways, the routes do the rest. */
export function createApp(ctx: ApiContext, contract: Contract): Express {
  const broken = ctx.metrics.counter('http_invalid_answers_total', 'Answers that broke the contract', ['operation'])
  const app = express()
  app.disable('x-powered-by').set('etag', false).set('query parser', 'simple')
  app.use(nameRequest, observeRequests(ctx), helmet())

  app.get('/health/live', (_request, response) => void response.json({ status: 'ok' }))
  app.get('/health/ready', async (_request, response) => {
    const state = await readiness(ctx.checks())
    response.status(state.status === 'ok' ? 200 : 503).json(state)
  })
  app.get('/openapi.json', (_request, response) => void response.json(contract))

  app.use(express.json({ limit: bodyLimit, type: 'application/json' }), canonicalContentType)
  app.use(
    openApiValidator({
      // The validator writes into the document; the one that is served stays as it is.
      apiSpec: structuredClone(contract) as never,
      validateRequests: { allowUnknownQueryParameters: false },
      validateResponses:
        ctx.validateResponses === 'enforce'
          ? true
          : {
              onError: (error, _body, request) => {
                const operation = operationOf(request)?.operationId ?? 'none'
                broken.inc({ operation })
                ctx.log.error({ operation, err: error.message }, 'an answer broke the contract')
              },
            },
      validateSecurity: { handlers: securityHandlers(ctx) },
      validateFormats: true,
      fileUploader: false,
    }),
  )

  const table = routes(ctx)
  for (const { operation, servers } of operationsOf(contract)) {
    if (servers[0] !== '/' && !table[operation.operationId]) throw new Error(`the contract has ${operation.operationId}, but nothing answers it`)
  }
  // The validator has matched the request with an operation already; no second router can see it differently.
  app.use(async (request, response, next) => {
    const operation = operationOf(request)
    const route = operation && table[operation.operationId]
    if (route) await handle(ctx, operation, route, request, response)
    else next()
  })
  app.use((_request, _response, next) => next({ status: 404 }))
  app.use(errorHandler(ctx))
  return app
}

async function handle(ctx: ApiContext, operation: Operation, route: Route, request: Request, response: Response): Promise<void> {
  const caller = authorize(request, operation)
  if (!operation.requestBody) refuseBody(request.body)
  const run = (remember: ApiRequest['remember']) =>
    route({ body: request.body, query: request.query, params: pathParamsOf(request), caller, remember })
  const key = request.headers['idempotency-key']
  if (request.method !== 'POST' || typeof key !== 'string') {
    send(response, await run(async () => {}))
    return
  }
  const lease = await beginIdempotent(ctx, { businessId: caller.businessId, key, operation: `${request.method} ${request.path}`, body: request.body })
  if ('status' in lease) {
    response.setHeader('Idempotent-Replayed', 'true')
    send(response, lease as Answer)
    return
  }
  let remembered = false
  try {
    const answer = await run(async (db, stored) => {
      await lease.complete(db, stored)
      remembered = true
    })
    if (!remembered) await lease.complete(ctx.db, answer)
    send(response, answer)
  } catch (error) {
    // The lease ends by itself where it cannot be given back; the caller hears what went wrong first.
    await lease.release().catch((cause) => ctx.log.warn({ err: messageOf(cause) }, 'an idempotency lease was not released'))
    throw error
  }
}

/** @throws ApiError 400 naming what was sent to an operation that takes no body */
function refuseBody(body: unknown): void {
  if (body === undefined || body === null) return
  const sent = typeof body === 'object' ? Object.keys(body) : ['body']
  if (sent.length > 0) throw invalidBody(...sent.map((field) => ({ field, message: 'is not a known field' })))
}

function send(response: Response, { status, body }: Answer): void {
  response.status(status).json(body)
}
