/** Units of a currency for a dollar. */
export const rates = [
  { buy: 1620, sell: 1600, locale: 'NG', rateId: 'nigerian-naira', code: 'NGN' },
  { buy: 130.5, sell: 128.1, locale: 'KE', rateId: 'kenyan-shilling', code: 'KES' },
  { buy: 618.25, sell: 604.75, locale: 'CI', rateId: 'west-african-franc', code: 'XOF' },
  { buy: 1, sell: 1, locale: 'US', rateId: 'us-dollar', code: 'USD' },
]

const channel = (id: string, country: string, currency: string, channelType: string) => ({
  id,
  country,
  currency,
  countryCurrency: country + currency,
  channelType,
  rampType: 'withdraw',
  status: 'active',
  apiStatus: 'active',
  widgetStatus: 'active',
  settlementType: 'instant',
  estimatedSettlementTime: 60,
  feeLocal: 0,
  feeUSD: 0,
  min: 100,
  max: 10_000_000,
  vendorId: 'vendor',
  createdAt: '2024-01-01T00:00:00.000Z',
  updatedAt: '2024-01-01T00:00:00.000Z',
})
export const channels = [
  channel('fe8f4989-3bf6-41ca-9621-ffe2bc127569', 'NG', 'NGN', 'bank'),
  channel('a3b1f5c2-52c6-4e3a-8a43-2c2a4a3f1f10', 'KE', 'KES', 'bank'),
  channel('0a0b1f5c-1111-4e3a-8a43-2c2a4a3f1f11', 'KE', 'KES', 'momo'),
]

const network = (id: string, name: string, code: string, country: string, channelIds: string[], more: object = {}) => ({
  id,
  name,
  code,
  country,
  channelIds,
  status: 'active',
  accountNumberType: 'bank',
  countryAccountNumberType: `${country}BANK`,
  createdAt: '2024-01-01T00:00:00.000Z',
  updatedAt: '2024-01-01T00:00:00.000Z',
  ...more,
})
export const networks = [
  network('5f1af11b-305f-4420-8fce-65ed2725a409', 'Guaranty Trust Bank', '058', 'NG', ['fe8f4989-3bf6-41ca-9621-ffe2bc127569']),
  network('31cfcc77-8904-4f86-879c-a0d18b4b9365', 'Access Bank', '044', 'NG', ['fe8f4989-3bf6-41ca-9621-ffe2bc127569']),
  network('7ea6df5c-6bba-46b2-a7e6-f511959e7edb', 'Equity Bank', '068', 'KE', ['a3b1f5c2-52c6-4e3a-8a43-2c2a4a3f1f10']),
  network('e4b1f5c2-0000-4e3a-8a43-2c2a4a3f1f12', 'M-PESA', 'MPESA', 'KE', ['0a0b1f5c-1111-4e3a-8a43-2c2a4a3f1f11'], { accountNumberType: 'phone' }),
  network('c0ffee00-0000-4e3a-8a43-2c2a4a3f1f13', 'Closed Bank', '999', 'NG', ['fe8f4989-3bf6-41ca-9621-ffe2bc127569'], { status: 'inactive' }),
]
