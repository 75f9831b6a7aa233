import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from '@jest/globals'

const root = join(import.meta.dirname, '../..')
const read = (file: string) => readFileSync(join(root, file), 'utf8')

/** The rows of the table "Where is …" of docs/architecture.md. */
function rows(page: string): { what: string; file: string; code: string | null }[] {
  const [, section = ''] = page.split('### Where is …\n')
  const [table = ''] = section.split(/^## /m)
  return table
    .split('\n')
    .filter((line) => line.startsWith('| ') && !/^\| (-+|where is …) /.test(line))
    .map((line) => {
      const [, what = '', file = '', given = ''] = line.split('|').map((cell) => cell.trim())
      return { what, file: file.replaceAll('`', ''), code: /`([^`]+)`/.exec(given)?.[1] ?? null }
    })
}

/** Words of a row that its file does not have; `of`, `a` and the like are not asked for. */
const missingWords = (what: string, source: string): string[] => {
  const known = source.toLowerCase()
  return (what.match(/[\p{L}\d]+/gu) ?? []).filter(
    (word) => !/^(an?|the|of|in|by|or|back)$/.test(word) && !known.includes(word.toLowerCase()),
  )
}

describe('the table "Where is …" of docs/architecture.md', () => {
  const table = rows(read('docs/architecture.md'))

  test('names 30 behaviours and more, each once', () => {
    expect(table.length).toBeGreaterThanOrEqual(30)
    expect(new Set(table.map(({ what }) => what)).size).toBe(table.length)
  })

  test.each(table)('$what is in $file, in these words', ({ what, file, code }) => {
    expect([file, existsSync(join(root, file))]).toEqual([file, true])
    const source = read(file)
    expect(missingWords(what, source)).toEqual([])
    if (code !== null) expect(source.replaceAll(/\s+/g, ' ')).toContain(code)
  })
})

test('a word that the file does not have is found', () => {
  expect(missingWords('the expiry of a session', 'const sessionExpiry = 600')).toEqual([])
  expect(missingWords('the lifetime of a session', 'const sessionExpiry = 600')).toEqual(['lifetime'])
})
