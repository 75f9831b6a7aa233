import { expect, test } from '@jest/globals'
import { readCode } from './code.ts'

test.each(['123456', '123 456', ' 123456 '])('%j is the code of an authenticator', (typed) =>
  expect(readCode(typed)).toEqual({ totp: '123456' }),
)

test.each(['12345', '1234567', 'k7hd-22qp-x9vm', '12345a'])('%j is a recovery code', (typed) =>
  expect(readCode(typed)).toEqual({ recoveryCode: typed }),
)
