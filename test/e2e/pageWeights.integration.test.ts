import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { beforeAll, describe, expect, test } from '@jest/globals'
import { parseSync } from 'oxc-parser'
import { buildDashboard, builtPages } from '../../scripts/local/buildDashboard.ts'

// What a visitor of a page downloads, as it is built.

beforeAll(() => buildDashboard())

/** The module scripts of a page. */
const scriptsOf = (page: string): string[] =>
  [...readFileSync(join(builtPages, page), 'utf8').matchAll(/<script[^>]* src="\/dashboard\/([^"]+)"/g)].map(
    ([, file]) => file ?? '',
  )

interface Links {
  now: string[]
  later: string[]
}
const read = new Map<string, Links>()
/** What a script imports at once, and what it imports once it is needed. */
function linksOf(file: string): Links {
  const known = read.get(file)
  if (known) return known
  const source = readFileSync(join(builtPages, file), 'utf8')
  const { module } = parseSync(file, source)
  const inFolder = (path: string) => join(dirname(file), path)
  const links = {
    now: [...module.staticImports, ...module.staticExports.flatMap(({ entries }) => entries)].flatMap(
      ({ moduleRequest }) => (moduleRequest ? [inFolder(moduleRequest.value)] : []),
    ),
    later: module.dynamicImports.flatMap(({ moduleRequest }) => {
      const path = /^["'`](\.[^"'`]+)["'`]$/.exec(source.slice(moduleRequest.start, moduleRequest.end))?.[1]
      return path === undefined ? [] : [inFolder(path)]
    }),
  }
  read.set(file, links)
  return links
}

/** With all that they import at once. */
function loadedBy(files: readonly string[]): Set<string> {
  const loaded = new Set<string>()
  const load = (file: string): void => {
    if (loaded.has(file)) return
    loaded.add(file)
    for (const each of linksOf(file).now) load(each)
  }
  for (const file of files) load(file)
  return loaded
}
const weight = (files: Iterable<string>): number =>
  [...files].reduce((sum, file) => sum + gzipSync(readFileSync(join(builtPages, file))).length, 0)
const laterOf = (files: Iterable<string>): string[] => [
  ...new Set([...files].flatMap((file) => linksOf(file).later)),
]

describe('compressed script', () => {
  test.each(['checkout.html', 'till.html'])(
    'of %s is under 150 kB, all that it may load included',
    (page) => {
      const files = loadedBy(scriptsOf(page))
      expect(files.size).toBeGreaterThan(0)
      expect(weight(loadedBy([...files, ...laterOf(files)]))).toBeLessThan(150_000)
    },
  )

  test('of the dashboard is split by page, and under 350 kB for each', () => {
    const shell = scriptsOf('index.html')
    const pages = laterOf(loadedBy(shell))
    expect(pages.length).toBeGreaterThan(30)
    const heavy = pages.flatMap((page) => {
      // With what the page loads once it is needed, such as the overview's chart.
      const bytes = weight(loadedBy([...shell, page, ...linksOf(page).later]))
      return bytes < 350_000 ? [] : [`${page}: ${bytes}`]
    })
    expect(heavy).toEqual([])
  })
})
