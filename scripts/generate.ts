import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { parseArgs } from 'node:util'
import {
  type Contract,
  dashboardContract,
  operationsOf,
  permissionsOf,
  programsContract,
} from '../api/contract.ts'
import { eventTopics } from '../src/capabilities.ts'
import { alertsPage } from './alertsPage.ts'
import { commandsPage } from './commandsPage.ts'
import { audienceTypes } from './contracts/audienceTypes.ts'
import { bundleContract, bundleVerificationContract, published } from './contracts/bundle.ts'
import { databaseRolesPage } from './databaseRolesPage.ts'
import { errorClassesPage } from './errors/errorClassesPage.ts'
import { mistakesPage } from './errors/mistakesPage.ts'
import { catalogueOf } from './events/catalogue.ts'
import { clientExamples, clientTypes } from './events/clientTypes.ts'
import { eventsPage } from './events/page.ts'
import { brokenPromises, type EventRecord, recordFile, recordOf } from './events/record.ts'
import { schemaDocument } from './events/schemas.ts'
import { kubernetesFiles } from './kubernetes/manifests.ts'
import { markdownTable } from './markdownTable.ts'
import { scalePage } from './scalePage.ts'
import { settingsPage } from './settingsPage.ts'
import { compiledModules } from './wasm/compile.ts'

// npm run generate             writes the files generated from the contracts (the API's JSON, the client's
// types and tables, docs/permissions.md,
//                              docs/events.md), from migrations/grants.ts (docs/database-roles.md),
// grafana/alerts (docs/alerts.md), commands/table.ts (docs/commands.md), the error classes (docs/error-classes.md),
// .env.example (docs/settings.md), bench/scaleMeasured.json (the tables of docs/scale.md) and docker-compose.yml
// (deploy/kubernetes), and compiled from
//                              wasm/
// npm run generate -- --check  fails if one of them is out of date
// Both refuse an event that lost something that was promised to receivers: client/contract/events.json is the
// record.

const { check } = parseArgs({ options: { check: { type: 'boolean', default: false } } }).values
const generator = join(import.meta.dirname, 'contract-types')
const root = join(import.meta.dirname, '..')
for (const cwd of [generator, join(import.meta.dirname, 'wasm')])
  if (!existsSync(join(cwd, 'node_modules')))
    execFileSync('npm', ['install', '--no-save', '--no-audit', '--no-fund'], { cwd, stdio: 'inherit' })

/** The types of a contract's operations and components. Its paths and webhooks are in tables of their own. */
function typesOf(contract: Contract): string {
  const scratch = mkdtempSync(join(tmpdir(), 'cowry-contract-'))
  try {
    const document = join(scratch, 'openapi.json')
    writeFileSync(document, JSON.stringify(contract))
    const output = join(scratch, 'types.ts')
    execFileSync(
      process.execPath,
      [
        join(generator, 'node_modules/openapi-typescript/bin/cli.js'),
        document,
        '--output',
        output,
        '--default-non-nullable',
        'false',
      ],
      { stdio: ['ignore', 'ignore', 'pipe'] },
    )
    const types = readFileSync(output, 'utf8')
    return types.slice(types.indexOf('export interface components'))
  } finally {
    rmSync(scratch, { recursive: true })
  }
}

const made = '// Made by `npm run generate` from the contract.\n\n'

/** The client's table of operations. */
function tableOf(name: string, contract: Contract): string {
  const rows = operationsOf(contract).map(({ method, path, operation, servers }) => {
    const idempotent =
      method === 'post' && JSON.stringify(operation.parameters ?? []).includes('IdempotencyKey')
    const place = servers[0] === '/' ? ', root: true' : ''
    return `  ${operation.operationId}: { method: '${method.toUpperCase()}', path: '${path}'${idempotent ? ', idempotent: true' : ''}${place} },`
  })
  return `export const ${name} = {\n${rows.join('\n')}\n} as const\n`
}

function permissionNames(contract: Contract): string {
  const rows = permissionsOf(contract).map(({ permission, scope, minRole, operations }) => {
    const summaries = [...new Set(operations.map(({ summary }) => summary))].join('; ')
    return `  { name: '${permission}', scope: '${scope}', minRole: '${minRole}', allows: ${JSON.stringify(summaries).replaceAll("'", "\\'").replaceAll('"', "'")} },`
  })
  return `/** Permissions that an API key can be limited to; \`minRole\`: the role that a person needs for the same. */\nexport const permissions = [\n${rows.join('\n')}\n] as const\n`
}

/**
 * Permissions of a key that is created without naming any. A key keeps its list: later versions never add to
 * it.
 */
function unnamedPermissions(contract: Contract): string {
  const names = permissionsOf(contract).flatMap(({ permission, scope, minRole }) =>
    scope === 'write' && minRole !== 'owner' ? [permission] : [],
  )
  return `const names = [\n${names.map((name) => `  '${name}',`).join('\n')}\n] as const

/** Write permissions of a key that is created without naming any: all except those reserved to owners. */
export const unnamedPermissions = (
  scope: 'read' | 'write',
  permissions: readonly string[] | null | undefined,
): readonly string[] =>
  scope === 'write' && (permissions === null || permissions === undefined) ? names : []
`
}

