import { type AddressInfo, createServer } from 'node:net'
import { afterEach, describe, expect, test } from '@jest/globals'
import { createLog } from '../../src/platform/telemetry/log.ts'
import { startServer, type TestServer } from '../../test/support/httpServer.ts'
import { checkClock } from './checkClock.ts'
import { checkDirect } from './checkDirect.ts'
import { checkSettings } from './checkSettings.ts'
import { type DoctorPart, doctorParts } from './finding.ts'

test('an address of Postgres that does not answer is named after the wait for one connection', async () => {
  // It takes connections, and sends nothing.
  const server = createServer((socket) => void socket.resume())
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()))
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  const url = `postgresql://cowry:x@${host}/cowry`
  const found = await checkDirect({ DATABASE_URL: url, DATABASE_DIRECT_URL: url }, 'api', 200)
  expect(found).toMatchObject([
    { code: 'database_direct', text: `DATABASE_DIRECT_URL: ${host} does not answer (ETIMEDOUT)` },
  ])
  await new Promise((resolve) => server.close(resolve))
})

describe('a variable of OpenTelemetry that is wrong', () => {
  const env = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318', OTEL_TRACES_SAMPLER: 'sometimes' }
  const named = (part: DoctorPart) =>
    checkSettings({ env, parts: [part], fileNames: [], log: createLog('test', 'silent') }).filter(
      ({ text }) => text.startsWith('OTEL_TRACES_SAMPLER must be one of'),
    )

  test.each(doctorParts.filter((part) => part !== 'migrate'))('is named for the %s', (part) => {
    expect(named(part)).toMatchObject([{ of: part, state: 'fault', code: 'setting_wrong' }])
  })

  test('has no finding for migrations, which are not traced', () => expect(named('migrate')).toEqual([]))
})

describe('the clock of this machine', () => {
  const servers: TestServer[] = []
  afterEach(async () => {
    for (const server of servers.splice(0)) await server.close()
  })

  /** @param skews clocks of hosts and Postgres, in seconds from this machine's time */
  async function found({ hosts, postgres }: { hosts: number[]; postgres: number | null }) {
    for (const skew of hosts)
      servers.push(
        await startServer(
          (response) =>
            void response.setHeader('Date', new Date(Date.now() + skew * 1000).toUTCString()).end(),
        ),
      )
    const skews = postgres === null ? [] : [{ of: 'Postgres', behindMs: postgres * 1000 }]
    const findings = await checkClock(
      servers.map(({ url }) => url),
      skews,
    )
    return findings.map(({ state, code }) => `${state} ${code}`)
  }

  const [wrong, host, database] = ['fault clock_wrong', 'advice clock_of_host', 'fault clock_database']

  test.each([
    [{ hosts: [60], postgres: 0 }, [host]],
    [{ hosts: [60, 60], postgres: 0 }, [host, host]],
    [{ hosts: [60, 60, 60], postgres: 0 }, [wrong]],
    [{ hosts: [60, 0, 0], postgres: 0 }, [host]],
    [{ hosts: [60], postgres: 60 }, [database, wrong]],
    [{ hosts: [60], postgres: null }, [wrong]],
    [{ hosts: [0, 0, 60], postgres: 60 }, [database, host]],
  ])('%j: %j', async (given, expected) => {
    expect(await found(given)).toEqual(expected)
  })
})
