import { expect, test } from '@jest/globals'
import { parseExact } from '../exactJson.ts'
import { paymentForm } from './payment.ts'

// Examples of docs.yellowcard.engineering, without the sender: reference/lookup-payment,
// accept-payment-request, deny-payment-request-1, list-payments.
const lookedUp = `{
  "destination": { "accountName": "Héloïse D'arban", "accountNumber": "0760349371", "accountType": "bank", "networkId": "5f1af11b-305f-4420-8fce-65ed2725a409" },
  "channelId": "fe8f4989-3bf6-41ca-9621-ffe2bc127569", "sequenceId": "7707c304-4583-4077-9531-de3f7616659c", "amount": 50, "currency": "NGN",
  "country": "NG", "reason": "other", "partnerId": "9ecf5248-17e7-4a2b-b5a8-3bd58ff0fe01", "id": "9ae480ef-71cc-4ba3-9eb8-6970a8d707aa",
  "status": "complete", "sessionId": "0192102837711029102930", "convertedAmount": 20026, "rate": 400.52, "expiresAt": "2023-02-02T09:40:48.628Z",
  "createdAt": "2023-02-02T09:30:48.629Z", "updatedAt": "2023-02-02T09:30:48.629Z" }`
const accepted = `{
  "partnerId": "9ecf5248-17e7-4a2b-b5a8-3bd58ff0fe01", "currency": "NGN", "rate": 679.91, "status": "process", "createdAt": "2023-03-21T17:01:46.746Z",
  "sequenceId": "64ajhfba-aHbv-4b96-v28d-5h8a19c2aa8c", "country": "NG", "reason": "other", "convertedAmount": 60000,
  "channelId": "fe8f4989-3bf6-41ca-9621-ffe2bc127569", "expiresAt": "2023-03-21T17:11:46.729Z", "updatedAt": "2023-03-21T17:02:28.733Z",
  "amount": 88.25, "id": "0d72f565-f617-534c-871d-c055ee28c544" }`
const withoutRate = `{
  "currency": "NGN", "status": "failed", "sequenceId": "6hajhfba-aHbv-4b96-v28d-5h8a19c2aa8c", "convertedAmount": 60000,
  "expiresAt": "2023-03-21T17:12:50.370Z", "updatedAt": "2023-03-21T17:03:04.373Z", "amount": 88.25, "id": "a2d094ec-5b45-56b1-83dd-5f83f91bebca",
  "partnerFeeAmountLocal": 0, "partnerFeeAmountUSD": 0, "tier0Active": false }`
const listed = `{
  "partnerId": "9ecf5248-17e7-4a2b-b5a8-3bd58ff0fe01", "currency": "NGN", "rate": 488.25, "status": "expired", "createdAt": "2023-02-15T13:01:08.386Z",
  "country": "NG", "convertedAmount": 9765, "channelId": "fe8f4989-3bf6-41ca-9621-ffe2bc127569", "expiresAt": "2023-02-15T13:11:08.386Z",
  "updatedAt": "2023-02-15T13:11:11.662Z", "amount": 20, "id": "f39aa0a6-5006-5559-9424-dc72876f0561" }`

test('the documented answers are read, with amounts as they are written', () => {
  expect(paymentForm.parse(parseExact(lookedUp))).toEqual({
    id: '9ae480ef-71cc-4ba3-9eb8-6970a8d707aa',
    sequenceId: '7707c304-4583-4077-9531-de3f7616659c',
    status: 'complete',
    currency: 'NGN',
    localAmount: '20026',
    amountUsd: '50',
    rate: '400.52',
    feeLocal: null,
    feeUsd: null,
    errorCode: null,
    sessionId: '0192102837711029102930',
    updatedAt: new Date('2023-02-02T09:30:48.629Z'),
    expiresAt: new Date('2023-02-02T09:40:48.628Z'),
  })
  expect(paymentForm.parse(parseExact(accepted))).toMatchObject({
    status: 'process',
    amountUsd: '88.25',
    localAmount: '60000',
    rate: '679.91',
  })
  expect(paymentForm.parse(parseExact(withoutRate))).toMatchObject({
    status: 'failed',
    rate: null,
    amountUsd: '88.25',
  })
  expect(paymentForm.parse(parseExact(listed))).toMatchObject({
    status: 'expired',
    sequenceId: null,
    localAmount: '9765',
  })
})

test('a status that is new is kept as it is', () => {
  expect(
    paymentForm.parse(parseExact(lookedUp.replace('"complete"', '"Pending_Something-New"'))).status,
  ).toBe('Pending_Something-New')
})

test.each([
  ['an id that could leave its path', lookedUp.replace('9ae480ef-71cc-4ba3-9eb8-6970a8d707aa', '..'), 'id'],
  ['no id', lookedUp.replace('"id": "9ae480ef-71cc-4ba3-9eb8-6970a8d707aa",', ''), 'id'],
  ['no status', lookedUp.replace('"status": "complete",', ''), 'status'],
  ['a status that is no text', lookedUp.replace('"complete"', '7'), 'status'],
  ['no time', lookedUp.replace(/, "updatedAt": "[^"]+"/, ''), 'updatedAt'],
  [
    'a text that is not a time',
    lookedUp.replace('"updatedAt": "2023-02-02T09:30:48.629Z"', '"updatedAt": "yesterday"'),
    'updatedAt',
  ],
  ['an amount below zero', lookedUp.replace('20026', '-20026'), 'convertedAmount'],
  ['an amount that is no number', lookedUp.replace('20026', '"much"'), 'convertedAmount'],
  ['a text that is not a currency', lookedUp.replace('"NGN"', '"naira"'), 'currency'],
])('is refused by the name of the field: %s', (_what, text, field) => {
  expect(paymentForm.safeParse(parseExact(text)).error?.issues.map(({ path }) => path.join('.'))).toEqual([
    field,
  ])
})
