import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test } from '@jest/globals'
import { readFees } from './readFees.ts'

test('an answer without the fee of standard transfers is malformed', async () => {
  const fees = { entries: [{ finalityThreshold: 1000, minimumFee: 1.3 }] }
  const server = createServer(
    (_request, response) =>
      void response.setHeader('content-type', 'application/json').end(JSON.stringify(fees.entries)),
  )
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const service = { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, perSecond: 10 }
  await expect(readFees(service, 6, 7, false)).rejects.toMatchObject({ problem: 'malformed' })
  fees.entries.push({ finalityThreshold: 2000, minimumFee: 0 })
  await expect(readFees(service, 6, 7, false)).resolves.toHaveLength(2)
  await new Promise((resolve) => server.close(resolve))
})
