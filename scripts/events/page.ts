import { type Catalogue, type CataloguedEvent, nameIn, resolve, type Schema } from './catalogue.ts'

type Row = [field: string, type: string, description: string]

/** docs/events.md. */
export function eventsPage({ events, schemas }: Catalogue): string {
  const forms = new Map<string, Schema>()
  const formsOf = (event: CataloguedEvent): string[] => {
    const { data = {} } = schemas[event.schemaName]?.properties ?? {}
    return (data.oneOf ?? [data]).map(({ $ref = '' }) => nameIn($ref))
  }
  const collect = (name: string): void => {
    if (forms.has(name)) return
    const schema = resolve(schemas, { $ref: `#/components/schemas/${name}` })
    forms.set(name, schema)
    for (const property of Object.values(schema.properties ?? {})) {
      const inner = property.$ref ?? property.items?.$ref
      if (inner !== undefined && schemas[nameIn(inner)]?.properties) collect(nameIn(inner))
    }
  }
  for (const name of events.flatMap(formsOf)) collect(name)
  return `# Events

<!-- Made by \`npm run generate\` from the contract. -->

Events that Cowry sends to your [webhook endpoints](webhooks.md), and that \`GET /events\` lists. \`client/contract/eventSchemas.json\` has a JSON Schema of each type,
\`client/contract/events.ts\` its TypeScript type.

${summary(events, formsOf)}

- Check the [signature](webhooks.md#verify) of each request before you read it.
- An event may come twice, and later than a newer one: remember its \`id\`, and order by \`sequence\`.
- Ignore types, fields and values that you do not know: more are added.

## All types

${table(
  ['type', 'when', '`data`'],
  events.map((event) => [
    `[\`${event.type}\`](#${anchor(event.type)})`,
    event.summary,
    links(formsOf(event)),
  ]),
)}

More types, fields and values are added without a new \`version\`: ignore what you do not know. No field or value is removed, and no type changes.

## The body

${table(['field', 'type', ''], rowsOf(schemas, schemas.EventEnvelope ?? {}))}

${events.map((event) => eventPart(event, formsOf(event))).join('\n\n')}

## What data is

A field with \`?\` may be missing.

${[...forms].map(([name, schema]) => `### ${name}\n\n${schema.description ? `${schema.description}\n\n` : ''}${table(['field', 'type', ''], rowsOf(schemas, schema))}`).join('\n\n')}
`
}

/** A line for each subject. */
function summary(events: readonly CataloguedEvent[], formsOf: (event: CataloguedEvent) => string[]): string {
  const rows = [...Map.groupBy(events, ({ topic }) => topic)].map(([topic, of]) => [
    `\`${topic}\``,
    of.map(({ type }) => `[\`${type.slice(topic.length + 1)}\`](#${anchor(type)})`).join(' '),
    links([...new Set(of.flatMap(formsOf))]),
  ])
  return table(['subject', 'events', '`data`'], rows)
}

function eventPart({ type, description, examples }: CataloguedEvent, forms: string[]): string {
  const shown = examples.map(
    ({ summary, body }) => `<details><summary>${summary ?? 'Example'}</summary>

\`\`\`json
${shownJson(body)}
\`\`\`

</details>`,
  )
  return `## ${type}\n\n${description.trim()}\n\n\`data\`: ${links(forms)}.\n\n${shown.join('\n\n')}`
}

/** Formatted like biome: lists of plain values on one line. */
const shownJson = (body: object): string =>
  JSON.stringify(body, null, 2).replace(
    /\[\n\s*([^[\]{}]*?)\n\s*\]/g,
    (_, inner: string) => `[${inner.replace(/\n\s*/g, ' ')}]`,
  )

const anchor = (heading: string): string => heading.toLowerCase().replaceAll('.', '')
const links = (names: string[]): string => names.map((name) => `[${name}](#${anchor(name)})`).join(' or ')

function rowsOf(schemas: Record<string, Schema>, { properties = {}, required = [] }: Schema): Row[] {
  return Object.entries(properties).map(([name, property]) => [
    `\`${name}\`${required.includes(name) ? '' : '?'}`,
    typeOf(schemas, property),
    (resolve(schemas, property).description ?? '').trim().replaceAll('\n', ' '),
  ])
}

function typeOf(schemas: Record<string, Schema>, given: Schema): string {
  const name = given.$ref === undefined ? '' : nameIn(given.$ref)
  const schema = resolve(schemas, given)
  if (schema.properties && name !== '') return `[${name}](#${anchor(name)})`
  if (schema.items) return `array of ${typeOf(schemas, schema.items)}`
  const types = [schema.type ?? 'any'].flat()
  const values = (schema.const === undefined ? schema.enum : [schema.const])?.filter(
    (value) => value !== null,
  )
  const parts = types.map((type) => {
    if (type === 'null') return 'null'
    if (values) return values.map((value) => `\`${value}\``).join(', ')
    return schema.format === 'date-time' ? 'time' : type
  })
  return parts.join(' or ')
}

function table(header: string[], rows: string[][]): string {
  const cells = (row: string[]) => row.map((cell) => cell.replaceAll('|', '\\|'))
  const widths = header.map((title, column) =>
    Math.max(3, title.length, ...rows.map((row) => cells(row)[column]?.length ?? 0)),
  )
  const line = (row: string[]) =>
    `| ${cells(row)
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join(' | ')} |`
  return [line(header), line(widths.map((width) => '-'.repeat(width))), ...rows.map(line)].join('\n')
}
