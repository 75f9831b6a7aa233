import { expect, test } from '@jest/globals'
import { parseExact } from '../exactJson.ts'
import { collectionForm } from './collection.ts'

// Examples of docs.yellowcard.engineering, without the recipient's KYC data: docs/direct-settlement,
// reference/lookup-collection (its source, that is no JSON there, left out), cancel-collection,
// deny-collection-request, list-collections, submit-collection-request.
const direct = `{
  "currency": "NGN",
  "settlementInfo": { "cryptoNetwork": "TRC20", "cryptoLocalRate": 1617.3, "cryptoUSDRate": 1, "walletAddress": "TFtbBrsWw5DGHoKQE8VY2WzTY3VnanQ2hz",
    "cryptoAmount": 48.36654808, "cryptoCurrency": "USDT" },
  "status": "processing", "networkFeeAmountUSD": 1.13, "serviceFeeAmountUSD": 0.5, "partnerFeeAmountLocal": 0, "country": "NG", "reference": "JJ5275168",
  "expiresAt": "2024-11-26T21:05:13.393Z", "requestSource": "api", "directSettlement": true, "refundRetry": 0, "id": "0a89dce0-d8d2-59a6-ab9d-1d9d8b4593e2",
  "partnerId": "9ecf5248-17e7-4a2b-b5a8-3bd58ff0fe01", "rate": 1617.3,
  "bankInfo": { "name": "PAGA", "accountNumber": "4550440202", "accountName": "Ken Adams" }, "createdAt": "2024-11-26T20:55:13.393Z", "forceAccept": true,
  "source": { "accountNumber": "1111111111", "accountType": "bank" }, "sequenceId": "53f7c7fa-f2bb-450c-8f6d-9ff0000f7", "reason": "other",
  "networkFeeAmountLocal": 1833.13, "convertedAmount": 80865, "channelId": "af944f0c-ba70-47c7-86dc-1bad5a6ab4e4", "serviceFeeAmountLocal": 808.65,
  "updatedAt": "2024-11-26T20:55:17.487Z", "partnerFeeAmountUSD": 0, "amount": 50, "depositId": "a29e596a-0ae5-4386-b2a3-eacf9fc70575" }`
const lookedUp = `{
  "partnerId": "9ecf5248-17e7-4a2b-b5a8-3bd58ff0fe01", "currency": "NGN", "rate": 487.89,
  "bankInfo": { "name": "PAGA", "accountNumber": "1234567890", "accountName": "Ken Adams" }, "status": "complete", "createdAt": "2023-02-06T13:31:20.108Z",
  "sequenceId": "11f4c7f2-f7bb-450c-4s6d-1bd70766d26d", "country": "NG", "reference": "JJ8094861", "convertedAmount": 9757.8,
  "channelId": "fe8f4989-3bf6-41ca-9621-ffe2bc127569", "expiresAt": "2023-02-06T13:41:20.108Z", "updatedAt": "2023-02-06T13:31:48.802Z", "amount": 20,
  "id": "805b2317-0da9-42b9-89fb-e14e3fe12dd8", "depositId": "47069e2d-b225-4155-9028-2607fe3346bb" }`
const cancelled = `{
  "partnerId": "9ecf5248-17e7-4a2b-b5a8-3bd58ff0fe01", "currency": "NGN", "rate": 486.3,
  "bankInfo": { "name": "PAGA", "accountNumber": "01234567890", "accountName": "Ken Adams" }, "status": "cancelled", "createdAt": "2023-02-24T23:36:28.692Z",
  "source": { "accountNumber": "5678987667", "accountType": "bank" }, "sequenceId": "53f7c7f9-f2bb-450c-8f6d-1vd707s66d30c", "country": "NG",
  "reference": "JJ0487919", "convertedAmount": 4863, "channelId": "af944f0c-ba70-47c7-86dc-1bad5a6ab4e4", "expiresAt": "2023-02-24T23:46:28.691Z",
  "updatedAt": "2023-02-24T23:39:46.013Z", "amount": 10, "refundRetry": 0, "id": "58cadfdc-8264-59eb-90c6-cd9e969305aa",
  "depositId": "19b2dad8-2fd1-4b5a-b621-bb37cd9e755b" }`
const denied = `{
  "partnerId": "9ecf5248-17e7-4a2b-b5a8-3bd58ff0fe01", "currency": "NGN", "rate": 767.21, "status": "denied", "createdAt": "2023-03-21T17:03:18.336Z",
  "source": { "accountNumber": "1111111111", "networkId": "3d4d08c1-4811-4fee-9349-a302328e55c1", "accountType": "bank" },
  "sequenceId": "3hfgk3c5-hhvb-76gc-462d-1bd707h6d46d", "country": "NG", "convertedAmount": 60000, "channelId": "fe8f4989-3bf6-41ca-9621-ffe2bc127569",
  "expiresAt": "2023-03-21T17:13:18.330Z", "updatedAt": "2023-03-21T17:03:33.499Z", "amount": 78.21, "refundRetry": 0,
  "id": "d55bd8b2-c530-5afa-8c44-2b61a159fed0" }`
const listed = `{
  "partnerId": "9ecf5248-17e7-4a2b-b5a8-3bd58ff0fe01", "currency": "NGN", "rate": 488.25, "status": "expired", "createdAt": "2023-02-15T13:01:08.386Z",
  "source": { "accountNumber": "1111111111", "networkId": "6df48502-1ebe-473f-be17-e2cae4dd67ee", "accountType": "bank" }, "country": "NG",
  "convertedAmount": 9765, "channelId": "fe8f4989-3bf6-41ca-9621-ffe2bc127569", "expiresAt": "2023-02-15T13:11:08.386Z",
  "updatedAt": "2023-02-15T13:11:11.662Z", "amount": 20, "id": "f39aa0a6-5006-5559-9424-dc72876f0561" }`
