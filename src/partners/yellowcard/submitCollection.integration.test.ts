import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, expect, test } from '@jest/globals'
import { partnerProblem } from '../../../test/support/paymentRequests.ts'
import type { CollectionRequest } from '../../partnerPayments/collectionPartner.ts'
import { Secret } from '../../platform/secrets.ts'
import { submitCollection } from './submitCollection.ts'

// The examples of docs.yellowcard.engineering/docs/direct-settlement: the request with what it leaves out
// (`localAmount` in the place of `amount`; `email`,
// `customerUID` and `customerType`, that reference/submit-collection-request requires), and the answer.
const documentedRequest = `{
  "recipient": { "name": "John Doe", "country": "Nigeria", "phone": "+2349092916898", "address": "Home Address, Sea of tranquility, Moon",
    "dob": "02/01/1997", "idNumber": "314159", "idType": "license", "email": "john.doe@yellowcard.io" },
  "source": { "accountType": "bank", "accountNumber": "1111111111" },
  "channelId": "af944f0c-ba70-47c7-86dc-1bad5a6ab4e4", "sequenceId": "53f7c7fa-f2bb-450c-8f6d-9ff0000f7", "localAmount": 80865,
  "currency": "NGN", "country": "NG", "reason": "other", "forceAccept": true, "directSettlement": true,
  "settlementInfo": { "walletAddress": "TFtbBrsWw5DGHoKQE8VY2WzTY3VnanQ2hz", "cryptoCurrency": "USDT", "cryptoNetwork": "TRC20" },
  "customerUID": "customer-7", "customerType": "retail" }`
const documentedAnswer = `{
  "currency": "NGN", "settlementInfo": { "cryptoNetwork": "TRC20", "cryptoLocalRate": 1617.3, "cryptoUSDRate": 1,
    "walletAddress": "TFtbBrsWw5DGHoKQE8VY2WzTY3VnanQ2hz", "cryptoAmount": 48.36654808, "cryptoCurrency": "USDT" },
  "status": "processing", "networkFeeAmountUSD": 1.13, "serviceFeeAmountUSD": 0.5, "country": "NG", "reference": "JJ5275168",
  "expiresAt": "2024-11-26T21:05:13.393Z", "directSettlement": true, "id": "0a89dce0-d8d2-59a6-ab9d-1d9d8b4593e2", "rate": 1617.3,
  "bankInfo": { "name": "PAGA", "accountNumber": "4550440202", "accountName": "Ken Adams" }, "createdAt": "2024-11-26T20:55:13.393Z",
  "sequenceId": "53f7c7fa-f2bb-450c-8f6d-9ff0000f7", "convertedAmount": 80865, "updatedAt": "2024-11-26T20:55:17.487Z", "amount": 50 }`

const request: CollectionRequest = {
  sequenceId: '53f7c7fa-f2bb-450c-8f6d-9ff0000f7',
  localAmount: 80_865n,
  channelId: 'af944f0c-ba70-47c7-86dc-1bad5a6ab4e4',
  country: 'NG',
  currency: 'NGN',
  recipient: {
    kind: 'person',
    name: 'John Doe',
    country: 'Nigeria',
    phone: '+2349092916898',
    address: 'Home Address, Sea of tranquility, Moon',
    dob: '02/01/1997',
    email: 'john.doe@yellowcard.io',
    idNumber: '314159',
    idType: 'license',
  },
  source: { accountType: 'bank', accountNumber: '1111111111' },
  settlement: { address: 'TFtbBrsWw5DGHoKQE8VY2WzTY3VnanQ2hz', currency: 'USDT', network: 'TRC20' },
  customerId: 'customer-7',
}

