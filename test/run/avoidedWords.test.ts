import { describe, expect, test } from '@jest/globals'
import { avoidedWords, usesIn } from '../../scripts/words/avoided.ts'
import { namesOf, partsOfName } from '../../scripts/words/namesOf.ts'
import { textsOf } from '../../scripts/words/textsOf.ts'

const avoided = new Set(['gadget', 'widget'])
const found = (file: string, source: string) =>
  usesIn(textsOf(file, source), avoided).uses.map(({ line, word }) => `${line} ${word}`)

describe('finds words to avoid', () => {
  test('in comments, messages, templates, test names and JSX, with their lines', () => {
    const source = `// Gadget waits.
/**
 * One line.
 * Widget of them.
 */
const message = 'this is for gadget'
const built = \`this is \${message} for gadget\`
test('it asks gadget twice', () => {})
const part = <p>this is for gadget</p>
`
    expect(found('a.tsx', source)).toEqual([
      '1 Gadget',
      '4 Widget',
      '6 gadget',
      '7 gadget',
      '8 gadget',
      '9 gadget',
    ])
  })

  test('in SQL only in comments', () => {
    const source =
      "const sql = `select 'widget' from gadget -- for gadget\n`\nconst about = `comment on table t is 'for gadget'`"
    expect(found('a.ts', source)).toEqual(['1 gadget', '3 gadget'])
  })

  test('in pages, outside of code and links', () => {
    expect(found('a.md', 'For gadget, `widget` and [a page](gadget.md).\n```\ngadget\n```\nwidget')).toEqual([
      '1 gadget',
      '5 widget',
    ])
    expect(found('a.yaml', 'description: For gadget\n# widget')).toEqual(['1 gadget', '2 widget'])
  })

  test('not in names, single words or backticks', () => {
    expect(found('a.ts', "const gadget = 'widget' // `widget`")).toEqual([])
    expect(found('a.ts', '// a column is widget_made_by or made_widget, of a gadget')).toEqual(['1 gadget'])
  })
})

test('the list is a table of the glossary', () => {
  const words = avoidedWords(
    '| `kept` | x |\n## Plain words\n\n`prose`\n\n| Not | But |\n| --- | --- |\n| `told`, `tell` | `say` |\n| `none` | |\n',
  )
  expect([...words]).toEqual(['told', 'tell', 'none'])
})

test('a section of the glossary ends at the next heading', () => {
  const glossary = '## Names of code\n\n| `ask` | query |\n\n## Plain words\n\n| `told` | report |\n'
  expect([...avoidedWords(glossary, 'Names of code')]).toEqual(['ask'])
  expect([...avoidedWords(glossary)]).toEqual(['told'])
})

describe('names of code', () => {
  test('are those of the file and of what it exports, with their lines', () => {
    const source = `const inner = 1
export const askNode = 1, other = 2
export async function lookUp() {}
export class Liar {}
export interface Told {}
export type Word = string
export { inner }
`
    expect(namesOf('src/askDns.integration.test.ts', source)).toEqual([
      { line: 1, name: 'askDns' },
      { line: 2, name: 'askNode' },
      { line: 2, name: 'other' },
      { line: 3, name: 'lookUp' },
      { line: 4, name: 'Liar' },
      { line: 5, name: 'Told' },
      { line: 6, name: 'Word' },
    ])
  })

  test('are split in words', () => {
    expect(partsOfName('askDNSServer4')).toEqual(['ask', 'dns', 'server'])
    expect(partsOfName('task')).toEqual(['task'])
  })
})
