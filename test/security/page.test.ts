import { existsSync, globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from '@jest/globals'

// docs/security.md names for each attack and each compromise the test that guards it. Here: that each entry
// names one, that it exists, and that the titles quoted are in it.

const root = join(import.meta.dirname, '../..')
const page = readFileSync(join(root, 'docs/security.md'), 'utf8')
const plain = (text: string) => text.replace(/\s+/g, ' ').trim()
const folders = [
  '',
  'src/platform',
  'src/platform/http',
  'src/platform/database',
  'src/platform/telemetry',
  'api/middleware',
]

/** The suites that a path of the page means: it may leave out folder and ending. */
function suitesOf(path: string): string[] {
  const names = folders.flatMap((folder) =>
    ['', '.test.ts', '.integration.test.ts'].map((ending) => join(folder, path + ending)),
  )
  return names.filter(
    (name) => (/\.test\.ts$/.test(name) || /^test\/.*\.ts$/.test(name)) && existsSync(join(root, name)),
  )
}

interface Section {
  heading: string
  entries: string[]
  /** The section's text about its tests before its first entry. */
  introduction: string
}

function sectionsOf(text: string): Section[] {
  return text
    .split(/^#{2,3} /m)
    .slice(1)
    .map((section) => {
      const [heading = '', ...lines] = section.split('\n')
      const body = lines.join('\n')
      const first = body.search(/^- /m)
      const entries = first < 0 ? [] : body.slice(first).split(/^- /m).slice(1).map(plain)
      return { heading, entries, introduction: plain(first < 0 ? body : body.slice(0, first)) }
    })
}

const from = (heading: string) => page.slice(page.indexOf(`\n## ${heading}\n`))
const attacks = sectionsOf(from('What each attack gets')).filter(({ entries }) => entries.length > 0)
const compromises = sectionsOf(
  from('What a compromise means').slice(0, -from('What each attack gets').length),
)

const testsOf = (entry: string) => /(?:_Test:_|Guarded by:?) (.*)$/.exec(entry)?.[1]
const pathsIn = (text: string) =>
  [...text.matchAll(/`([A-Za-z]+\/[\w./]+|\w+\.test\.ts)`/g)].flatMap(([, path]) => path ?? [])
const isSuite = (path: string) =>
  /^(src|test|api|indexers|migrations)\//.test(path) || path.endsWith('.test.ts')

test('each attack names its test', () => {
  const silent = attacks.flatMap(({ heading, entries }) =>
    entries.filter((entry) => testsOf(entry) === undefined).map((entry) => [heading, entry.slice(0, 60)]),
  )
  expect(attacks.flatMap(({ entries }) => entries).length).toBeGreaterThan(100)
  expect(silent).toEqual([])
})

test('each compromise that can do something names its test', () => {
  const silent = compromises
    .slice(1)
    .filter(({ introduction, entries }) => !testsOf([introduction, ...entries].join(' ')))
  expect(compromises.length).toBeGreaterThan(10)
  expect(silent.map(({ heading }) => heading)).toEqual([])
})

test('the tests that the page names exist', () => {
  const missing = pathsIn(page).filter(
    (path) =>
      isSuite(path) && suitesOf(path).length === 0 && globSync(join(root, `${path}{,.ts}`)).length === 0,
  )
  expect(missing).toEqual([])
})

/** Titles are quoted, or follow a colon and end in "…". */
function titlesIn(tests: string): string[] {
  const quoted = [...tests.matchAll(/"([^"]+)"/g)].flatMap(([, title]) => title ?? [])
  const open = [...tests.matchAll(/(?:`|the same): ([^`"]+)/g)].flatMap(([, list = '']) =>
    list.split(/[;,] /).filter((title) => title.includes('…')),
  )
  return [...quoted, ...open]
}

test('the titles that the page quotes are in the tests of their section', () => {
  const lost = [...compromises.slice(1), ...attacks].flatMap(({ introduction, entries }) => {
    const tests = [introduction, ...entries.flatMap((entry) => testsOf(entry) ?? [])]
    const suites = tests.flatMap(pathsIn).flatMap(suitesOf)
    const texts = suites.map((path) => plain(readFileSync(join(root, path), 'utf8')).replaceAll('\\', ''))
    const has = (title: string) =>
      texts.some((text) => title.split('…').every((part) => text.includes(part.replace(/\.$/, '').trim())))
    return tests.flatMap(titlesIn).filter((title) => !has(title))
  })
  expect(lost).toEqual([])
})
