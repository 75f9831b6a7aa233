import type { RequestHandler } from 'express'
import { AjvOptions } from 'express-openapi-validator/dist/framework/ajv/options.js'
import { defaultSerDes } from 'express-openapi-validator/dist/framework/base.serdes.js'
import type { Spec } from 'express-openapi-validator/dist/framework/openapi.spec.loader.js'
import type { OpenApiRequest, SecurityHandlers } from 'express-openapi-validator/dist/framework/types.js'
import { RequestValidator } from 'express-openapi-validator/dist/middlewares/openapi.request.validator.js'
import { security } from 'express-openapi-validator/dist/middlewares/openapi.security.js'
import { SchemaPreprocessor } from 'express-openapi-validator/dist/middlewares/parsers/schema.preprocessor.js'
import { isInstant } from '../src/platform/instants.ts'
import { type Contract, type Operation, operationsOf } from './contract.ts'
import { findOperation } from './findOperation.ts'
import { nullRemover } from './middleware/withoutNulls.ts'
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
  validator: RequestValidator
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
      const { operation, removeNulls, validator } = prepare(matched.schema)
      matched.schema = operation
      removeNulls(request.body)
      return validator.validate(request, response, next)
    },
  ] as RequestHandler[]
}

/** The check of credentials, without the WebSockets whose credential comes later. */
const unlessToCome =
  (check: RequestHandler): RequestHandler =>
  (request, response, next) =>
    isCredentialToCome(request) ? next() : check(request, response, next)

function prepareOperation(contract: Contract, operation: Operation): Prepared {
  const document = requestsOf(contract, operation)
  new SchemaPreprocessor(document as never, ajvOptions.preprocessor, false as never).preProcess()
  const [found] = operationsOf(document)
  if (!found) throw new Error(`the contract has no operation ${operation.operationId}`)
  return {
    operation: found.operation,
    removeNulls: nullRemover(contract, operation),
    validator: new RequestValidator(document as never, ajvOptions.request),
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
