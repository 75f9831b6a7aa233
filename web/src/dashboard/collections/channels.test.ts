import { expect, test } from '@jest/globals'
import { channelsOf, countriesOf, currenciesIn, limitsOf, networksOf } from './channels.ts'
import type { CollectionChannel } from './types.ts'

const channel = (
  country: string,
  currency: string,
  accountType: 'bank' | 'momo',
  max: string | null,
  network: string,
): CollectionChannel => ({
  country,
  currency,
  accountType,
  min: '500',
  max,
  networks: [{ id: network, name: `The ${network}` }],
})
const channels = [
  channel('NG', 'NGN', 'bank', '9000', 'gtb'),
  channel('KE', 'KES', 'momo', '250', 'mpesa'),
  channel('KE', 'KES', 'momo', null, 'mpesa'),
  channel('KE', 'USD', 'bank', null, 'equity'),
]

test('countries, currencies and networks are offered once each', () => {
  expect(countriesOf(channels)).toEqual(['KE', 'NG'])
  expect(currenciesIn(channels, 'KE')).toEqual(['KES', 'USD'])
  expect(currenciesIn(channels, undefined)).toEqual([])
  expect(networksOf(channelsOf(channels, 'KE', 'KES'))).toEqual([{ value: 'mpesa', label: 'The mpesa' }])
})

test('the limits name those of every channel', () => {
  expect(limitsOf(channelsOf(channels, 'KE', 'KES'))).toBe('from 500 to 250 KES, or from 500 KES')
  expect(limitsOf([])).toBe('')
})
