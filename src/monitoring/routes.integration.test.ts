import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { createIndexed, type Indexed, sender } from '../../test/support/indexed.ts'
import { monitoringContext } from '../../test/support/wideCaps.ts'
import type { ApiRequest } from '../http/request.ts'
import { monitorAddresses } from './monitorAddresses.ts'
import { type MonitoringRoutesContext, monitoringRoutes } from './routes.ts'

let indexed: Indexed
beforeAll(async () => {
  indexed = await createIndexed()
})
afterAll(() => indexed?.database.drop())

test('an address of a chain that was removed from the configuration can be removed, but not added', async () => {
  const { db } = indexed.database
  const routes = monitoringRoutes({ db, chains: [], importBlocks: 10 } as unknown as MonitoringRoutesContext)
  const body = { chain: 'ethereum', address: sender }
  const call = (operation: 'monitorAddress' | 'removeMonitoredAddress') =>
    routes[operation]?.({
      body,
      caller: { businessId: indexed.businessId },
      remember: async () => {},
    } as unknown as ApiRequest<never, never, never>)
  await monitorAddresses(monitoringContext(db), indexed.businessId, {
    chain: { name: 'ethereum', family: 'evm' },
    addresses: [body],
  })
  expect(await call('removeMonitoredAddress')).toEqual({ status: 200, body: { success: true } })
  expect(await call('removeMonitoredAddress')).toEqual({ status: 200, body: { success: false } })
  await expect(call('monitorAddress')).rejects.toMatchObject({ status: 400, fields: [{ field: 'chain' }] })
})