const created = `{
  "source": { "accountNumber": "0000000000", "accountType": "momo", "networkId": "995eb625-e23b-4d0b-bd90-18ce44cc17a3" },
  "channelId": "79da4d6e-1c42-4aac-ae7d-422730528f96", "sequenceId": "93f7c7f9-f2bb-450c-8f6d-1bd70766d36d", "amount": 1000, "currency": "XAF",
  "country": "CM", "partnerId": "9ecf5248-17e7-4a2b-b5a8-3bd58ff0fe01", "apiKey": "533fc4c3eaeb2a8f297a740ea178d830",
  "id": "7a1f2622-29b0-4e23-bb7e-bfc9883b78fa", "status": "created", "convertedAmount": 569480, "rate": 569.48, "serviceFeeAmountLocal": 6000,
  "serviceFeeAmountUSD": 5, "partnerFeeAmountLocal": 3000, "partnerFeeAmountUSD": 2, "fiatWallet": "USD", "requestSource": "api", "directSettlement": false,
  "expiresAt": "2023-02-02T13:50:06.298Z", "createdAt": "2023-02-02T13:50:06.298Z", "updatedAt": "2023-02-02T13:50:06.298Z" }`

const read = (text: string) => collectionForm.parse(parseExact(text))

test('the documented answer to a direct settlement is read, with amounts as they are written', () => {
  expect(read(direct)).toEqual({
    id: '0a89dce0-d8d2-59a6-ab9d-1d9d8b4593e2',
    sequenceId: '53f7c7fa-f2bb-450c-8f6d-9ff0000f7',
    status: 'processing',
    createdAt: new Date('2024-11-26T20:55:13.393Z'),
    updatedAt: new Date('2024-11-26T20:55:17.487Z'),
    expiresAt: new Date('2024-11-26T21:05:13.393Z'),
    currency: 'NGN',
    country: 'NG',
    localAmount: '80865',
    convertedAmount: '80865',
    amountUsd: '50',
    rate: '1617.3',
    cryptoAmount: '48.36654808',
    serviceFeeUsd: '0.5',
    networkFeeUsd: '1.13',
    reference: 'JJ5275168',
    bank: { name: 'PAGA', accountNumber: '4550440202', accountName: 'Ken Adams' },
    settlement: {
      address: 'TFtbBrsWw5DGHoKQE8VY2WzTY3VnanQ2hz',
      tag: null,
      currency: 'USDT',
      network: 'TRC20',
      txHash: null,
      status: null,
    },
    errorCode: null,
  })
})

test('the other documented answers are read', () => {
  expect(read(lookedUp)).toMatchObject({
    status: 'complete',
    localAmount: '9757.8',
    amountUsd: '20',
    bank: { accountNumber: '1234567890' },
  })
  expect(read(lookedUp)).toMatchObject({
    settlement: null,
    cryptoAmount: null,
    serviceFeeUsd: null,
    networkFeeUsd: null,
  })
  expect(read(cancelled)).toMatchObject({ status: 'cancelled', reference: 'JJ0487919', rate: '486.3' })
  expect(read(denied)).toMatchObject({ status: 'denied', amountUsd: '78.21', bank: null, reference: null })
  expect(read(listed)).toMatchObject({ status: 'expired', sequenceId: null, localAmount: '9765', bank: null })
  expect(read(created)).toMatchObject({
    status: 'created',
    currency: 'XAF',
    country: 'CM',
    serviceFeeUsd: '5',
    settlement: null,
  })
})

test('what only public models of the answers have is read: the transaction, the state of the transfer and a tag', () => {
  const more = direct
    .replace(
      '"cryptoCurrency": "USDT"',
      '"cryptoCurrency": "USDT", "walletTag": "123456", "txHash": "82956befb13d"',
    )
    .replace('"requestSource"', '"settlementStatus": "complete", "errorCode": "", "requestSource"')
  expect(read(more)).toMatchObject({
    settlement: { tag: '123456', txHash: '82956befb13d', status: 'complete' },
    errorCode: null,
  })
})

test('a status that is new is kept as it is', () => {
  expect(read(direct.replace('"processing"', '"Pending_Something-New"')).status).toBe('Pending_Something-New')
})

test.each([
  ['an id that could leave its path', direct.replace('0a89dce0-d8d2-59a6-ab9d-1d9d8b4593e2', '../x'), 'id'],
  ['no id', direct.replace('"id": "0a89dce0-d8d2-59a6-ab9d-1d9d8b4593e2",', ''), 'id'],
  ['no status', direct.replace('"status": "processing",', ''), 'status'],
  ['a status that is no text', direct.replace('"processing"', '7'), 'status'],
  ['no time', direct.replace(/"updatedAt": "[^"]+",/, ''), 'updatedAt'],
  ['a text that is not a time', direct.replace('"2024-11-26T20:55:13.393Z"', '"soon"'), 'createdAt'],
  ['an amount below zero', direct.replace('80865', '-80865'), 'convertedAmount'],
  [
    'a crypto amount that is no number',
    direct.replace('48.36654808', '"much"'),
    'settlementInfo.cryptoAmount',
  ],
  [
    'a settlement without an address',
    direct.replace('"walletAddress": "TFtbBrsWw5DGHoKQE8VY2WzTY3VnanQ2hz",', ''),
    'settlementInfo.walletAddress',
  ],
  ['a text that is not a currency', direct.replace('"currency": "NGN"', '"currency": "naira"'), 'currency'],
])('is refused by the name of the field: %s', (_what, text, field) => {
  expect(collectionForm.safeParse(parseExact(text)).error?.issues.map(({ path }) => path.join('.'))).toEqual([
    field,
  ])
})
