import { describe, expect, test } from '@jest/globals'
import { OpenApiContext } from 'express-openapi-validator/dist/framework/openapi.context.js'
import { applyOpenApiMetadata } from 'express-openapi-validator/dist/middlewares/openapi.metadata.js'
import fc from 'fast-check'
import { howMany } from '../test/support/full.ts'
import { type Contract, loadContract, loadDashboardContract } from './contract.ts'
import { findOperation } from './findOperation.ts'
import { specOf } from './requestValidation.ts'

const contracts: [string, Contract][] = [
  ['API', loadContract()],
  ['dashboard', loadDashboardContract()],
]

/** A handler's answer to a request: its operation and parameters, its refusal, or nothing. */
function outcomeOf(
  find: (request: never, response: never, next: never) => unknown,
  method: string,
  url: string,
): unknown {
  const [path] = url.split('?', 1)
  const request: { openapi?: unknown } & Record<string, unknown> = {
    method,
    url,
    originalUrl: url,
    path,
    baseUrl: '',
    app: { enabled: () => false },
  }
  try {
    find(request as never, {} as never, (() => {}) as never)
    return request.openapi ?? null
  } catch (error) {
    const { status, message, headers } = error as { status?: number; message?: string; headers?: object }
    return { status, message, headers }
  }
}

describe.each(contracts)('the contract of the %s', (_name, contract) => {
  const spec = specOf(contract)
  const library = applyOpenApiMetadata(new OpenApiContext(spec, undefined as never), null as never)
  const own = findOperation(spec)

  test('finds, for its own paths and any that are like them, exactly what the library finds', () => {
    const piece = fc.oneof(
      fc.constantFrom(
        '',
        '/',
        '//',
        '%2F',
        '%',
        '%zz',
        '?a=/b',
        '?',
        '.',
        ':id',
        'x',
        'É',
        '\u212a',
        '\u017f',
      ),
      fc.constantFrom(...new Set(spec.routes.flatMap(({ expressRoute }) => expressRoute.split('/')))),
    )
    const changed = fc
      .tuple(
        fc.constantFrom(...spec.routes.map(({ expressRoute }) => expressRoute)),
        fc.nat(),
        piece,
        fc.constantFrom<(text: string) => string>(
          (text) => text,
          (text) => text.toUpperCase(),
          (text) => `${text}/`,
        ),
        fc.boolean(),
      )
      .map(([path, at, instead, change, isWhole]) => {
        const segments = path
          .split('/')
          .map((segment) => (segment.startsWith(':') ? '0190a000-0000-7000-8000-000000000001' : segment))
        if (!isWhole) segments[at % segments.length] = instead
        return change(segments.join('/')) || '/'
      })
    const seen = { found: 0, refused: 0, none: 0 }
    fc.assert(
      fc.property(changed, fc.constantFrom('GET', 'POST', 'PATCH', 'DELETE', 'PUT'), (url, method) => {
        const expected = outcomeOf(library as never, method, url)
        if (expected === null) seen.none++
        else seen['status' in (expected as object) ? 'refused' : 'found']++
        expect(outcomeOf(own as never, method, url)).toEqual(expected)
      }),
      { numRuns: howMany(600, 20_000) },
    )
    expect(Math.min(seen.found, seen.refused)).toBeGreaterThan(50)
  })

  test('finds each operation by its path and method', () => {
    for (const { expressRoute, method, openApiRoute } of spec.routes)
      expect(outcomeOf(own as never, method, expressRoute.replaceAll(':', ''))).toMatchObject({
        openApiRoute,
        schema: expect.any(Object),
      })
  })
})
