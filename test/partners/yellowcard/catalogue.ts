/** Units of a currency for a dollar. */
export const rates = [
  { buy: 1620, sell: 1600, locale: 'NG', rateId: 'nigerian-naira', code: 'NGN' },
  { buy: 130.5, sell: 128.1, locale: 'KE', rateId: 'kenyan-shilling', code: 'KES' },
  { buy: 618.25, sell: 604.75, locale: 'CI', rateId: 'west-african-franc', code: 'XOF' },
  { buy: 1, sell: 1, locale: 'US', rateId: 'us-dollar', code: 'USD' },
]

const channel = (id: string, country: string, currency: string, channelType: string, more: object = {}) => ({
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
  ...more,
})
/** One that collects (docs/channels-api, docs/api-transaction-limits). 0 means that there is no maximum. */
const deposit = (
  id: string,
  country: string,
  currency: string,
  channelType: string,
  min: number,
  max: number,
  more: object = {},
) => channel(id, country, currency, channelType, { rampType: 'deposit', min, max, ...more })

const nairaDeposit = 'af944f0c-ba70-47c7-86dc-1bad5a6ab4e4'
const mpesaDeposit = '0a0b1f5c-2222-4e3a-8a43-2c2a4a3f1f11'
const waveDeposit = 'b621bf4f-0c60-4884-88a1-75f7a56b1938'
/**
 * This stand-in's: the only ones that need `redirectUrl` are South African
 * (reference/accept-collection-request), whose currency has no rate here.
 */
export const redirecting = 'a3b1f5c2-3333-4e3a-8a43-2c2a4a3f1f10'

export const channels = [
  channel('fe8f4989-3bf6-41ca-9621-ffe2bc127569', 'NG', 'NGN', 'bank'),
  channel('a3b1f5c2-52c6-4e3a-8a43-2c2a4a3f1f10', 'KE', 'KES', 'bank'),
  channel('0a0b1f5c-1111-4e3a-8a43-2c2a4a3f1f11', 'KE', 'KES', 'momo'),
  deposit(nairaDeposit, 'NG', 'NGN', 'bank', 2500, 30_000_000),
  deposit(redirecting, 'KE', 'KES', 'bank', 500, 999_999),
  deposit(mpesaDeposit, 'KE', 'KES', 'momo', 500, 250_000),
  deposit(waveDeposit, 'CI', 'XOF', 'momo', 500, 0),
  deposit('37b63794-284f-4a09-863d-9b74a3f621e1', 'BJ', 'XOF', 'momo', 1800, 300_000, {
    status: 'inactive',
    apiStatus: 'inactive',
  }),
]

const network = (
  id: string,
  name: string,
  code: string,
  country: string,
  channelIds: string[],
  more: object = {},
) => ({
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
  network('5f1af11b-305f-4420-8fce-65ed2725a409', 'Guaranty Trust Bank', '058', 'NG', [
    'fe8f4989-3bf6-41ca-9621-ffe2bc127569',
    nairaDeposit,
  ]),
  network('31cfcc77-8904-4f86-879c-a0d18b4b9365', 'Access Bank', '044', 'NG', [
    'fe8f4989-3bf6-41ca-9621-ffe2bc127569',
  ]),
  network('7ea6df5c-6bba-46b2-a7e6-f511959e7edb', 'Equity Bank', '068', 'KE', [
    'a3b1f5c2-52c6-4e3a-8a43-2c2a4a3f1f10',
  ]),
  network(
    'e4b1f5c2-0000-4e3a-8a43-2c2a4a3f1f12',
    'M-PESA',
    'MPESA',
    'KE',
    ['0a0b1f5c-1111-4e3a-8a43-2c2a4a3f1f11', mpesaDeposit],
    {
      accountNumberType: 'phone',
    },
  ),
  network('20823163-f55c-4fa5-8cdb-d59c5289a137', 'Wave', 'WAVE', 'CI', [waveDeposit], {
    accountNumberType: 'phone',
  }),
  network(
    'c0ffee00-0000-4e3a-8a43-2c2a4a3f1f13',
    'Closed Bank',
    '999',
    'NG',
    ['fe8f4989-3bf6-41ca-9621-ffe2bc127569'],
    { status: 'inactive' },
  ),
]
