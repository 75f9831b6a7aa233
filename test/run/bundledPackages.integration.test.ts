import { spawnSync } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, test } from '@jest/globals'
import { bundleFolder } from '../../scripts/bundled/folder.mjs'
import { nodeArguments } from '../../scripts/local/nodeArguments.ts'
import { importsOf } from './importGraph.ts'

const root = join(import.meta.dirname, '../..')
const bundled = JSON.parse(readFileSync(join(root, 'scripts/bundled/packages.json'), 'utf8')) as string[]

/** Packages that are not bundled, and why. */
const unbundled = new Map([
  ['@aws-sdk/client-kms', 'only a treasury with keys in AWS KMS loads it, once'],
  ['@fastify/busboy', 'a few modules, which the verification host alone loads'],
  ['@node-rs/argon2', 'native code'],
  ['@opentelemetry/api', 'as the three below: only processes that trace load them, once'],
  ['@opentelemetry/exporter-trace-otlp-proto', 'see above'],
  ['@opentelemetry/resources', 'see above'],
  ['@opentelemetry/sdk-trace', 'see above'],
  ['pdfkit', 'only an api process that makes a statement as PDF loads it, once'],
  ['pino', 'a few modules; it names files of its own'],
])

/** What a program prints, started as all programs are. */
const printed = (program: string): string => {
  const { stdout, stderr } = spawnSync(
    process.execPath,
    [...nodeArguments, '--input-type=module', '--eval', program],
    { cwd: root, encoding: 'utf8' },
  )
  expect(stderr).toBe('')
  return stdout.trim()
}
/** The path that `name` resolves to. */
const resolved = (name: string) => printed(`console.log(import.meta.resolve('${name}'))`)

test('the bundle has all packages that the programs import, and no others', () => {
  const sources = globSync('{api,commands/run,indexers,migrations,queues,src}/**/*.ts', { cwd: root }).filter(
    (file) => !file.includes('.test.'),
  )
  const names = sources.flatMap((file) => {
    const source = readFileSync(join(root, file), 'utf8')
    return [
      ...importsOf(source),
      ...[...source.matchAll(/\bimport\('([^']+)'\)/g)].map(([, name = '']) => name),
    ]
  })
  const packages = new Set(names.filter((name) => !name.startsWith('.') && !name.startsWith('node:')))
  expect([...packages].filter((name) => !unbundled.has(name)).sort()).toEqual(bundled)
  expect([...unbundled.keys()].filter((name) => !packages.has(name))).toEqual([])
})

test('a program loads them from there', () => {
  expect(resolved('viem/utils')).toBe(pathToFileURL(join(bundleFolder(), 'viem__utils.mjs')).href)
  expect(resolved('pino')).toBe(pathToFileURL(join(root, 'node_modules/pino/pino.js')).href)
})

test('of the word lists of bip39 the bundle has the English one alone', () => {
  const lists = printed(
    `const { wordlists } = await import('bip39')
     console.log(JSON.stringify(Object.entries(wordlists).flatMap(([name, list]) => (list ? [[name, list.length]] : []))))`,
  )
  expect(JSON.parse(lists)).toEqual([
    ['english', 2048],
    ['EN', 2048],
  ])
})
