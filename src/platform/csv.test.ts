import { expect, test } from '@jest/globals'
import fc from 'fast-check'
import { csvLine } from './csv.ts'

/** An independent reader of RFC 4180. */
function parse(line: string): string[] {
  const cells: string[] = []
  let rest = line.slice(0, -2)
  for (;;) {
    const [whole = '', quoted, bare = ''] = /^(?:"((?:[^"]|"")*)"|([^",\r\n]*))(?=,|$)/.exec(rest) ?? []
    cells.push(quoted === undefined ? bare : quoted.replaceAll('""', '"'))
    if (whole.length === rest.length) return cells
    rest = rest.slice(whole.length + 1)
  }
}

test.each([
  ['=1+1', "'=1+1"],
  ['+1', "'+1"],
  ['-1', "'-1"],
  ['@SUM(A1)', "'@SUM(A1)"],
  ['\t=1', "'\t'=1"],
  ['a;=1+1', "a;'=1+1"],
  ['a; @SUM(A1);-1', "a; '@SUM(A1);'-1"],
  ['a;b', 'a;b'],
  ['\r=1', '"\'\r=1"'],
  ['\n=1', '"\'\n=1"'],
  ['=HYPERLINK("http://x","y")', '"\'=HYPERLINK(""http://x"",""y"")"'],
])('the text %j is not calculated by a spreadsheet', (text, written) => {
  expect(csvLine([text])).toBe(`${written}\r\n`)
})

test('numbers keep their sign, and nothing is empty', () => {
  expect(csvLine(['a', { number: '-1.5' }, null, 'b'])).toBe('a,-1.5,,b\r\n')
})

test('any texts are read back, those of formulas with their apostrophe', () => {
  fc.assert(
    fc.property(
      fc.array(fc.string({ unit: fc.constantFrom(...'=+-@";,\r\n\t a1é') }), { minLength: 1 }),
      (texts) => {
        const expected = texts.map((text) =>
          (/^[=+\-@\t\r\n]/.test(text) ? `'${text}` : text).replace(/(?<=[;\t]\s*)[=+\-@]/g, "'$&"),
        )
        expect(parse(csvLine(texts))).toEqual(expected)
      },
    ),
  )
})