let server: Server
let sent: { line: string; body: string }[]
let answer: string
beforeEach(async () => {
  sent = []
  answer = documentedAnswer
  server = createServer((asked, response) => {
    let body = ''
    asked.setEncoding('utf8').on('data', (piece: string) => (body += piece))
    asked.on('end', () => {
      sent.push({ line: `${asked.method} ${asked.url}`, body })
      response.writeHead(200, { 'content-type': 'application/json' }).end(answer)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
})
afterEach(() => new Promise((resolve) => server.close(resolve)))

const account = (names?: 'send' | 'payments') => ({
  url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
  apiKey: 'key',
  secretKey: new Secret('secret'),
  ...(names && { names }),
})

test('what is sent is the documented request, and the documented answer is read', async () => {
  expect(await submitCollection(account(), request)).toMatchObject({
    id: '0a89dce0-d8d2-59a6-ab9d-1d9d8b4593e2',
    status: 'processing',
    localAmount: '80865',
    cryptoAmount: '48.36654808',
    bank: { name: 'PAGA', accountNumber: '4550440202', accountName: 'Ken Adams' },
  })
  expect(sent).toEqual([{ line: 'POST /business/receive', body: expect.any(String) }])
  expect(JSON.parse(sent[0]?.body ?? '')).toEqual(JSON.parse(documentedRequest))
})

test('the older names are requested at /business/collections; a tag and a URL to return to are sent, and a business as an institution', async () => {
  answer = documentedAnswer.replace('"cryptoAmount"', '"walletTag": "123456", "cryptoAmount"')
  const recipient = {
    kind: 'business',
    businessId: 'RC-1',
    businessName: 'Shop',
    email: 'shop@example.com',
  } as const
  const settlement = { ...request.settlement, tag: '123456' }
  await submitCollection(account('payments'), {
    ...request,
    recipient,
    settlement,
    redirectUrl: 'https://shop.example/paid',
  })
  expect(sent[0]?.line).toBe('POST /business/collections')
  expect(JSON.parse(sent[0]?.body ?? '')).toEqual({
    ...JSON.parse(documentedRequest),
    customerType: 'institution',
    recipient: { businessId: 'RC-1', businessName: 'Shop', email: 'shop@example.com' },
    redirectUrl: 'https://shop.example/paid',
    settlementInfo: {
      walletAddress: request.settlement.address,
      cryptoCurrency: 'USDT',
      cryptoNetwork: 'TRC20',
      walletTag: '123456',
    },
  })
})

test.each([
  ['another address', 'TFtbBrsWw5DGHoKQE8VY2WzTY3VnanQ2hz', 'TFvde3D6NQrjXrjqUsdwLTCvVhdPDYEBRV'],
  ['an address in another case', 'TFtbBrsWw5DGHoKQE8VY2WzTY3VnanQ2hz', 'TFtbBrsWw5DGHoKQE8VY2WzTY3VnanQ2hZ'],
  ['another token', 'USDT', 'USDC'],
  ['another network', 'TRC20', 'SOL'],
  ['a tag that was not requested', '"cryptoAmount"', '"walletTag": "9", "cryptoAmount"'],
  ['no settlement', '"settlementInfo"', '"settlement"'],
  ['another amount', '80865', '80866'],
  ['another of our ids', '9ff0000f7', '9ff0000f8'],
  ['another currency', '"currency": "NGN"', '"currency": "KES"'],
])('an answer with %s leaves the outcome unknown, and is not repeated', async (_what, from, to) => {
  answer = documentedAnswer.replace(from, to)
  expect(await partnerProblem(submitCollection(account(), request))).toEqual(['outcome_unknown', null])
  expect(sent).toHaveLength(1)
})

test('an address of an EVM chain may be answered in another case', async () => {
  const settlement = {
    address: '0xde0B295669a9FD93d5F28D9Ec85E40f4cb697BAe',
    currency: 'USDC',
    network: 'BASE',
  } as const
  answer = documentedAnswer
    .replace('TFtbBrsWw5DGHoKQE8VY2WzTY3VnanQ2hz', settlement.address.toLowerCase())
    .replace('USDT', 'USDC')
    .replace('TRC20', 'BASE')
  expect((await submitCollection(account(), { ...request, settlement })).status).toBe('processing')
})

test('an amount that does not fit is refused before it is sent', async () => {
  for (const localAmount of [0n, -1n, 2n ** 31n])
    expect(await partnerProblem(submitCollection(account(), { ...request, localAmount }))).toEqual([
      'refused',
      'AmountOutOfRange',
    ])
  expect(sent).toEqual([])
})
