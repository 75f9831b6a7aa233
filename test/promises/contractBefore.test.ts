import { expect, test } from '@jest/globals'
import {
  type Contract,
  loadContract,
  loadVerificationContract,
  programsContract,
} from '../../api/contract.ts'
import { brokenOperations } from '../../scripts/contracts/brokenOperations.ts'
import { releaseFiles } from '../../scripts/release/programs.ts'

const { text } = releaseFiles()
/** What the release before promised to programs. */
const recorded = (path: string) => programsContract(JSON.parse(text[path] ?? 'null') as Contract)

test.each([
  ['api/openapi.json', loadContract()],
  ['api/verification/openapi.json', loadVerificationContract()],
])('programs that were written for the release before run on: %s has lost nothing', (path, now) => {
  expect(Object.keys(recorded(path).paths).length).toBeGreaterThan(5)
  expect(brokenOperations(recorded(path), now)).toEqual([])
})

type Node = Record<string, never>

/** The contract with one thing changed. */
function changed(
  change: (paths: Record<string, Record<string, Node>>, schemas: Record<string, Node>) => void,
): string[] {
  const before = recorded('api/openapi.json')
  const now = structuredClone(before)
  change(now.paths as never, now.components.schemas as never)
  return brokenOperations(before, now)
}
const sessions = '/pos/sessions'

test('an operation that is gone is named, and so is a parameter', () => {
  expect(changed((paths) => delete paths[sessions]?.post)).toEqual(['POST /pos/sessions is gone'])
  const without = changed((paths) => {
    const get = paths[sessions]?.get as unknown as { parameters: object[] }
    get.parameters = get.parameters.slice(1)
  })
  expect(without).toEqual([expect.stringMatching(/^GET \/pos\/sessions: query parameter \w+ is gone$/)])
})

test('a new parameter or field may be left out', () => {
  const add = (required: boolean) => (paths: Record<string, Record<string, Node>>) => {
    const get = paths[sessions]?.get as unknown as { parameters: object[] }
    get.parameters.push({ in: 'query', name: 'region', required, schema: { type: 'string' } })
  }
  expect(changed(add(false))).toEqual([])
  expect(changed(add(true))).toEqual(['GET /pos/sessions: requires a new query parameter region'])
})

interface Body {
  requestBody: { required?: boolean; content: Record<string, { schema: { $ref: string } }> }
}

test('a body that could be left out can be left out', () => {
  const before = recorded('api/openapi.json')
  const key = Object.keys(before.paths).find(
    (path) => (before.paths[path]?.post as Partial<Body> | undefined)?.requestBody,
  ) as string
  const body = ({ paths }: Contract) => ((paths[key] as { post?: unknown }).post as Body).requestBody
  const now = structuredClone(before)
  body(before).required = false
  body(now).required = true
  expect(brokenOperations(before, now)).toEqual([`POST ${key}: requires a body`])
  expect(brokenOperations(now, before)).toEqual([])
})

test('what a request could have, it can have', () => {
  const inBody = (change: (schema: { properties: Record<string, Node>; required: string[] }) => void) =>
    changed((paths, schemas) => {
      const body = paths[sessions]?.post as unknown as Body | undefined
      const name = body?.requestBody.content['application/json']?.schema.$ref.split('/').at(-1) ?? ''
      change(schemas[name] as never)
    })
  const post = 'POST /pos/sessions: request'
  expect(inBody(({ properties }) => delete properties.reference)).toEqual([`${post} reference is gone`])
  expect(inBody(({ required }) => required.push('reference'))).toEqual([`${post} reference is required`])
  expect(inBody(({ properties }) => Object.assign(properties, { region: { type: 'string' } }))).toEqual([])
  expect(
    inBody(
      ({ properties, required }) =>
        Object.assign(properties, { region: { type: 'string' } }) && required.push('region'),
    ),
  ).toEqual([`${post} region is new and required`])
  expect(
    inBody(({ properties }) => Object.assign(properties.reference as Node, { type: 'integer' })),
  ).toContain(`${post} reference is no longer of type string`)
  expect(inBody(({ properties }) => Object.assign(properties.reference as Node, { enum: ['a'] }))).toEqual([
    `${post} reference no longer takes any value`,
  ])
})

test('what an answer had, it has', () => {
  const inAnswer = (change: (schema: { properties: Record<string, Node>; required: string[] }) => void) =>
    changed((_paths, schemas) => change(schemas.Session as never)).filter((line) =>
      line.startsWith('GET /pos/sessions/{id}:'),
    )
  const get = 'GET /pos/sessions/{id}: 200 Session: '
  expect(inAnswer(({ properties }) => delete properties.address)).toEqual([`${get}address is gone`])
  expect(
    inAnswer((schema) =>
      Object.assign(schema, { required: schema.required.filter((name) => name !== 'address') }),
    ),
  ).toEqual([`${get}address was always there and is optional`])
  expect(inAnswer(({ properties }) => Object.assign(properties, { region: { type: 'string' } }))).toEqual([])
})

test('a query parameter may come to take several of its values, and none fewer', () => {
  const several = (states: string[]) => (paths: Record<string, Record<string, Node>>) => {
    const get = paths[sessions]?.get as unknown as { parameters: { name?: string; schema: object }[] }
    const status = get.parameters.find(({ name }) => name === 'status')
    if (status) status.schema = { type: 'array', items: { type: 'string', enum: states } }
  }
  expect(changed(several(['pending', 'paid', 'paid_out', 'expired', 'cancelled']))).toEqual([])
  expect(changed(several(['pending']))).toContainEqual(expect.stringMatching(/no longer takes "paid"/))
})
