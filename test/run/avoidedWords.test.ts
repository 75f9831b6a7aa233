import { describe, expect, test } from '@jest/globals'
import { avoidedWords, usesIn } from '../../scripts/words/avoided.ts'
import { textsOf } from '../../scripts/words/textsOf.ts'

const avoided = new Set(['nobody', 'none'])
const found = (file: string, source: string) => usesIn(textsOf(file, source), avoided).uses.map(({ line, word }) => `${line} ${word}`)

describe('finds words to avoid', () => {
  test('in comments, messages, templates, test names and JSX, with their lines', () => {
    const source = `// Nobody waits.
/**
 * One line.
 * None of them.
 */
const message = 'this is for nobody'
const built = \`this is \${message} for nobody\`
test('it asks nobody twice', () => {})
const part = <p>this is for nobody</p>
`
    expect(found('a.tsx', source)).toEqual(['1 Nobody', '4 None', '6 nobody', '7 nobody', '8 nobody', '9 nobody'])
  })

  test('in SQL only in comments', () => {
    const source = "const sql = `select 'none' from nobody -- for nobody\n`\nconst about = `comment on table t is 'for nobody'`"
    expect(found('a.ts', source)).toEqual(['1 nobody', '3 nobody'])
  })

  test('in pages, outside of code and links', () => {
    expect(found('a.md', 'For nobody, `none` and [a page](nobody.md).\n```\nnobody\n```\nnone')).toEqual(['1 nobody', '5 none'])
    expect(found('a.yaml', 'description: For nobody\n# none')).toEqual(['1 nobody', '2 none'])
  })

  test('not in names, single words or backticks', () => {
    expect(found('a.ts', "const nobody = 'none' // `none`")).toEqual([])
  })
})

test('the list is the last table of the glossary', () => {
  const words = avoidedWords('| `kept` | x |\n## Plain words\n\n`prose`\n\n| Not | But |\n| --- | --- |\n| `told`, `tell` | `say` |\n| `none` | |\n')
  expect([...words]).toEqual(['told', 'tell', 'none'])
})
