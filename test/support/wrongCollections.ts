import { someCollection } from './sampleRequests.ts'

/** A request for a collection in which one field is wrong. */
export interface WrongCollection {
  field: string
  /** In which way. */
  how: string
  body: Record<string, unknown>
}

type Ways = Record<string, unknown>
const long = (n: number) => 'x'.repeat(n)

/** Wrong for every field that is a text. */
const noText: Ways = {
  'a number': 17,
  'yes or no': true,
  null: null,
  'a list': ['x'],
  'an object': { x: 'x' },
  'nothing in it': '',
}
const noObject: Ways = { 'a number': 17, 'a text': 'x', null: null, 'a list': [] }
const noName: Ways = {
  ...noText,
  'too long': long(201),
  spaces: '   ',
  'a line break': 'Ada\nObi',
  'a zero byte': 'Ada\0',
}
const noPrintable: Ways = {
  ...noText,
  'too long': long(61),
  'a space at its end': '0123 ',
  'not ASCII': '０１２３',
  'a line break': '01\n23',
}
const noCountry: Ways = {
  ...noText,
  'small letters': 'ng',
  'three letters': 'NGA',
  'no country': 'ZZ',
  'a name': 'Nigeria',
}

/** By hand: each field of the contract, with each way in which it is wrong. */
const ways: Record<string, Ways> = {
  amount: {
    ...noText,
    'a sign': '-1',
    'a plus sign': '+1',
    zero: '0',
    'an exponent': '1e5',
    groups: '162,000',
    'a fraction of a unit': '162000.5',
    'a leading zero': '0162000',
    'a space': ' 162000',
    hexadecimal: '0x10',
    'no number': 'NaN',
    'too many digits': '1'.repeat(19),
    'below the channel': '2499',
    'above the channel': '30000001',
    'above what the partner can read': '2147483648',
  },
  currency: { ...noText, 'small letters': 'ngn', 'two letters': 'NG', 'not of the country': 'KES' },
  country: { ...noCountry, 'without a channel': 'GH' },
  walletAddress: {
    ...noText,
    'too long': long(121),
    'too short': '0x12',
    'of another family': 'TFtbBrsWw5DGHoKQE8VY2WzTY3VnanQ2hz',
    'a wrong checksum': '0xDe0B295669a9FD93d5F28D9Ec85E40f4cb697BAe',
  },
  cryptoCurrency: { ...noText, 'a coin': 'ETH', 'small letters': 'usdc', 'no token': 'DAI' },
  cryptoNetwork: {
    ...noText,
    'no chain': 'bitcoin',
    'a chain that is not configured': 'optimism',
    "the partner's word": 'ERC20',
  },
  memo: { ...noText, 'where there are none': '17', 'too long': long(29), 'a space': 'a b' },
  recipient: noObject,
  'recipient.name': noName,
  'recipient.country': noCountry,
  'recipient.phone': {
    ...noText,
    national: '08012345678',
    letters: '+234abc',
    'too long': '+2348012345678901',
    spaces: '+234 801 234 5678',
    'a leading zero': '+02348012345',
  },
  'recipient.address': noName,
  'recipient.dob': {
    ...noText,
    "the partner's form": '02/01/1997',
    'no day': '1997-02-30',
    'no month': '1997-13-01',
    'to come': '2997-02-01',
    'with a time': '1997-02-01T00:00:00Z',
  },
  'recipient.email': {
    ...noText,
    'too long': `${long(200)}@x.co`,
    'no @': 'ada',
    'no dot': 'ada@example',
    'a space': 'a da@example.com',
  },
  'recipient.idNumber': noPrintable,
  'recipient.idType': noPrintable,
  'recipient.additionalIdType': noPrintable,
  'recipient.additionalIdNumber': noPrintable,
  source: noObject,
  'source.accountType': { ...noText, 'not of the partner': 'card' },
  'source.networkId': {
    ...noText,
    'too long': long(101),
    'a space': 'a b',
    unknown: '5f1af11b-305f-4420-8fce-65ed2725a400',
  },
  'source.accountNumber': {
    ...noText,
    'too long': '1'.repeat(35),
    'too short': '123',
    'a dash': '0123-4567',
  },
  redirectUrl: {
    ...noText,
    'not https': 'http://shop.example',
    'no URL': 'shop',
    'a script': 'javascript:alert(1)',
    'a space': 'https://shop.example/a b',
    'too long': `https://${long(2000)}`,
  },
  reference: { ...noText, 'too long': long(201), 'a zero byte': 'a\0b' },
  metadata: {
    ...noObject,
    'more than 4 kB': { text: long(5000) },
    'more than 50 keys': Object.fromEntries(Array.from({ length: 51 }, (_, i) => [`k${i}`, 1])),
  },
}
const needed = [
  'amount',
  'currency',
  'country',
  'walletAddress',
  'cryptoCurrency',
  'cryptoNetwork',
  'source',
  'source.accountType',
].concat(
  [
    'name',
    'country',
    'phone',
    'address',
    'dob',
    'email',
    'idNumber',
    'idType',
    'additionalIdType',
    'additionalIdNumber',
  ].map((name) => `recipient.${name}`),
)

