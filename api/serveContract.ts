import { type NextFunction, type Request, type RequestHandler, type Response, Router } from 'express'
import type { Caller } from '../src/accounts/caller.ts'
import { recordAudit } from '../src/audit/recordAudit.ts'
import type { Answer, AnswerForm, ApiRequest } from '../src/http/request.ts'
import { networkOf } from '../src/platform/addresses.ts'
import { byteOrderMark } from '../src/platform/csv.ts'
import type { Queryable } from '../src/platform/database/db.ts'
import {
  type IdempotencyLease,
  leaseSeconds,
  type StoredAnswer,
  startIdempotent,
} from '../src/platform/database/idempotency.ts'
import { whenDatabaseIsBack } from '../src/platform/database/whenDatabaseIsBack.ts'
import { invalidBody, messageOf, shownField } from '../src/platform/errors.ts'
import { newId } from '../src/platform/ids.ts'
import type { Secret } from '../src/platform/secrets.ts'
import type { Caps } from '../src/rateLimits/caps.ts'
import { type AnswerCheck, answerCheck } from './answers.ts'
import type { ServeContext } from './context.ts'
import type { Contract, Operation } from './contract.ts'
import { type CsvAnswers, csvAnswers, wantsMark, withoutForm } from './csv/csvAnswers.ts'
import { isHead } from './middleware/answerHead.ts'
import { bulkCallOf, endBulk, startBulk } from './middleware/bulkCall.ts'
import { clientAddress } from './middleware/clientAddress.ts'
import { canonicalContentType } from './middleware/contentType.ts'
import { withListCursor, withoutListCursor } from './middleware/cursorOfList.ts'
import { bodyBytesOf, bodyDigestOf, rawBodyOf, readJsonBody } from './middleware/jsonBody.ts'
import { countRequest, perAddress } from './middleware/limits.ts'
import { operationOf, pathParamsOf } from './middleware/observe.ts'
import { callerOf, refusalOf } from './middleware/outcomes.ts'
import { refuseForbiddenText } from './middleware/refuseForbiddenText.ts'
import { refuseUnreadable } from './middleware/refuseUnreadable.ts'
import { requestId } from './middleware/requestId.ts'
import { startUpload, uploadOf } from './middleware/uploads.ts'
import { confirmShared, startWaiting } from './middleware/waiting.ts'
import { weighRequest, weighRows } from './middleware/weighRequest.ts'
import { withNodeLimit } from './middleware/withNodeLimit.ts'
import { validateRequests } from './requestValidation.ts'
import { type Route, type RouteTable, requireHandlers } from './routeTable.ts'
import { sendStream } from './sendStream.ts'
import { isCredentialToCome } from './streams/upgrades.ts'

type Handlers = Record<string, (request: Request) => Promise<boolean>>

/** What only some contracts have. */
export interface ServeOptions {
  /** Answers to an `Idempotency-Key` are stored; without it the header is ignored. */
  idempotency?: {
    requestKey(): Promise<Secret>
    /** How long an answer is kept when no money moved. */
    days: number
    /** Rebuilds the stored answer of an earlier request. */
    restore(businessId: string, stored: StoredAnswer): Promise<Answer>
  }
  /** Required where operations read nodes or are bulk calls. */
  limits?: { caps: Caps; bulkCallsAtOnce: number }
  /** A caller's change has been answered, or has failed. */
  wrote?(caller: Caller): void
  /** The error of a request, with the mistakes that it did not come to. */
  allMistakes?(operation: Operation, body: unknown, error: unknown): unknown
  /** Serves an operation that is answered with 101. @param caller undefined if its credential is to come */
  serveQuotes?(
    operation: Operation,
    caller: Caller | undefined,
    request: Request,
    response: Response,
    answers: Answers,
  ): Promise<void>
}

interface Answers {
  of(caller: Caller): Promise<Answer>
  keep: Keep
}

/**
 * Serves a contract's operations: the contract authenticates and validates requests and checks answers; the
 * routes do the work.
 */
export function serveContract(
  ctx: ServeContext,
  contract: Contract,
  handlers: Handlers,
  table: RouteTable,
  options: ServeOptions = {},
): Router {
  requireHandlers(contract, table)
  const router = Router()
  router.use(refuseUnreadable)
  router.use(validateRequests(contract, handlers, letIn(ctx, options)))
  const keep = keepTo(ctx, answerCheck(contract))
  const csv = csvAnswers(contract)
  // The validator has already matched the operation: a second router cannot match another one.
  router.use(async (request, response, next) => {
    const operation = operationOf(request)
    const route = operation && table.get(operation.operationId)
    if (!route) return next()
    await handle(ctx, options, operation, route, request, response, keep, csv)
  })
  router.use(async (error: unknown, request: Request, _response: Response, next: NextFunction) => {
    // End before answering, so that the client's next call finds a free place.
    await endBulk(ctx, request)
    const operation = operationOf(request)
    next(operation && options.allMistakes ? options.allMistakes(operation, request.body, error) : error)
  })
  return router
}

