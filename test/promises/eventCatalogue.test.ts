import { readFileSync } from 'node:fs'
import { describe, expect, test } from '@jest/globals'
import { type Contract, loadContract } from '../../api/contract.ts'
import { eventTopics } from '../../client/contract/eventTopics.ts'
import {
  type Catalogue,
  catalogueOf,
  loadCatalogue,
  resolve,
  type Schema,
} from '../../scripts/events/catalogue.ts'
import { brokenPromises, type EventRecord, recordOf } from '../../scripts/events/record.ts'
import { schemaDocument } from '../../scripts/events/schemas.ts'
import { eventTypes } from '../../src/capabilities.ts'
import { createBodyCheck } from '../support/eventBodies.ts'

const catalogue = loadCatalogue()
const check = createBodyCheck(catalogue)
const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8')
const examples = catalogue.events.flatMap(({ type, examples }) =>
  examples.map((example, index) => ({ name: `${type} ${index + 1}`, ...example })),
)

/** The catalogue after a change of its schemas. */
function changed(change: (schemas: Record<string, Schema>) => void): Catalogue {
  const { events, schemas } = structuredClone(catalogue)
  change(schemas)
  return { events, schemas }
}

type Place = (string | number)[]
/** Every object in a body, except those with the receiver's own fields. */
function objectsIn(value: unknown, at: Place = []): Place[] {
  if (typeof value !== 'object' || value === null || at.at(-1) === 'metadata') return []
  const inner = Object.entries(value).flatMap(([key, each]) =>
    objectsIn(each, [...at, Array.isArray(value) ? Number(key) : key]),
  )
  return Array.isArray(value) ? inner : [at, ...inner]
}
const placeIn = (body: unknown, at: Place) =>
  at.reduce<unknown>((value, key) => (value as Record<string, unknown>)[key], body) as Record<string, unknown>

