import type { Redis } from 'ioredis'
import type { Stack } from '../support/stack.ts'

/**
 * Content of a place that secrets may leak to, as text with one character per byte, so that bytes can be
 * searched too. Byte columns are hex.
 */
export type Sink = () => Promise<string>
export type SinkName = 'log' | 'row' | 'job' | 'error' | 'metric' | 'span'

/**
 * All outputs of Cowry's processes.
 * @param stack `traced`, so that its spans are searched too
 * @param errors bodies of error answers, collected by the caller
 */
export const sinksOf = (
  stack: Pick<Stack, 'logs' | 'db' | 'processes' | 'collector'>,
  redis: Redis,
  errors: readonly string[],
): Record<SinkName, Sink> => ({
  /** Standard output and standard error of all processes. */
  log: async () => latin1(stack.logs()),
  row: async () => {
    const tables = await stack.db.query<{ name: string }>(
      "select table_name as name from information_schema.tables where table_schema = 'public'",
    )
    const rows: string[] = []
    for (const { name } of tables) {
      for (const { row } of await stack.db.query<{ row: string }>(`select t::text as row from "${name}" t`))
        rows.push(row)
    }
    return latin1(rows.join('\n'))
  },
  job: async () => {
    const parts: string[] = []
    for (const key of await redis.keys('*')) parts.push(key, ...bytesIn(await valueAt(redis, key)))
    return parts.join('\n')
  },
  error: async () => latin1(errors.join('\n')),
  /** With exemplars. */
  metric: async () => {
    const headers = { accept: 'application/openmetrics-text' }
    const texts = await Promise.all(
      [...stack.processes.values()].map(async (each) => (await fetch(each.metricsUrl(), { headers })).text()),
    )
    return latin1(texts.join('\n'))
  },
  span: async () => {
    if (!stack.collector) throw new Error('a suite that searches for secrets needs a stack that is traced')
    return stack.collector.text()
  },
})

const latin1 = (text: string) => Buffer.from(text).toString('latin1')

async function valueAt(redis: Redis, key: string): Promise<unknown> {
  const type = await redis.type(key)
  if (type === 'hash') return redis.hgetallBuffer(key)
  if (type === 'string') return redis.getBuffer(key)
  if (type === 'stream') return redis.xrangeBuffer(key, '-', '+')
  if (type === 'list') return redis.lrangeBuffer(key, 0, -1)
  if (type === 'zset') return redis.zrangeBuffer(key, '0', '-1')
  return type === 'set' ? redis.smembersBuffer(key) : null
}

function bytesIn(value: unknown): string[] {
  if (Buffer.isBuffer(value)) return [value.toString('latin1')]
  if (value !== null && typeof value === 'object')
    return [...Object.keys(value), ...Object.values(value).flatMap(bytesIn)]
  return [String(value)]
}

/** Names of canaries of which a text contains any form. */
export const foundIn = (text: string, canaries: Record<string, readonly string[]>): string[] =>
  Object.entries(canaries)
    .filter(([, forms]) => forms.some((form) => text.includes(form)))
    .map(([name]) => name)
