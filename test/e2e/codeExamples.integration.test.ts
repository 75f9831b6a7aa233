import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import pg from 'pg'
import { codeBlocksOf, pages } from '../support/codeBlocks.ts'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'

// Examples of the docs in SQL and TypeScript. Those of the shell are run by docExamples.

const root = join(import.meta.dirname, '../..')
const blocksIn = (language: string) =>
  pages
    .flatMap(codeBlocksOf)
    .filter((block) => block.language === language && !block.note.startsWith('not run'))
    .map((block) => [`${block.page}:${block.line}`, block] as const)

let database: TestDatabase
let folder: string
beforeAll(async () => {
  database = await createTestDatabase()
  folder = mkdtempSync(join(root, 'test/.examples-'))
})
afterAll(async () => {
  if (folder) rmSync(folder, { recursive: true })
  await database?.drop()
})

const queries = blocksIn('sql')

test('the docs have queries and programs', () => {
  expect([queries.length, blocksIn('ts').length].every((count) => count > 0)).toBe(true)
})

// As the owner of the tables, who an operator is to psql; nothing of it stays.
test.each(queries)('%s runs on a migrated database', async (_at, { text }) => {
  const client = new pg.Client({ connectionString: database.url })
  await client.connect()
  try {
    await client.query('begin')
    await client.query(text.replaceAll(/^(start|commit);$/gm, ''))
    await client.query('rollback')
  } finally {
    await client.end()
  }
})

/** What the text of a page has said before its example. */
const given: Record<string, string> = {
  'docs/webhooks.md': `declare const request: { headers: Record<string, string> }
declare const rawBody: string
declare function fulfil(reference: string | null): Promise<void>`,
  'docs/swaps.md': `import { createClient } from '@cowry/client'
const cowry = createClient({ baseUrl: 'http://127.0.0.1:3000/api/v1', apiKey: 'ak_test_1' })
const usdc = '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913'`,
}

test('programs in TypeScript fit the client, under strict', () => {
  const files = blocksIn('ts').map(([at, { page, text }]) => {
    const file = `${at.replaceAll(/[^\w]/g, '-')}.ts`
    writeFileSync(join(folder, file), `${given[page] ?? ''}\n${text}\nexport {}\n`)
    return file
  })
  const config = {
    compilerOptions: {
      strict: true,
      noEmit: true,
      target: 'esnext',
      module: 'esnext',
      moduleResolution: 'bundler',
      allowImportingTsExtensions: true,
      skipLibCheck: true,
      types: ['node'],
      typeRoots: ['../../node_modules/@types'],
      paths: { '@cowry/client': ['../../client/index.ts'] },
    },
    files,
  }
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(config))
  const compiler = join(root, 'node_modules/typescript/bin/tsc')
  const compile = () =>
    execFileSync(process.execPath, [compiler, '-p', folder], { encoding: 'utf8', stdio: 'pipe' })
  try {
    compile()
  } catch (error) {
    expect((error as { stdout: string }).stdout).toBe('')
  }
}, 120_000)
