import { globSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from '@jest/globals'
import { importGraph } from './importGraph.ts'

const maxFiles = 66
/**
 * The registry loads these of each capability: they are not counted, so that the limit does not grow with
 * them.
 */
const ofRegistry = /^src\/\w+\/(capability|settings)\.ts$/

/** Packages that take longer to load than a test takes to run. */
const heavy =
  /^(viem|tronweb|litesvm|solc|sequelize|pg|ioredis|bullmq|undici|express|express-openapi-validator|vite|playwright-core|@(solana|stellar|ethereumjs)\/.*)$/

/** Unit tests that load one for a reason. */
const excepted: [path: RegExp, reason: string][] = [
  [
    /^src\/chains\/(evm|solana|tron|stellar)\//,
    "a family's code is compared with the chain's public library",
  ],
  [/^src\/partners\/zerox\//, 'calls of 0x are compared with a public library'],
  [/^src\/wallets\/walletSecretIn\.test\.ts$/, 'finds secrets as public libraries write them'],
  [/^src\/chains\/addressHash\.test\.ts$/, "is compared with a chain's public library"],
  [/^api\/findOperation\.test\.ts$/, 'is compared with the library'],
  [/^api\/requestValidation\.test\.ts$/, 'is compared with the whole validator'],
  [/^src\/partners\/jupiter\/checkRoute\.test\.ts$/, 'instructions of Jupiter are made by public libraries'],
  [/^test\/fixtures\//, 'recomputes recorded blocks by public libraries'],
  [/^test\/promises\/counting\//, 'counts the transfers of recorded blocks by public libraries'],
  [/^test\/promises\/knownAnswers\.test\.ts$/, 'compares keys and signatures with public libraries'],
  [/^src\/platform\/redis\/redisTarget\.test\.ts$/, "options are read back from the library's clients"],
  [/^src\/platform\/http\/undici\.test\.ts$/, 'is compared with the whole package'],
  [/^test\/run\/socketGuard\.test\.ts$/, 'shows that undici opens no socket'],
]

const root = join(import.meta.dirname, '../..')
const suites = globSync('{api,client,indexers,migrations,queues,src,test,web}/**/*.test.ts', {
  cwd: root,
}).filter((file) => !file.endsWith('.integration.test.ts'))
const graphs = suites.map((file) => ({ file, ...importGraph(file) }))
const heavyOf = ({ packages }: (typeof graphs)[number]) => [...packages].filter(([name]) => heavy.test(name))

test('no unit test loads a heavy package without a reason', () => {
  const found = graphs
    .filter(({ file }) => !excepted.some(([path]) => path.test(file)))
    .flatMap((graph) =>
      heavyOf(graph).map(([name, [importer]]) => `${graph.file} loads ${name} by ${importer}`),
    )
  expect(found).toEqual([])
})

test('every exception names a test that loads one', () => {
  const unused = excepted.filter(
    ([path]) => !graphs.some((graph) => path.test(graph.file) && heavyOf(graph).length > 0),
  )
  expect(unused).toEqual([])
})

test(`no unit test loads more than ${maxFiles} files of the project, without those of the registry`, () => {
  const sizes = graphs
    .map(({ file, files }) => ({ file, files: files.filter((each) => !ofRegistry.test(each)).length }))
    .sort((a, b) => b.files - a.files)
  expect(sizes.filter(({ files }) => files > maxFiles)).toEqual([])
  expect(sizes.length).toBeGreaterThan(100)
})
