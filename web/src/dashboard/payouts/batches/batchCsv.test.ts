import { expect, test } from '@jest/globals'
import { mistakesOf, readBatchCsv, template } from './batchCsv.ts'

const heads = 'amount,chain,token,destination_id,reference'
const read = (...lines: string[]) => readBatchCsv([heads, ...lines].join('\n'))

test.each([
  ['commas', 'amount,chain,token,destination_id,reference\n1.5,base,USDC,d-1,a', 'a'],
  [
    'semicolons, a mark and lines of Windows',
    '\ufeffAmount;Chain;Token;Destination id;Reference\r\n1.5;Base;usdc;d-1;a\r\n',
    'a',
  ],
  ['tabs', 'amount\tchain\ttoken\tdestination_id\treference\n1.5\tbase\tUSDC\td-1\ta', 'a'],
  [
    'quotes',
    'amount,chain,token,destination_id,reference\n"1.5","base","USDC","d-1","a ""b"", c"',
    'a "b", c',
  ],
])('a file with %s is read', (_name, text, reference) => {
  expect(readBatchCsv(text)).toEqual({
    entries: [
      {
        line: 2,
        payout: {
          amount: '1.5',
          source: { chain: 'base', token: 'USDC' },
          destination: { id: 'd-1' },
          reference,
        },
      },
    ],
    mistakes: [],
  })
})

test.each([
  ['"1,5"', /May mean 15 or 1\.5: write it with a point/],
  ['"1.000,50"', /separators of thousands/],
  ['1 000', /separators of thousands/],
  ['1E+05', /shortened by a spreadsheet/],
  ['-5', /no amount/],
  ['$5', /no amount/],
  ['=1+1', /no amount/],
  ['', /Fill this in/],
])('the amount %s is refused with its cure, and never guessed', (amount, message) => {
  const { entries, mistakes } = read(`${amount},base,USDC,d-1,a`, '2,base,USDC,d-2,b')
  expect(entries.map(({ line }) => line)).toEqual([3])
  expect(mistakes).toEqual([{ line: 2, column: 'amount', message: expect.stringMatching(message) }])
})

test('a decimal comma that divided a cell is found', () => {
  expect(read('1,5,base,USDC,d-1,a').mistakes[0]).toEqual({
    line: 2,
    column: null,
    message: expect.stringMatching(/more cells than there are columns.*write a point/),
  })
})

test('lines keep the numbers of the file, with empty lines and lines inside quotes', () => {
  const { entries } = read('1,base,USDC,d-1,"a\nb"', '', '2,base,USDC,d-2,c')
  expect(entries.map(({ line }) => line)).toEqual([2, 5])
})

test.each([
  ['', /empty/],
  ['amount,chain\n1,base', /lacks token/],
  [`${heads},colour\n1,base,USDC,d,a,red`, /no column colour/],
  [`${heads},amount\n1,base,USDC,d,a,2`, /amount is there twice/],
  [heads, /no line below/],
  [`${heads}\n1,base,USDC,d,"a`, /Line 2 has a quote that is never closed/],
  [`${heads}\n${'1,base,USDC,d,a\n'.repeat(1001)}`, /1001 payouts\. At most 1000/],
])('the file %# is refused as a whole', (text, message) => {
  expect(readBatchCsv(text)).toEqual({
    entries: [],
    mistakes: [{ line: null, column: null, message: expect.stringMatching(message) }],
  })
})

test('mistakes of the answer are shown by the lines of the file', () => {
  const { entries } = read('1,base,USDC,d-1,a', '', '2,base,USDC,d-2,a')
  expect(
    mistakesOf(
      [
        { field: 'payouts.1.reference', message: 'payouts.0 has it already' },
        { field: 'payouts.1.destination.id', message: 'is archived' },
        { field: 'payouts', message: 'take too much' },
      ],
      entries,
    ),
  ).toEqual([
    { line: 4, column: 'reference', message: 'line 2 has it already' },
    { line: 4, column: 'destination_id', message: 'is archived' },
    { line: null, column: null, message: 'take too much' },
  ])
})

test('the template has every column', () => {
  expect(readBatchCsv(template).mistakes).toEqual([])
  expect(readBatchCsv(template).entries).toHaveLength(2)
})
