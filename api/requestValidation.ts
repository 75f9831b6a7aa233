import type { RequestHandler } from 'express'
import { AjvOptions } from 'express-openapi-validator/dist/framework/ajv/options.js'
import { defaultSerDes } from 'express-openapi-validator/dist/framework/base.serdes.js'
import type { Spec } from 'express-openapi-validator/dist/framework/openapi.spec.loader.js'
import type { OpenApiRequest, SecurityHandlers } from 'express-openapi-validator/dist/framework/types.js'
import { RequestValidator } from 'express-openapi-validator/dist/middlewares/openapi.request.validator.js'
import { security } from 'express-openapi-validator/dist/middlewares/openapi.security.js'
import { SchemaPreprocessor } from 'express-openapi-validator/dist/middlewares/parsers/schema.preprocessor.js'
import { ApiError, fieldMistakes, firstFields } from '../src/platform/errors.ts'
import { isInstant } from '../src/platform/instants.ts'
import { withTimes } from '../src/platform/pages.ts'
import { type Contract, type Operation, operationsOf } from './contract.ts'
import { findOperation } from './findOperation.ts'
import { withoutListCursor } from './middleware/cursorOfList.ts'
import { bodyBytesOf } from './middleware/weighRequest.ts'
import { nullRemover } from './middleware/withoutNulls.ts'
import {
  type ContractError,
  contractMistakes,
  type PlacedField,
  queryMistakes,
} from './mistakes/contractMistakes.ts'
import { datesAsTimes } from './mistakes/datesAsTimes.ts'
import { severalValues, underOneName } from './mistakes/listQuery.ts'
import { requestsOf } from './requestContract.ts'
import { isCredentialToCome } from './streams/upgrades.ts'

// express-openapi-validator, one operation at a time. Its own entry point compiles the OpenAPI schema and
// prepares the whole document at the start, and walks that document again for each operation. Here each
// operation has its own document, prepared at its first request: start and first request take a quarter of
// the CPU time (0.13 s against 0.54 s), and so does one request of each operation (0.63 s against 2.6 s, Node
// 24).

const ajvOptions = new AjvOptions({
  validateRequests: { allowUnknownQueryParameters: false },
  validateResponses: false,
  validateFormats: true,
  formats: { 'date-time': { type: 'string', validate: isInstant } },
  serDes: defaultSerDes,
  ajvFormats: { mode: 'fast' },
} as never)

interface Prepared {
  operation: Operation
  removeNulls(body: unknown): void
  /** The query with times in place of dates, and lists where several values are possible. */
  readQuery(query: Record<string, unknown>): Record<string, unknown>
  /** The query without former names. @throws ApiError 400 */
  named(query: Record<string, unknown>): Record<string, unknown>
  validator: RequestValidator
  /** Every mistake of a request that the validator has refused. */
  mistakes(request: OpenApiRequest, query: Record<string, unknown>, first: Refused): PlacedField[]
}

/** How the validator refuses a request: with its first error alone. */
interface Refused {
  status?: number
  path?: string
  message?: string
  errors?: ContractError[]
}

/**
 * Finds the operation of a request, checks the credential, admits the request and validates it, in this
 * order.
 * @param letIn counts the request and reads its body
 */
export function validateRequests(
  contract: Contract,
  handlers: SecurityHandlers,
  letIn: RequestHandler,
): RequestHandler[] {
  const prepared = new Map<Operation, Prepared>()
  const prepare = (operation: Operation): Prepared => {
    const known = prepared.get(operation) ?? prepareOperation(contract, operation)
    prepared.set(operation, known)
    return known
  }
  return [
    findOperation(specOf(contract)),
    unlessToCome(security(contract as never, handlers) as unknown as RequestHandler),
    letIn,
    (request: OpenApiRequest, response, next) => {
      const matched = request.openapi as { schema: Operation } | undefined
      if (!matched) return next()
      const { operation, removeNulls, readQuery, named, validator, mistakes } = prepare(matched.schema)
      matched.schema = operation
      removeNulls(request.body)
      const query = readQuery(request.query as Record<string, unknown>)
      setQuery(request, query)
      let isRight = false
      try {
        validator.validate(request, response, () => {
          isRight = true
        })
      } catch (error) {
        const refused = error as Refused
        if (refused.status !== 400) throw error
        throw refusal(mistakes(request, query, refused))
      }
      if (!isRight) return
      setQuery(request, named(request.query as Record<string, unknown>))
      next()
    },
  ] as RequestHandler[]
}

/** In place of the getter of express, which parses the query at each read. */
const setQuery = (request: OpenApiRequest, query: Record<string, unknown>): void =>
  void Object.defineProperty(request, 'query', {
    value: { ...query },
    writable: true,
    configurable: true,
    enumerable: true,
  })

function refusal(found: readonly PlacedField[]): ApiError {
  const inBody = found.every(({ part }) => part === 'body')
  const { fields, text } = firstFields(found.map(({ part: _, ...field }) => field))
  return new ApiError(
    400,
    inBody ? 'Invalid request body' : 'Invalid request parameters',
    fields.length > 0 ? text : 'The request is not valid',
    { fields },
  )
}

/** The check of credentials, without the WebSockets whose credential comes later. */
const unlessToCome =
  (check: RequestHandler): RequestHandler =>
  (request, response, next) =>
    isCredentialToCome(request) ? next() : check(request, response, next)

