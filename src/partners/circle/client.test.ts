import { expect, test } from '@jest/globals'
import { circleFrom } from './client.ts'

const values = { CIRCLE_REQUESTS_PER_SECOND: 10 }

test('a live deployment connects to Circle by https alone', () => {
  expect(() => circleFrom({ ...values, CIRCLE_URL: 'http://circle.example' }, 'live')).toThrow(
    'CIRCLE_URL must be https',
  )
  expect(() => circleFrom({ ...values, CIRCLE_URL: 'https://circle.example' }, 'live')).not.toThrow()
  expect(() => circleFrom({ ...values, CIRCLE_URL: 'http://localhost:1' }, 'test')).not.toThrow()
})
