import { expect, test } from '@jest/globals'
import { FieldProblem } from '../../ui/FieldProblem.ts'
import { type Autopayout, atRows, autopayoutIn, autopayoutRows, destinationsFor } from './autopayout.ts'
import type { Destination } from './types.ts'

const off = { enabled: false, destinationId: null, problem: null }
const settings: Autopayout = {
  networks: [
    {
      chain: 'polygon',
      tokens: [
        { token: 'USDC', enabled: true, destinationId: 'd1', problem: null },
        { token: 'USDT', ...off },
      ],
    },
    { chain: 'tron', tokens: [{ token: 'USDT', ...off }] },
  ],
}
const rows = autopayoutRows(settings)

function form(values: Record<string, string>): FormData {
  const data = new FormData()
  for (const [name, value] of Object.entries(values)) data.set(name, value)
  return data
}

test('each token of each network is a row, and a row that is off keeps its destination', () => {
  expect(rows.map(({ name }) => name)).toEqual([
    'destination-polygon-USDC',
    'destination-polygon-USDT',
    'destination-tron-USDT',
  ])
  const data = form({
    'on-destination-tron-USDT': 'on',
    'destination-tron-USDT': 'd2',
    'destination-polygon-USDC': 'd1',
    'destination-polygon-USDT': '',
  })
  expect(autopayoutIn(rows, data)).toEqual([
    { chain: 'polygon', token: 'USDC', enabled: false, destinationId: 'd1' },
    { chain: 'polygon', token: 'USDT', enabled: false, destinationId: null },
    { chain: 'tron', token: 'USDT', enabled: true, destinationId: 'd2' },
  ])
})

test('a token is offered bank accounts, and wallets on networks that have it', () => {
  const all = [null, 'polygon', 'tron', 'base'].map((chain) => ({ chain }) as Destination)
  expect(destinationsFor(settings, 'USDC', all).map(({ chain }) => chain)).toEqual([null, 'polygon'])
  expect(destinationsFor(settings, 'USDT', all).map(({ chain }) => chain)).toEqual([null, 'polygon', 'tron'])
})

test('a row that is on needs a destination', () => {
  const send = () =>
    autopayoutIn(rows, form({ 'on-destination-tron-USDT': 'on', 'destination-tron-USDT': '' }))
  expect(send).toThrow(
    expect.objectContaining({ fields: { 'destination-tron-USDT': 'Choose a destination.' } }),
  )
})

test("an answer's error is shown at its row; another one stays as it is", () => {
  const error = { fields: [{ field: 'payouts.1.destinationId', message: 'is archived' }] }
  expect(atRows(error, rows)).toEqual(new FieldProblem({ 'destination-polygon-USDT': 'Is archived.' }))
  const other = new Error('unreachable')
  expect(atRows(other, rows)).toBe(other)
})