/** An operation alone in a document of its own, as the validator takes it. */
function documentOf(contract: Contract, operation: Operation): { document: Contract; found: Operation } {
  const document = requestsOf(contract, operation)
  new SchemaPreprocessor(document as never, ajvOptions.preprocessor, false as never).preProcess()
  const [found] = operationsOf(document)
  if (!found) throw new Error(`the contract has no operation ${operation.operationId}`)
  return { document, found: found.operation }
}

function prepareOperation(contract: Contract, operation: Operation): Prepared {
  const { document, found } = documentOf(contract, operation)
  return {
    operation: found,
    removeNulls: nullRemover(contract, operation),
    readQuery: readerOf(contract, operation),
    named: underOneName(contract, operation),
    validator: new RequestValidator(document as never, ajvOptions.request),
    mistakes: mistakesOf(contract, operation),
  }
}

function readerOf(contract: Contract, operation: Operation): Prepared['readQuery'] {
  const withTimes = datesAsTimes(contract, operation)
  const withLists = severalValues(contract, operation)
  return (query) => withLists(withTimes(query))
}

/** Of a larger body only the first error is named: a list may have thousands, and each costs time to find. */
const maxChecked = 16 * 1024
/** Of a list whose mistakes are all found, so many are counted. */
const maxCounted = 5000

/**
 * Finds every mistake, with a second validator, which goes on after the first error. It is made at the first
 * request with a mistake: right requests pay nothing for it.
 */
function mistakesOf(contract: Contract, operation: Operation): Prepared['mistakes'] {
  let made: { document: Contract; found: Operation; validator: RequestValidator } | undefined
  const make = () => {
    const { document, found } = documentOf(contract, operation)
    const options = { ...ajvOptions.request, allErrors: true, allowUnknownQueryParameters: true }
    return { document, found, validator: new RequestValidator(document as never, options) }
  }
  return (request, query, first) => {
    made ??= make()
    const { document, found, validator } = made
    const unknown = queryMistakes(document, found, query)
    const parts = { body: request.body, query }
    // By what was read: a body that comes in chunks announces no length.
    const findsAll = operation['x-all-mistakes'] === true
    const isSmall = findsAll || bodyBytesOf(request) <= maxChecked
    const isAsked = (name: string) => !unknown.some(({ field }) => field === name)
    const known = Object.fromEntries(Object.entries(query).filter(([name]) => isAsked(name)))
    const errors = isSmall ? errorsOf(validator, request, known, found) : (first.errors ?? [])
    const all = [
      ...unknown,
      ...contractMistakes(document, found, parts, errors, findsAll ? maxCounted : undefined),
      ...foundBy(() => requireCursor(operation, known)),
      ...foundBy(() => requireTimes(known)),
    ]
    return all.length > 0 ? all : contractMistakes(document, found, parts, first.errors ?? [])
  }
}

/** The handler of a list reads its cursor after the contract. Here its filter is wrong: no cursor fits. */
const requireCursor = (operation: Operation, { cursor }: Record<string, unknown>): unknown =>
  withoutListCursor(operation, {
    query: typeof cursor === 'string' ? { cursor: cursor.split('=')[0] } : {},
  })

/** It reads its times after the contract, too. */
function requireTimes({ since, until }: Record<string, unknown>): void {
  const isTime = (value: unknown): value is string => typeof value === 'string' && isInstant(value)
  if (isTime(since) && isTime(until)) withTimes({ since, until })
}

function foundBy(check: () => void): PlacedField[] {
  try {
    check()
    return []
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    return fieldMistakes(error).map((mistake) => ({ part: 'query', ...mistake }))
  }
}

/** The validator modifies what it reads. */
function errorsOf(
  validator: RequestValidator,
  request: OpenApiRequest,
  query: Record<string, unknown>,
  operation: Operation,
): ContractError[] {
  const copy = {
    method: request.method,
    path: request.path,
    originalUrl: request.originalUrl,
    headers: { ...request.headers },
    query: { ...query },
    params: { ...request.params },
    cookies: (request as { cookies?: object }).cookies,
    body: structuredClone(request.body),
    openapi: { ...(request.openapi as object), schema: operation },
  }
  try {
    validator.validate(copy as never, {} as never, () => {})
    return []
  } catch (error) {
    const refused = error as Refused
    if (refused.status !== 400) throw error
    return refused.errors ?? []
  }
}

/** The validator's `Spec` of a contract with one base path and no external references. */
export function specOf(contract: Contract): Spec {
  const basePath = (contract.servers[0]?.url ?? '').replace(/\/$/, '')
  const routes = Object.entries(contract.paths).flatMap(([path, item]) =>
    Object.keys(item).map((method) => {
      const openApiRoute = `${basePath}${path}`
      return {
        basePath,
        openApiRoute,
        expressRoute: openApiRoute.replace(/\{([^}]+)}/g, ':$1'),
        method: method.toUpperCase(),
        pathParams: [],
      }
    }),
  )
  return {
    apiDoc: contract as never,
    basePaths: [`${basePath}/`],
    routes: routes.sort(bySpecificity),
    serial: 1,
  }
}

/** Static paths before paths with parameters, like the validator's loader. */
function bySpecificity(a: { expressRoute: string }, b: { expressRoute: string }): number {
  const [first, second] = [a, b].map(({ expressRoute }) => expressRoute.replaceAll('/:', '/~')) as [
    string,
    string,
  ]
  if (first.startsWith(second)) return -1
  if (second.startsWith(first)) return 1
  return first > second ? 1 : -1
}
