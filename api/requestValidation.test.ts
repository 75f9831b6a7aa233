import { describe, expect, test } from '@jest/globals'
import { OpenApiSpecLoader } from 'express-openapi-validator/dist/framework/openapi.spec.loader.js'
import { type Contract, loadContract, loadDashboardContract, operationsOf } from './contract.ts'
import { requestsOf } from './requestContract.ts'
import { specOf, validateRequests } from './requestValidation.ts'

const contracts: [string, Contract][] = [
  ['API', loadContract()],
  ['dashboard', loadDashboardContract()],
]

/** The validator fills in what the published contract calls `x-default`. */
const withDefaults = <T>(part: T): T =>
  JSON.parse(
    JSON.stringify(part).replace(/"x-default":("[^"]*"|\d+|true|false)/g, '"x-default":$1,"default":$1'),
  ) as T

describe.each(contracts)('the contract of the %s', (_name, contract) => {
  test('is valid OpenAPI, and has the same routes that the validator finds', async () => {
    const loaded = await new OpenApiSpecLoader({
      apiDoc: structuredClone(contract) as never,
      validateApiSpec: true,
    }).load()
    const spec = specOf(contract)
    const withoutParams = (routes: typeof loaded.routes) => routes.map(({ pathParams: _, ...route }) => route)
    expect(withoutParams(spec.routes)).toEqual(withoutParams(loaded.routes))
    expect(spec.basePaths).toEqual(loaded.basePaths)
  })

  test('gives each operation its own document: the whole request and every component it refers to', () => {
    for (const { path, method, operation } of operationsOf(contract)) {
      const document = requestsOf(contract, operation)
      const { responses: _, ...asked } = operation
      expect(operationsOf(document)).toHaveLength(1)
      expect(document.paths[path]?.[method]).toMatchObject(withDefaults(asked))
      for (const reference of new Set(JSON.stringify(document).match(/#\/components\/\w+\/\w+/g))) {
        const [, , kind = '', name = ''] = reference.split('/')
        expect(document.components[kind]?.[name]).toEqual(withDefaults(contract.components[kind]?.[name]))
      }
    }
  })

  test('is not changed by validating requests', () => {
    const before = JSON.stringify(contract)
    const [, , , validate] = validateRequests(contract, {}, () => {})
    for (const { method, path, operation } of operationsOf(contract)) {
      const openapi = { expressRoute: path, openApiRoute: path, pathParams: {}, schema: operation }
      const request = {
        method: method.toUpperCase(),
        path,
        originalUrl: path,
        headers: { 'content-type': 'application/json' },
        query: { strange: '1' },
        body: {},
        openapi,
      }
      expect(() => validate?.(request as never, {} as never, () => {})).toThrow(/strange/)
      expect(openapi.schema.operationId).toBe(operation.operationId)
    }
    expect(JSON.stringify(contract)).toBe(before)
  })
})