describe('the event catalogue', () => {
  test("has the code's event types, and so does the page", () => {
    const inPage = [...read('docs/events.md').matchAll(/^\| \[`([a-z_.]+)`\]/gm)].map(([, type]) => type)
    expect(catalogue.events.map(({ type }) => type).sort()).toEqual([...eventTypes].sort())
    expect(inPage).toEqual(catalogue.events.map(({ type }) => type))
    expect([...read('docs/events.md').matchAll(/^## ([a-z_]+\.[a-z_]+)$/gm)].map(([, type]) => type)).toEqual(
      inPage,
    )
  })

  test('is what the dashboard offers', () => {
    expect(eventTopics.flatMap(({ types }) => types.map(({ type }) => type)).sort()).toEqual(
      [...eventTypes].sort(),
    )
  })

  test.each(examples)('$name: the example is a valid body', ({ body }) => {
    expect(check(body)).toEqual([])
  })

  test.each(examples)('$name: without any required field it is invalid', ({ body }) => {
    // Events of versions before `checkoutUrl` do not have it, also while both versions run.
    const optional = new Set([
      ...['memo', 'memoType', 'muxedAddress', 'gasUsed', 'amountReceived', 'tokenFee'],
      'checkoutUrl',
    ])
    const tried = objectsIn(body).flatMap((at) => Object.keys(placeIn(body, at)).map((key) => ({ at, key })))
    expect(tried.length).toBeGreaterThan(6)
    const missed = tried.filter(({ at, key }) => {
      const without = structuredClone(body)
      delete placeIn(without, at)[key]
      return check(without).length === 0 && !optional.has(key)
    })
    expect(missed).toEqual([])
  })

  test.each(examples)('$name: a field that is not in the catalogue is found at any depth', ({ body }) => {
    const missed = objectsIn(body).filter((at) => {
      const more = structuredClone(body)
      placeIn(more, at).neverPromised = true
      return check(more).length === 0
    })
    expect(missed).toEqual([])
  })

  test('the schemas for receivers allow fields added later', () => {
    expect(JSON.stringify(schemaDocument(catalogue, 'taken'))).not.toContain('"additionalProperties":false')
    expect(JSON.parse(read('client/contract/eventSchemas.json'))).toEqual(
      JSON.parse(JSON.stringify(schemaDocument(catalogue, 'taken'))),
    )
  })

  test('a late session is a session and its payment', () => {
    const { Session, LateSession } = catalogue.schemas
    const promised = (schema: Schema | undefined) =>
      recordOf({
        ...catalogue,
        events: [eventOf('Shown')],
        schemas: { ...catalogue.schemas, Shown: schema ?? {} },
      })
    const { payment, ...rest } = LateSession?.properties ?? {}
    // Events have no callback URL.
    const { webhookUrl: _, ...ofSession } = Session?.properties ?? {}
    expect(payment).toEqual({ $ref: '#/components/schemas/SessionPayment' })
    expect(promised({ ...LateSession, properties: rest })).toEqual(
      promised({ ...Session, properties: ofSession }),
    )
    expect(LateSession?.required).toEqual([...(Session?.required ?? []), 'payment'])
  })
})

const eventOf = (schemaName: string) => ({
  type: 'shown',
  topic: 'shown',
  summary: '',
  description: '',
  schemaName,
  examples: [],
})

describe('the record of promises to receivers', () => {
  const record: EventRecord = JSON.parse(read('client/contract/events.json'))

  test('matches the contract, with every field', () => {
    expect(brokenPromises(record, recordOf(catalogue))).toEqual([])
    expect(record).toEqual(recordOf(catalogue))
  })

  test('has every field of every example', () => {
    const pathsIn = (value: unknown, path: string): string[] =>
      Array.isArray(value)
        ? value.flatMap((each) => pathsIn(each, `${path}[]`))
        : [
            path,
            ...(typeof value === 'object' && value !== null && !path.endsWith('metadata')
              ? Object.entries(value).flatMap(([key, each]) => pathsIn(each, `${path}.${key}`))
              : []),
          ]
    for (const { body } of examples) {
      const named = new Set(Object.keys(record[body.type] ?? {}).map((path) => path.replace(/<\w+>/, '')))
      expect(
        pathsIn(body, '')
          .map((path) => path.slice(1))
          .filter((path) => path !== '' && !path.endsWith('[]') && !named.has(path)),
      ).toEqual([])
    }
  })

  test('a removed type is refused', () => {
    const { events, schemas } = catalogue
    const now = recordOf({ events: events.filter(({ type }) => type !== 'session.late'), schemas })
    expect(brokenPromises(record, now)).toEqual(['session.late is gone'])
  })

  test.each<[string, (schemas: Record<string, Schema>) => void, string[]]>([
    [
      'a removed field',
      ({ EndpointTest }) => delete EndpointTest?.properties?.message,
      ['endpoint.test: data.message is gone'],
    ],
    [
      'a changed type of a field',
      ({ EndpointTest }) => setProperty(EndpointTest, 'message', { type: 'integer' }),
      ['endpoint.test: data.message was string and is integer'],
    ],
    [
      'a field that becomes nullable',
      ({ EndpointTest }) => setProperty(EndpointTest, 'message', { type: ['string', 'null'] }),
      ['endpoint.test: data.message was string and is string|null'],
    ],
    [
      'a changed format of a field',
      ({ PausedEndpoint }) => setProperty(PausedEndpoint, 'failingSince', { type: ['string', 'null'] }),
      ['endpoint.paused: data.failingSince was string|null (date-time) and is string|null'],
    ],
    [
      'a removed value',
      ({ PausedEndpoint }) => setProperty(PausedEndpoint, 'reason', { type: 'string', enum: ['gone'] }),
      ['endpoint.paused: data.reason has lost the value "failing"'],
    ],
    [
      'known values that become free text',
      ({ PausedEndpoint }) => setProperty(PausedEndpoint, 'reason', { type: 'string' }),
      ['endpoint.paused: data.reason had known values and has any'],
    ],
    [
      'a required field that becomes optional',
      ({ EndpointTest }) => void EndpointTest?.required?.shift(),
      ['endpoint.test: data.message was always there and is optional'],
    ],
    [
      "an object of the receiver's that loses free fields",
      ({ MonitoredMovement }) =>
        setProperty(MonitoredMovement, 'metadata', { type: ['object', 'null'], additionalProperties: false }),
      ['detected', 'confirmed', 'reverted'].map(
        (each) =>
          `transaction.${each}: data<MonitoredMovement>.metadata was object|null with any fields and is object|null`,
      ),
    ],
    [
      'a removed form of data',
      (schemas) => {
        for (const name of [
          'TransactionDetectedEvent',
          'TransactionConfirmedEvent',
          'TransactionRevertedEvent',
        ])
          setProperty(schemas[name], 'data', { oneOf: [{ $ref: '#/components/schemas/SessionMovement' }] })
      },
      Object.entries(record).flatMap(([type, fields]) =>
        Object.keys(fields).flatMap((path) =>
          path.includes('<MonitoredMovement>') ? [`${type}: ${path} is gone`] : [],
        ),
      ),
    ],
  ])('%s is refused by name', (_name, change, expected) => {
    expect(expected.length).toBeGreaterThan(0)
    expect(brokenPromises(record, recordOf(changed(change)))).toEqual(expected)
  })

  test('additions break no promise', () => {
    const grown = changed(({ EndpointTest, PausedEndpoint }) => {
      setProperty(EndpointTest, 'more', { type: 'object', properties: { inner: { type: 'string' } } })
      setProperty(PausedEndpoint, 'reason', { type: 'string', enum: ['failing', 'gone', 'another'] })
    })
    expect(brokenPromises(record, recordOf(grown))).toEqual([])
    expect(recordOf(grown)['endpoint.test']).toMatchObject({
      'data.more.inner': { type: 'string', optional: true },
    })
  })

  test('a contract whose event has no example is refused', () => {
    const contract: Contract = structuredClone(loadContract())
    delete contract.components.examples?.EndpointTest
    expect(() => catalogueOf(contract)).toThrow('endpoint.test has no example')
  })

  test('a dangling reference is refused', () => {
    expect(() => resolve(catalogue.schemas, { $ref: '#/components/schemas/NoSuchSchema' })).toThrow(
      'is not in the contract',
    )
  })
})

function setProperty(schema: Schema | undefined, name: string, property: Schema): void {
  if (!schema?.properties) throw new Error(`no schema for ${name}`)
  schema.properties[name] = property
}