const listRequest = (request: Request) => ({ query: request.query, params: pathParamsOf(request) })

/**
 * Reads a request's body after its caller is known and counted: refused callers, and bulk calls over the
 * limit, cost no body. Operations without a credential are counted by network here.
 * @throws ApiError 400, 413, 415, 429, 503
 */
const letIn =
  (ctx: ServeContext, { limits }: ServeOptions): RequestHandler =>
  async (request, response, next) => {
    const operation = operationOf(request)
    if (operation) {
      const isPublic = operation['x-scope'] === 'public'
      const address = clientAddress(request)
      const isToCome = isCredentialToCome(request)
      if (isPublic || isToCome)
        await countRequest(ctx, response, [perAddress('address', address, ctx.requestLimits.perAddress)])
      const caller = callerOf(request)
      if (!isPublic && !isToCome && !caller) throw refusalOf(request)
      const of = caller?.businessId || caller?.actor.id || networkOf(address)
      const limit = bodyBytesOf(ctx, request, operation)
      if (caller && operation['x-bulk'])
        await startBulk({ db: ctx.db, ...needed(limits, operation) }, request, caller.businessId)
      if (operation['x-upload']) {
        startUpload(ctx, request, response, { of, isPublic })
        next()
        return
      }
      if (limit !== null)
        await readJsonBody(ctx, request, response, limit, { of, isPublic }, operation['x-raw-body'] === true)
    }
    canonicalContentType(request, response, next)
  }

function needed<Option>(option: Option | undefined, { operationId }: Operation): Option {
  if (!option) throw new Error(`${operationId} needs what its contract is served without (ServeOptions)`)
  return option
}

/** The caller of an operation without a credential. */
const anonymousCaller = (request: Request, response: Response): Caller => ({
  businessId: '',
  scope: 'read',
  business: null,
  actor: {
    kind: 'system',
    id: null,
    label: 'anonymous',
    address: clientAddress(request),
    requestId: requestId(response),
  },
  account: null,
  apiKey: null,
})

/** @throws Error for an answer that breaks the contract, where that is enforced */
type Keep = (operation: Operation, answer: { status: number; body: object | undefined }) => void

async function handle(
  ctx: ServeContext,
  options: ServeOptions,
  operation: Operation,
  route: Route,
  request: Request,
  response: Response,
  keep: Keep,
  csv: CsvAnswers,
): Promise<void> {
  const isPublic = operation['x-scope'] === 'public'
  const caller = isPublic ? anonymousCaller(request, response) : callerOf(request)
  if (operation.responses['101']) {
    if (!options.serveQuotes) throw new Error(`nothing serves the WebSocket ${operation.operationId}`)
    const of = (each: Caller) => execute(ctx, options, operation, route, each, request, response, 'json')
    await options.serveQuotes(operation, caller, request, response, { of, keep })
    return
  }
  if (!caller) throw refusalOf(request)
  if (!operation.requestBody) refuseBody(request.body)
  const form = csv.formOf(operation, request)
  await weighRequest(ctx, operation, caller, request, response)
  const answer = await execute(ctx, options, operation, route, caller, request, response, form).finally(
    () => {
      // Also after a failure: something of it may be committed.
      if (!isReading(request)) options.wrote?.(caller)
    },
  )
  // Before the answer: the client's next call may follow at once.
  await endBulk(ctx, request)
  const { status, cookies, stream, file } = answer
  const body = withListCursor(operation, listRequest(request), answer.body)
  if (stream && isHead(request)) {
    // The headers alone: nothing reads the stream.
    await stream.return()
    response
      .status(status)
      .type(file?.type ?? 'text/event-stream')
      .end()
    return
  }
  if (stream) {
    await sendStream(
      ctx,
      response,
      stream,
      startWaiting(ctx, request, response),
      (piece) => {
        if (piece !== undefined) keep(operation, { status, body: piece })
      },
      file && form === 'csv' && wantsMark(request) ? { ...file, head: byteOrderMark } : file,
    )
    return
  }
  keep(operation, { status, body })
  if (cookies) response.setHeader('Set-Cookie', cookies)
  if (form === 'csv') csv.send(operation, answer, body, request, response)
  else response.status(status).json(body)
}