/** The topics of events with the dashboard's texts, from the registry of capabilities. */
function eventTopicsFile(): string {
  const topics = eventTopics.map(({ types, ...topic }) => ({
    ...topic,
    types: Object.entries(types).map(([type, hint]) => ({ type, hint })),
  }))
  return `// Made by \`npm run generate\` from the capabilities.\n\n/** Event types by topic, in the order of the choices. */\nexport const eventTopics = ${JSON.stringify(topics, null, 2)} as const\n`
}

function permissionsPage(contract: Contract): string {
  const rows = permissionsOf(contract).flatMap(({ permission, scope, minRole, operations }) =>
    operations.map(({ name, summary }, index) => [
      ...[permission, scope, minRole].map((once) => (index === 0 ? `\`${once}\`` : '')),
      `\`${name}\``,
      summary,
    ]),
  )
  const header = ['permission', 'scope', 'least role', 'operation', '']
  return `${[
    '# Permissions',
    '',
    '<!-- Made by `npm run generate` from the contract. -->',
    '',
    'A key without named permissions may do all that its scope allows, except what needs the role `owner`. Later versions add permissions to',
    'read, but never permissions of the scope `write`: add these to the key, or make a new one. A key with named permissions has only those.',
    '',
    'Only an owner can give a key a permission that needs the role `owner`, and only owners may make, change and rotate such a key. A key',
    'with the scope `read` is refused all that needs `write`, also with the permission. A refusal is 403 `insufficient_scope` or',
    '`insufficient_permission`; `message` names the permission. `GET /auth/me` lists what a credential may do.',
    '',
    'The least role is the one that a person needs for the same with an access token, or in the dashboard. `refunds:address` is for keys alone:',
    'it comes on top of `refunds:create`, which is enough for people.',
    '',
    ...markdownTable(header, rows),
  ].join('\n')}\n`
}

const recordPath = 'client/contract/events.json'

/** The record of promises, extended by new fields. Ends the process if a promise is broken. */
function keepRecord(now: EventRecord): string {
  const file = join(root, recordPath)
  const promised: EventRecord = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {}
  const broken = brokenPromises(promised, now)
  if (broken.length === 0) return recordFile(now)
  const lines = broken.map((each) => `  ${each}\n`).join('')
  process.stderr.write(
    `Receivers of webhooks were promised more than the contract has now (${recordPath}):\n${lines}Bring it back, or add a field next to it.\n`,
  )
  process.exit(1)
}

const document = bundleContract()
const api = programsContract(document)
const dashboard = dashboardContract(document)
const verification = bundleVerificationContract()
const catalogue = catalogueOf(document)
/** The document that the API reads: parsing the YAML at each start would take half a second. */
const documentOf = (contract: Contract) => `${JSON.stringify(published(contract), null, 1)}\n`

const wanted: Record<string, string | Buffer> = {
  'api/openapi.json': documentOf(document),
  'api/verification/openapi.json': documentOf(verification),
  'client/contract/api.ts': made + typesOf(document) + audienceTypes(document),
  'client/contract/verification.ts': made + typesOf(verification),
  'client/contract/operations.ts': `${made}${tableOf('apiOperations', api)}\n${tableOf('dashboardOperations', dashboard)}\n${tableOf('verificationOperations', verification)}\n${permissionNames(api)}`,
  'src/apiKeys/unnamedPermissions.ts': made + unnamedPermissions(api),
  'docs/permissions.md': permissionsPage(api),
  [recordPath]: keepRecord(recordOf(catalogue)),
  'client/contract/events.ts': made + clientTypes(catalogue),
  'client/contract/eventTopics.ts': eventTopicsFile(),
  'client/contract/eventExamples.ts': made + clientExamples(catalogue),
  'client/contract/eventSchemas.json': `${JSON.stringify(schemaDocument(catalogue, 'taken'), null, 2)}\n`,
  // A package carries its license.
  'client/LICENSE': readFileSync(join(root, 'LICENSE')),
  'docs/events.md': eventsPage(catalogue),
  'docs/database-roles.md': databaseRolesPage(),
  ...kubernetesFiles(readFileSync(join(root, 'docker-compose.yml'), 'utf8')),
  'docs/alerts.md': alertsPage(),
  'docs/commands.md': commandsPage(),
  'docs/error-classes.md': errorClassesPage(),
  'docs/mistakes.md': mistakesPage(),
  'docs/scale.md': scalePage(),
  'docs/settings.md': settingsPage(),
  ...compiledModules(),
}

let stale = false
for (const [file, content] of Object.entries(wanted)) {
  const target = join(root, file)
  const same = existsSync(target) && readFileSync(target).equals(Buffer.from(content))
  if (!check) {
    mkdirSync(dirname(target), { recursive: true })
    writeFileSync(target, content)
    process.stdout.write(`${same ? 'kept' : 'wrote'} ${file}\n`)
  } else if (!same) {
    stale = true
    process.stderr.write(`${file} is out of date; run npm run generate\n`)
  }
}
if (stale) process.exit(1)
if (check) process.stdout.write('generated files are up to date\n')
