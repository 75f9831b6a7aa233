import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from '@jest/globals'
import { help, overview, usage } from './help.ts'
import { nearest } from './nearest.ts'
import { nameIn, optionsOf, readLine } from './readLine.ts'
import { commandNames, entryOf } from './table.ts'

/** Words as a shell takes them. */
const shellWords = (line: string): string[] =>
  [...line.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, bare]) => quoted ?? bare ?? '')
const read = (line: string) => {
  const { name, rest } = nameIn(shellWords(line))
  return readLine(name, rest)
}

describe.each(commandNames)('%s', (name) => {
  const entry = entryOf(name)

  test('has a program that exports it', () => {
    const file = join(import.meta.dirname, '..', entry.program)
    expect(existsSync(file)).toBe(true)
    expect(readFileSync(file, 'utf8')).toMatch(
      new RegExp(`^export const run = program\\(\\s*'${name}',`, 'm'),
    )
  })

  test('has examples that it understands, and a form for each option', () => {
    for (const example of entry.examples) expect(read(`${name} ${example}`).name).toBe(name)
    const named = new Set(entry.forms.flatMap(({ words }) => optionsOf(words)))
    expect([...named].sort()).toEqual(Object.keys(entry.options ?? {}).sort())
  })

  test.each(entry.forms.map(({ words }) => [words]))('understands its form %s, with all options', (form) => {
    // `<id>`, `[--to <time>]`, `api|worker` and `…` as a person fills them in.
    const filled = form
      .replaceAll(/<[^>]*>/g, 'x1')
      .replaceAll(/[[\]…]/g, '')
      .replaceAll(/\|[^\s|]+/g, '')
    expect(read(`${name} ${filled}`).name).toBe(name)
  })

  test('shows all of its forms and options', () => {
    for (const { words, summary } of entry.forms) {
      expect(help(name)).toContain(`cowry ${name} ${words}`.trimEnd())
      expect(help(name)).toContain(summary)
    }
    for (const option of Object.keys(entry.options ?? {})) expect(help(name)).toContain(`--${option}`)
    expect(overview()).toContain(entry.summary)
  })
})

test('reads words and options', () => {
  const id = '01a22744-c6ff-77ed-a1a2-0deb78317a13'
  expect(read(`payouts end ${id} completed --tx 0xab --revision 3`)).toEqual({
    name: 'payouts',
    words: ['end', id, 'completed'],
    options: { tx: '0xab', revision: '3' },
  })
  expect(read('account reset a@b.c --keep 1 --keep 2').options).toEqual({ keep: ['1', '2'] })
  expect(read('reconcile ethereum --recover=-0.1').options).toEqual({ recover: '-0.1' })
  expect(read('run worker webhooks monitoring').words).toEqual(['webhooks', 'monitoring'])
  expect(read('init --nodes ethereum=https://a,https://b --own').options).toEqual({
    nodes: ['ethereum=https://a,https://b'],
    own: true,
  })
})

test.each([
  ['payuots', 'there is no command payuots; did you mean payouts?'],
  ['frobnicate', 'there is no command frobnicate'],
  ['run', 'run: name one of all, api, verification, indexer, worker, treasury'],
  ['run wroker', 'there is no command run wroker; did you mean run worker?'],
  ['run indexer', 'run indexer: <chain> is missing'],
  ['run indexer base bsc', 'run indexer: too many arguments'],
  ['run api now', 'run api takes no arguments'],
  ['payouts shwo', 'payouts has no shwo; did you mean show?'],
  ['payouts show', 'payouts show: <id> is missing'],
  ['payouts show a b', 'payouts show: these arguments are not understood'],
  ['payouts end x --evidnce y', 'payouts has no option --evidnce; did you mean --evidence?'],
  ['payouts show x --tx 0xab', '--tx does not go with payouts show'],
  ['payouts end x failed --evidence', '--evidence needs a value'],
  ['payouts end x failed --evidence --operator a', '--evidence needs a value'],
  ['payouts end x completed --elsewhere=no', '--elsewhere takes no value'],
  ['account lock a@example.com --mail', '--mail does not go with account lock'],
  ['rescan base -1 2', 'rescan has no option -1'],
  ['keys', 'keys: name one of unconfirmed'],
  ['constructor', 'there is no command constructor'],
  ['payouts constructor', 'payouts has no constructor'],
  ['fees --constructor x', 'fees has no option --constructor'],
])('%s: %s', (line, message) => {
  expect(() => read(line)).toThrow(expect.objectContaining({ name: 'UsageError', message }))
})

test('a line that may hold a phrase is not repeated', () => {
  for (const words of ['abandon', 'recover abandon', '--abandon', 'recover --abandon x'])
    expect(() => read(`custody ${words}`)).toThrow(
      expect.objectContaining({ message: expect.not.stringContaining('abandon') }),
    )
  expect(usage('custody', ['abandon'])).not.toContain('abandon')
})

test('usage names the forms that begin with the same word', () => {
  expect(usage('payouts', ['show'])).toBe('Usage: cowry payouts show <id>\n')
  expect(usage('payouts', ['x']).split('\n').length).toBe(entryOf('payouts').forms.length + 1)
})

test('the nearest name is one that a slip of the fingers makes', () => {
  const names = ['show', 'pause', 'approve-end']
  expect(['shwo', 'puase', 'aprove-end', 'shows'].map((word) => nearest(word, names))).toEqual([
    'show',
    'pause',
    'approve-end',
    'show',
  ])
  expect(['', 'x', 'end', 'stop'].map((word) => nearest(word, names))).toEqual(Array(4).fill(undefined))
})