async function execute(
  ctx: ServeContext,
  { idempotency, limits }: ServeOptions,
  operation: Operation,
  route: Route,
  caller: Caller,
  request: Request,
  response: Response,
  form: AnswerForm,
): Promise<Answer> {
  const call = bulkCallOf(request)
  // Its body may have taken long.
  await call?.renew()
  await refuseForbiddenText(request.body)
  await refuseForbiddenText(request.query)
  // Written when the operation is done, after entries that the route writes itself.
  let auditId: string | undefined
  const audit = (db: Queryable, body: object, change: { before?: object; after?: object } = {}) => {
    auditId ??= newId()
    return auditOf(db, operation, caller, auditId, body, change)
  }
  const goesOn = async (rows: number) => {
    await weighRows(ctx, caller, rows)
    await call?.renew()
  }
  const waits = () => ({
    signal: startWaiting(ctx, request, response),
    confirm: () => confirmShared(ctx, caller, operation.operationId),
  })
  const run = (remember: ApiRequest['remember']) =>
    withNodeLimit(ctx, limits, operation, caller, () =>
      route({
        body: request.body,
        query: withoutForm(withoutListCursor(operation, listRequest(request))),
        params: pathParamsOf(request),
        caller,
        remember,
        goesOn,
        waits,
        form,
        headers: request.headers,
        rawBody: () => rawBodyOf(request),
        upload: () => uploadOf(request),
      }),
    )
  const lease = await leaseOf(ctx, idempotency, operation, caller, request)
  if (lease !== null && 'status' in lease) {
    response.setHeader('Idempotent-Replayed', 'true')
    return needed(idempotency, operation).restore(caller.businessId, lease)
  }
  let remembered = false
  try {
    const answer = await run(async (db, stored, change, short) => {
      await audit(db, stored.body, change)
      await lease?.complete(db, { ...stored, ...short })
      await call?.end(db)
      remembered = true
    })
    if (!remembered) {
      await audit(ctx.db, answer.body)
      await lease?.complete(ctx.db, answer)
    }
    return answer
  } catch (error) {
    // Answer with the cause; a lease that is not released runs out.
    await lease?.release().catch((cause) => {
      ctx.log.warn(
        { err: messageOf(cause) },
        'failed to release an idempotency lease; trying again until it runs out',
      )
      // A caller who repeats the request after an outage must not wait for the end of the lease.
      void whenDatabaseIsBack(leaseSeconds * 1000, () => lease.release())
    })
    throw error
  }
}

const isReading = ({ method }: Request) => method === 'GET' || method === 'HEAD'

/**
 * Claims a request with an idempotency key, or returns its stored answer; null if there is no key or the
 * operation ignores it.
 */
async function leaseOf(
  { db }: ServeContext,
  idempotency: ServeOptions['idempotency'],
  operation: Operation,
  caller: Caller,
  request: Request,
): Promise<IdempotencyLease | StoredAnswer | null> {
  const key = request.headers['idempotency-key']
  if (!idempotency) return null
  const { requestKey, days } = idempotency
  if (
    request.method !== 'POST' ||
    typeof key !== 'string' ||
    operation['x-secret-answer'] ||
    caller.businessId === ''
  )
    return null
  const keepDays = operation['x-money'] ? null : days
  const operationPath = `${request.method} ${request.path}`
  const digest = bodyDigestOf(request)
  return startIdempotent(
    { db, requestKey },
    { businessId: caller.businessId, key, operation: operationPath, body: request.body, digest, keepDays },
  )
}

/** Writes the audit entry of a change. The id makes it one entry even if a route stores its answer twice. */
async function auditOf(
  db: Queryable,
  operation: Operation,
  caller: Caller,
  auditId: string,
  body: object,
  change: { before?: object; after?: object },
): Promise<void> {
  const action = operation['x-audit']
  if (action === undefined || action === 'none') return
  const { id } = body as { id?: unknown }
  const target = typeof id === 'string' ? id : null
  await recordAudit(db, caller.actor, { businessId: caller.businessId, action, target, ...change }, auditId)
}

/** @throws ApiError 400 naming what was sent to an operation that takes no body */
function refuseBody(body: unknown): void {
  if (body === undefined || body === null) return
  const sent = typeof body === 'object' ? Object.keys(body) : ['body']
  if (sent.length > 0)
    throw invalidBody(
      ...sent.map((field) => ({
        field: shownField(field),
        message: 'is not a known field',
        code: 'unknown_field' as const,
      })),
    )
}

const keepTo =
  (ctx: Pick<ServeContext, 'validateResponses' | 'brokenAnswers' | 'log'>, check: AnswerCheck): Keep =>
  (operation, { status, body }) => {
    const broken = check(operation, status, body)
    if (broken === null) return
    const { operationId } = operation
    if (ctx.validateResponses === 'enforce')
      throw new Error(`the answer ${status} of ${operationId} breaks the contract: ${broken}`)
    ctx.brokenAnswers.inc({ operation: operationId })
    ctx.log.error({ operation: operationId, status, err: broken }, 'an answer breaks the contract')
  }
