import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from '@jest/globals'
import { nameIn, readLine } from '../../commands/readLine.ts'
import { type CodeBlock, codeBlocksOf, isShell, pages, walkedPages } from '../support/codeBlocks.ts'

/*
 * Examples of the README and the docs: those that a reader can run beside npm start are run by
 * test/e2e/docExamples; the others are held here to what they name.
 */

const root = join(import.meta.dirname, '../..')
const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
  scripts: Record<string, string>
}
const blocks = pages.flatMap(codeBlocksOf)
const isSetting = (word: string) => /^[A-Z_]+=/.test(word)
const at = ({ page, line }: CodeBlock) => `${page}:${line}`

/** Its commands, each as its words; continued lines are joined, comments and settings in front are left out. */
const commandsOf = (text: string): string[][] =>
  text
    .replaceAll(/\\\n\s*/g, ' ')
    .split('\n')
    .map((line) => line.replace(/(^|\s)#.*$/, '').trim())
    .filter((line) => line !== '')
    .map((line) =>
      (line.match(/(?:[^\s'"<]|'[^']*'|"[^"]*"|<[^>]*>)+/g) ?? []).map((word) =>
        word.replaceAll(/['"]/g, ''),
      ),
    )
    .map((words) =>
      words.slice(words.findLastIndex((_, index) => words.slice(0, index + 1).every(isSetting)) + 1),
    )
    .filter((words) => words.length > 0)

const operators = blocks.filter(
  (block) => isShell(block) && !walkedPages.includes(block.page) && !block.note.startsWith('not run'),
)

test.each(operators.map((block) => [at(block), block] as const))(
  '%s: each of its commands exists, with these words and options',
  (_, { text }) => {
    for (const words of commandsOf(text)) {
      const [program, run, name = '', ...rest] = words
      if (program === 'npm' && run === 'run' && name === 'cowry') {
        const args = rest.slice(1).filter((word) => word !== '…')
        const command = nameIn(args)
        readLine(command.name, command.rest)
      } else if (program === 'npm') expect(Object.keys(scripts)).toContain(run === 'run' ? name : run)
      else expect(['docker', 'node', 'kubectl', 'curl', 'psql', 'promtool', 'grep']).toContain(program)
    }
  },
)

test.each(blocks.filter(({ language }) => language === 'json').map((block) => [at(block), block] as const))(
  '%s: is JSON, but for what it leaves out',
  (_, { text }) => {
    const whole = text.replaceAll(/,?\s*…\s*(?=[}\]])/g, '').replaceAll('{…}', '{}')
    expect(() => JSON.parse(whole)).not.toThrow()
  },
)

test('examples that are not run say why', () => {
  const reasons = blocks.map(({ note }) => note).filter((note) => note.startsWith('not run'))
  for (const reason of reasons) expect(reason).toMatch(/^not run: .{10,}/)
  expect(walkedPages.filter((page) => !pages.includes(page))).toEqual([])
})
