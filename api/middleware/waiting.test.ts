import { expect, test } from '@jest/globals'
import type { Caller } from '../../src/accounts/caller.ts'
import type { Db } from '../../src/platform/database/db.ts'
import { confirmShared } from './waiting.ts'

test('waiting requests share a check of their caller, but not one of another operation, whose right may be another', async () => {
  const db = { tx: async (work: (tx: unknown) => unknown) => work({ isTransaction: true }) } as unknown as Db
  let checks = 0
  const actor = { kind: 'api_key', id: 'key', address: null, confirm: async () => void checks++ }
  const caller = { actor, account: null, businessId: 'business' } as unknown as Caller
  await Promise.all(
    ['listEvents', 'listEvents', 'streamSessionQuote'].map((operation) =>
      confirmShared({ db }, caller, operation),
    ),
  )
  expect(checks).toBe(2)
})
