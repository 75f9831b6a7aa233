import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, test } from '@jest/globals'
import { anchors } from '../../web/docs/anchors.ts'

const root = join(import.meta.dirname, '../..')
const pages = ['CONTRIBUTING.md', 'README.md', ...globSync('docs/**/*.md', { cwd: root }).sort()]

interface Line {
  /** `page:number`. */
  at: string
  text: string
  inTable: boolean
}

const read = (page: string) => readFileSync(join(root, page), 'utf8')
const isGenerated = (page: string) => read(page).includes('<!-- Made by `npm run generate`')

/** The lines of a page outside of fenced code. */
function linesOf(page: string): Line[] {
  let inCode = false
  return read(page)
    .split('\n')
    .flatMap((text, index) => {
      const isFence = /^\s*```/.test(text)
      if (isFence) inCode = !inCode
      return isFence || inCode ? [] : [{ at: `${page}:${index + 1}`, text, inTable: /^\s*\|/.test(text) }]
    })
}

function anchorsIn(page: string): Set<string> {
  const anchorOf = anchors()
  const headings = linesOf(page).flatMap(({ text }) => /^#{1,6} (.*)$/.exec(text)?.[1] ?? [])
  return new Set(headings.map((heading) => anchorOf(heading.replace(/\[([^\]]*)\]\([^)]*\)/g, '$1'))))
}

const withoutCode = (text: string) => text.replace(/`[^`]*`/g, '')

/** Links to files of this repository, and to headings. */
function linksIn(page: string): { at: string; target: string }[] {
  const links = linesOf(page).flatMap(({ at, text }) => {
    const targets = [...withoutCode(text).matchAll(/\]\(([^)\s]+)\)|^\[[^\]]+\]: (\S+)/g)]
    return targets.map(([, inline, reference]) => ({ at, target: inline ?? reference ?? '' }))
  })
  return links.filter(({ target }) => !/^[a-z]+:/.test(target))
}

function leadsSomewhere(page: string, target: string): boolean {
  const [path = '', anchor] = target.split('#')
  const file = path === '' ? page : join(dirname(page), path)
  if (!existsSync(join(root, file))) return false
  return anchor === undefined || anchorsIn(file).has(anchor)
}

/**
 * Paths of sources in backticks: `src/a.ts`, `src/a`, `api/*.yaml`, `src/{a,b}.ts`; text after a path is
 * arguments.
 */
function sourcePathsIn(page: string): { at: string; path: string }[] {
  const folders =
    /^(?:api|bench|client|commands|grafana|indexers|migrations|queues|scripts|src|test|treasury)\//
  return linesOf(page).flatMap(({ at, text }) => {
    const codes = [...text.matchAll(/`([^`]+)`/g)].map(([, code = '']) => code.split(' ')[0] ?? '')
    return codes.filter((code) => folders.test(code)).map((path) => ({ at, path }))
  })
}

const exists = (path: string) => globSync([path, `${path}.*`], { cwd: root }).length > 0

describe.each(pages)('%s', (page) => {
  test('has links only to files and headings that exist', () => {
    expect(linksIn(page).filter(({ target }) => !leadsSomewhere(page, target))).toEqual([])
  })

  test('names only sources that exist', () => {
    expect(sourcePathsIn(page).filter(({ path }) => !exists(path))).toEqual([])
  })
})

test.each(pages.filter((page) => !isGenerated(page)))('%s has prose of at most 100 columns', (page) => {
  const prose = linesOf(page).filter(({ inTable }) => !inTable)
  expect(prose.filter(({ text }) => [...text].length > 100).map(({ at }) => at)).toEqual([])
})

test('the anchor of a heading is the one of GitHub', () => {
  expect(anchorsIn('docs/runbooks/a-signing-key-has-leaked.md')).toContain(
    'a-signing-key-has-leaked-or-app_key-has',
  )
  expect(anchorsIn('docs/events.md')).toContain('transactiondetected')
})

test('Operations leads to every runbook', () => {
  const runbooks = globSync('docs/runbooks/*.md', { cwd: root }).map((file) => file.replace('docs/', ''))
  const led = linksIn('docs/operations.md').map(({ target }) => target)
  expect(runbooks.filter((file) => !led.includes(file))).toEqual([])
})