/** Where a number and a network are needed to identify whose money it is. */
const momo = {
  accountType: 'momo',
  networkId: '5f1af11b-305f-4420-8fce-65ed2725a400',
  accountNumber: '0700000001',
}

function changed(field: string, value: unknown): Record<string, unknown> {
  const { recipient, source, ...body } = someCollection()
  const [outer = '', inner] = field.split('.')
  if (inner === undefined) return { ...body, recipient, source, [outer]: value }
  return {
    ...body,
    recipient,
    source,
    [outer]: { ...(outer === 'recipient' ? recipient : source), [inner]: value },
  }
}

export function wrongCollections(): WrongCollection[] {
  // Null is an optional field that is left out.
  const isWrong = (field: string, value: unknown) => value !== null || needed.includes(field)
  const wrong = Object.entries(ways).flatMap(([field, each]) =>
    Object.entries(each)
      .filter(([, value]) => isWrong(field, value))
      .map(([how, value]) => ({ field, how, body: changed(field, value) })),
  )
  const missing = needed.map((field) => ({ field, how: 'left out', body: changed(field, undefined) }))
  const unknown = [
    'extra',
    'recipient.extra',
    'source.extra',
    'status',
    'businessId',
    'partnerPaymentId',
  ].map((field) => ({
    field,
    how: 'no field of a request',
    body: changed(field, 'x'),
  }))
  const { networkId: _, ...withoutNetwork } = momo
  const { accountNumber: __, ...withoutNumber } = momo
  return [
    ...wrong,
    ...missing,
    ...unknown,
    { field: 'source.networkId', how: 'left out for momo', body: changed('source', withoutNetwork) },
    { field: 'source.accountNumber', how: 'left out for momo', body: changed('source', withoutNumber) },
    { field: 'source.accountType', how: 'not in this country', body: changed('source', momo) },
  ]
}

/** Queries of a list in which one field is wrong. */
export const wrongQueries: readonly [field: string, query: string][] = [
  ['status', 'status=paid'],
  ['status', 'status='],
  ['currency', 'currency=naira'],
  ['reference', 'reference='],
  ['reference', `reference=${long(201)}`],
  ['since', 'since=yesterday'],
  ['until', 'until=2026-13-01T00:00:00Z'],
  ['until', 'since=2026-01-02T00:00:00Z&until=2026-01-01T00:00:00Z'],
  ['page', 'page=0'],
  ['page', 'page=-1'],
  ['page', 'page=1.5'],
  ['page', 'page=501'],
  ['limit', 'limit=0'],
  ['limit', 'limit=101'],
  ['sort', 'sort=asc'],
  ['cursor', 'cursor=nonsense'],
  ['colour', 'colour=red'],
]
