import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from '@jest/globals'
import { parse } from 'yaml'
import {
  bundleContract,
  bundleVerificationContract,
  published,
  withCsv,
} from '../scripts/contracts/bundle.ts'
import {
  type Audience,
  allOperations,
  type Contract,
  type ContractDocument,
  dashboardContract,
  dashboardTwin,
  isOperation,
  loadContract,
  loadDashboardContract,
  loadVerificationContract,
  type Operation,
  operationsOf,
  programsContract,
} from './contract.ts'
import { maxBodyOf } from './middleware/jsonBody.ts'

const read = (file: string) => readFileSync(join(import.meta.dirname, file), 'utf8')

test.each([
  ['openapi.json', bundleContract],
  ['verification/openapi.json', bundleVerificationContract],
])('%s is what `npm run generate` makes of the YAML', (file, bundle) => {
  expect(JSON.stringify(JSON.parse(read(file)))).toBe(JSON.stringify(published<Contract>(bundle())))
})

describe.each([
  ["the API's contract", loadContract],
  ["the dashboard's contract", loadDashboardContract],
  ["the verification host's contract", loadVerificationContract],
])('%s', (_name, load) => {
  test('has no default in a body: generators of types would take the field for required', () => {
    const { components } = load()
    const bodies = operationsOf(load()).map(({ operation }) => operation.requestBody)
    expect(JSON.stringify([components.schemas, components.requestBodies, bodies])).not.toMatch(/"default":/)
  })

  test('accepts no large body without a credential: 8 kB, and 24 kB for the answer of a passkey', () => {
    const open = operationsOf(load()).filter(({ operation }) => operation['x-scope'] === 'public')
    const large = open
      .filter(({ operation }) => maxBodyOf(operation) > 8 * 1024)
      .map(({ operation }) => [operation.operationId, maxBodyOf(operation)])
    expect(open.length).toBeGreaterThan(0)
    expect(large).toEqual(load === loadDashboardContract ? [['signIn', 24 * 1024]] : [])
  })

  test('has every component that it refers to, and no mark of an audience', () => {
    const contract = load()
    const references = JSON.stringify(contract).match(/#\/components\/\w+\/\w+/g) ?? []
    const missing = references.filter((reference) => {
      const [, , kind = '', name = ''] = reference.split('/')
      return !contract.components[kind]?.[name]
    })
    expect(missing).toEqual([])
    expect(JSON.stringify(contract)).not.toMatch(/x-audience|x-dashboard/)
  })
})

/** The YAML files of a folder, each by itself: not as the bundle reads them. */
const filesOf = (folder: string) =>
  readdirSync(join(import.meta.dirname, folder))
    .filter((name) => name.endsWith('.yaml'))
    .map((name) => parse(read(join(folder, name)), { merge: true }) as Partial<Contract>)

/** Without descriptions, some of which are said in another place than where they are shown. */
const bare = <T>(part: T): T =>
  JSON.parse(
    JSON.stringify(part, (key, value) =>
      key === 'x-described-by' || (key === 'description' && typeof value === 'string') ? undefined : value,
    ),
  ) as T

/** The operations of files, by their id, each with its path and without its mark. */
function operationsIn(files: Partial<Contract>[]): Record<string, object> {
  const listed = files.flatMap(({ paths = {} }) =>
    Object.entries(paths).flatMap(([path, item]) =>
      Object.entries(item).flatMap(([method, operation]) => {
        if (!isOperation(operation)) return []
        const { 'x-audience': _, ...rest } = operation
        return [[operation.operationId, { method, path, ...rest }]]
      }),
    ),
  )
  return Object.fromEntries(listed)
}

/** What the bundle adds to lists, on the components of all files. */
const inCsv = (files: Partial<Contract>[]): Contract[] => {
  const components: Contract['components'] = {}
  for (const file of [...programsFiles, ...dashboardFiles])
    for (const [kind, entries] of Object.entries(file.components ?? {}))
      components[kind] = { ...components[kind], ...entries }
  return [withCsv({ paths: Object.assign({}, ...files.map(({ paths }) => paths)), components } as Contract)]
}

const programsFiles = filesOf('openapi')
const dashboardFiles = filesOf('openapi/dashboard')
const componentsIn = (files: Partial<Contract>[]) =>
  new Map(
    files.flatMap(({ components = {} }) =>
      Object.entries(components).flatMap(([kind, entries]) =>
        Object.entries(entries).map(([name, entry]) => [`${kind}/${name}`, entry] as const),
      ),
    ),
  )

describe('the contract that programs are given', () => {
  const contract = loadContract()

  test('has each operation of the files of programs as it is there, and no other', () => {
    const expected = operationsIn(inCsv(programsFiles))
    expect(Object.keys(expected).length).toBeGreaterThan(90)
    expect(bare(operationsIn([contract]))).toEqual(bare(expected))
  })

  test('has the components of these files as they are there, and none of the dashboard', () => {
    const expected = componentsIn(programsFiles)
    const present = componentsIn([contract])
    expect(present.size).toBeGreaterThan(250)
    expect(bare(Object.fromEntries(present))).toEqual(
      bare(Object.fromEntries([...present.keys()].map((name) => [name, expected.get(name)]))),
    )
    expect([...componentsIn(dashboardFiles).keys()].filter((name) => present.has(name))).toEqual([])
  })

  test('has the rest of the root file as it is there, with the events', () => {
    const { paths: _, components: __, webhooks, ...rest } = contract
    const [root] = programsFiles.filter(({ info }) => info)
    const {
      components: ___,
      'x-page-fields': ____,
      ...expected
    } = root as Contract & { 'x-page-fields': object }
    expect(rest).toEqual(expected)
    const types = programsFiles.flatMap((file) => Object.keys((file.webhooks as object | undefined) ?? {}))
    expect(Object.keys(webhooks as object).sort()).toEqual(types.sort())
  })
})

describe('the contract of the dashboard', () => {
  const contract = loadDashboardContract()
  const byId = new Map(operationsOf(contract).map((each) => [each.operation.operationId, each]))
  const shared = operationsOf(loadContract()).filter(({ operation }) =>
    byId.has(dashboardTwin(operation.operationId)),
  )

  test("has the dashboard's own operations as their files have them", () => {
    const expected = operationsIn(inCsv(dashboardFiles))
    const present = operationsIn([contract])
    expect(Object.keys(expected).length).toBeGreaterThan(90)
    for (const [id, operation] of Object.entries(expected)) expect(bare(present[id])).toEqual(bare(operation))
    expect(Object.keys(present)).toHaveLength(Object.keys(expected).length + shared.length)
  })

  test('has operations of programs for a business, with an idempotency key only where money moves', () => {
    expect(shared.length).toBeGreaterThan(50)
    for (const { method, path, operation } of shared) {
      const { operationId, parameters = [], ...rest } = operation
      const twin = byId.get(dashboardTwin(operationId))
      const key = '#/components/parameters/IdempotencyKey'
      expect(twin).toMatchObject({ method, path: `/businesses/{businessId}${path}` })
      expect(twin?.operation).toEqual({
        ...rest,
        operationId: `${operationId}OfBusiness`,
        parameters: [
          { $ref: '#/components/parameters/BusinessId' },
          ...parameters.filter((each) => rest['x-money'] || (each as { $ref?: string }).$ref !== key),
        ],
      })
    }
    const withKey = allOperations(contract).filter(({ parameters }) =>
      JSON.stringify(parameters ?? []).includes('IdempotencyKey'),
    )
    expect(withKey.map((each) => each['x-money'])).toEqual(Array(withKey.length).fill(true))
    expect(withKey.length).toBeGreaterThan(3)
  })

  test('is served at its own place, and takes no credential of programs', () => {
    expect(contract).toMatchObject({ servers: [{ url: '/dashboard/api' }], security: [{ session: [] }] })
    expect(new Set(operationsOf(contract).flatMap(({ servers }) => servers))).toEqual(
      new Set(['/dashboard/api']),
    )
    expect(Object.keys(contract.components.securitySchemes ?? {})).toEqual(['session'])
    expect(Object.keys(loadContract().components.securitySchemes ?? {})).toEqual(['apiKey', 'bearer'])
  })

  test('requires an approved business of what moves or requests money, unless that waits by itself', () => {
    const waits: Record<string, string> = {
      createPaymentLinkOfBusiness: 'readLink: the link is disabled',
      sendFromWalletOfBusiness: 'sendingApprovals: nothing is signed',
      createBridgeTransferOfBusiness: 'sendingApprovals: nothing is signed',
      createRefundOfBusiness: 'outflowGate: held',
    }
    const unguarded = allOperations(loadDashboardContract())
      .filter((operation) => operation['x-money'] && !operation['x-needs-approval'])
      .map(({ operationId }) => operationId)
    expect(unguarded.toSorted()).toEqual(Object.keys(waits).toSorted())
  })
})

test.each([
  ["the API's contract", loadContract, 'createPayout'],
  ["the dashboard's contract", loadDashboardContract, 'createPayoutOfBusiness'],
])('%s takes each entry of a payout batch as it takes a single payout', (_name, load, id) => {
  const contract = load()
  const { NewPayoutBatch: batch, BatchedPayout: entry } = contract.components.schemas as Record<
    string,
    { properties?: Record<string, unknown>; description?: string }
  >
  const single = allOperations(contract).find(({ operationId }) => operationId === id)?.requestBody as {
    content: Record<string, { schema: object }>
  }
  const { description, ...schema } = entry ?? {}
  expect(schema).toEqual(single.content['application/json']?.schema)
  expect(batch?.properties?.payouts).toMatchObject({ items: { $ref: '#/components/schemas/BatchedPayout' } })
})

describe('a document', () => {
  const operation = (operationId: string, audience?: Audience[]): Operation => ({
    operationId,
    summary: '',
    'x-permission': 'things:read',
    'x-scope': 'read',
    ...(audience ? { 'x-audience': audience } : {}),
    responses: {},
  })
  const document = {
    openapi: '3.1.0',
    servers: [{ url: '/api' }],
    paths: {
      '/a': { get: operation('listA'), post: operation('createA', ['programs', 'dashboard']) },
      '/b': { servers: [{ url: '/own' }], get: operation('listB', ['dashboard']) },
    },
    components: {
      schemas: { OnlyOfB: {} },
      securitySchemes: { key: {}, cookie: { 'x-audience': ['dashboard'] } },
    },
    'x-dashboard': { info: {}, servers: [{ url: '/own' }], security: [{ cookie: [] }] },
  } as unknown as ContractDocument

  test('gives an operation without a mark to programs alone', () => {
    const idsOf = (contract: Contract) => allOperations(contract).map(({ operationId }) => operationId)
    expect(idsOf(programsContract(document))).toEqual(['listA', 'createA'])
    expect(idsOf(dashboardContract(document))).toEqual(['listB', 'createAOfBusiness'])
    expect(Object.keys(programsContract(document).paths)).toEqual(['/a'])
  })

  test('is not changed by that', () => {
    const before = JSON.stringify(document)
    programsContract(document)
    dashboardContract(document)
    expect(JSON.stringify(document)).toBe(before)
  })
})
