import { expect, test } from '@jest/globals'
import { FieldProblem } from '../../ui/FieldProblem.ts'
import { type Autosweep, atRows, sweepRows, sweepsIn } from './autosweep.ts'

const off = { enabled: false, threshold: '0' }
const settings: Autosweep = {
  networks: [
    {
      chain: 'ethereum',
      collection: 'sweep',
      tokens: [
        { token: 'USDC', enabled: true, threshold: '25.5' },
        { token: 'USDT', ...off },
      ],
    },
    { chain: 'stellar', collection: 'direct', tokens: [{ token: 'USDC', ...off }] },
    { chain: 'tron', collection: 'sweep', tokens: [{ token: 'USDT', ...off }] },
  ],
}
const rows = sweepRows(settings)
const form = (fields: Record<string, string>) => {
  const data = new FormData()
  for (const [name, value] of Object.entries(fields)) data.set(name, value)
  return data
}

test('only tokens that are swept have a row', () => {
  expect(rows.map(({ chain, token }) => `${chain} ${token}`)).toEqual([
    'ethereum USDC',
    'ethereum USDT',
    'tron USDT',
  ])
})

test('a sent form sets every row; an empty threshold is 0', () => {
  const sent = form({
    'on-threshold-ethereum-USDC': 'on',
    'threshold-ethereum-USDC': ' 7.25 ',
    'threshold-ethereum-USDT': '',
    'threshold-tron-USDT': '3',
  })
  expect(sweepsIn(rows, sent)).toEqual([
    { chain: 'ethereum', token: 'USDC', enabled: true, threshold: '7.25' },
    { chain: 'ethereum', token: 'USDT', enabled: false, threshold: '0' },
    { chain: 'tron', token: 'USDT', enabled: false, threshold: '3' },
  ])
})

test.each(['1,5', '-1', '1e3', '.5', '05', 'ten'])(
  'a threshold of %s is refused at its field, before it is sent',
  (text) => {
    expect(() => sweepsIn(rows, form({ 'threshold-tron-USDT': text }))).toThrow(
      expect.objectContaining({ fields: { 'threshold-tron-USDT': 'Enter an amount, such as 25 or 12.50.' } }),
    )
  },
)

test("an answer's errors are shown at their rows; others stay as they are", () => {
  const fields = [{ field: 'sweeps.1.threshold', message: 'may have 6 decimals at most' }]
  const refused = Object.assign(new Error('refused'), { fields })
  expect(atRows(refused, rows)).toEqual(
    new FieldProblem({ 'threshold-ethereum-USDT': 'May have 6 decimals at most.' }),
  )
  const other = new Error('no network')
  expect(atRows(other, rows)).toBe(other)
})
