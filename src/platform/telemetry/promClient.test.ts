import { expect, test } from '@jest/globals'
import * as promClient from 'prom-client'
import { collectDefaultMetrics, misnamedDefaults, Registry } from './promClient.ts'

test('the default metrics are those of prom-client', async () => {
  const [ours, theirs] = [new Registry(), new promClient.Registry()]
  collectDefaultMetrics(ours, 'cowry_')
  promClient.collectDefaultMetrics({ register: theirs, prefix: 'cowry_' })
  const described = async (registry: promClient.Registry) =>
    (await registry.getMetricsAsJSON()).map(({ name, help, type }) => ({ name, help, type: String(type) }))
  const renamed = (name: string) =>
    misnamedDefaults.some((each) => name === `cowry_${each}_total`)
      ? name.replace('active', 'all_active').slice(0, -6)
      : name
  const byName = (a: { name: string }, b: { name: string }) => (a.name < b.name ? -1 : 1)
  const expected = (await described(theirs)).map((each) => ({ ...each, name: renamed(each.name) }))
  expect((await described(ours)).sort(byName)).toEqual(expected.sort(byName))
})

test('the CPU time grows between scrapes', async () => {
  const registry = new Registry()
  collectDefaultMetrics(registry, '')
  const read = async () => Number(/^process_cpu_seconds_total (\S+)$/m.exec(await registry.metrics())?.[1])
  const before = await read()
  for (const until = Date.now() + 60; Date.now() < until; );
  expect(await read()).toBeGreaterThan(before)
})
