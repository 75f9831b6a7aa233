import { expect, test } from '@jest/globals'
import { headersIn } from './firstMessage.ts'

test('the first message stands for the headers of a credential', () => {
  expect(headersIn('{"apiKey":"k"}')).toEqual({ 'x-api-key': 'k' })
  expect(headersIn('{"accessToken":"t","businessId":"b"}')).toEqual({
    authorization: 'Bearer t',
    'x-business-id': 'b',
  })
})

test.each([
  '',
  'k',
  '[]',
  'null',
  '7',
  '{"apiKey":',
  '{"apiKey":1}',
  '{"apiKey":""}',
  '{"apiKey":"k","x":"secret"}',
  '{"__proto__":"k"}',
])('any other message is a 400 that does not repeat it: %s', (text) => {
  expect(() => headersIn(text)).toThrow(
    expect.objectContaining({ status: 400, message: expect.not.stringContaining('secret') }),
  )
})

test.each(['{}', '{"businessId":"b"}'])('a message without a credential is a 401: %s', (text) => {
  expect(() => headersIn(text)).toThrow(expect.objectContaining({ status: 401 }))
})
