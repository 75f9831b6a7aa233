import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { entropyToMnemonic } from '@scure/bip39'
import { wordlist } from '@scure/bip39/wordlists/english.js'
import { Redis } from 'ioredis'
import { envKeyProvider } from '../../src/custody/keyProvider.ts'
import { openSeed, readEntropy } from '../../src/custody/seed.ts'
import { Secret } from '../../src/platform/secrets.ts'
import { createLog } from '../../src/platform/telemetry/log.ts'
import { createStack, type Stack, webhookSecret } from '../support/stack.ts'
import { appKey, seedKey } from '../support/template.ts'
import { foundIn, type Sink, type SinkName, sinksOf } from './sinks.ts'

let stack: Stack
let redis: Redis
/** Everything that an attacker wants, by name. */
let canaries: Record<string, string[]>

beforeAll(async () => {
  stack = await createStack({ confirmations: 1, traced: true, env: { LOG_LEVEL: 'trace' } })
  redis = new Redis(stack.redis.url)
  sinks = sinksOf(stack, redis, errors)
  const keyProvider = envKeyProvider(new Secret(seedKey))
  const seed = (await openSeed({ db: stack.db, keyProvider })).reveal()
  const entropy = (await readEntropy({ db: stack.db, keyProvider }))?.reveal()
  if (!entropy) throw new Error('no seed')
  const forms = (bytes: Uint8Array) => [
    Buffer.from(bytes).toString('hex'),
    Buffer.from(bytes).toString('base64'),
    Buffer.from(bytes).toString('base64url'),
  ]
  canaries = {
    'the API key': [stack.apiKey],
    'the webhook secret': [webhookSecret, webhookSecret.replace('whsec_', '')],
    'the application key': [appKey, ...forms(Buffer.from(appKey, 'base64'))],
    'the seed key': [seedKey, ...forms(Buffer.from(seedKey, 'base64'))],
    'the seed': forms(seed),
    'the entropy': forms(entropy),
    'the phrase': [
      entropyToMnemonic(entropy, wordlist),
      entropyToMnemonic(entropy, wordlist).split(' ').slice(0, 4).join(' '),
    ],
    "the partner's secret": ['yc-test-secret'],
  }
})
afterAll(async () => {
  redis?.disconnect()
  await stack?.close()
})

const errors: string[] = []

let sinks: Record<SinkName, Sink>
const found = (text: string) => foundIn(text, canaries)

test('after payments, refusals and failures no secret is in any log, row, job, error or metric', async () => {
  const session = await stack.createSession({ amount: '5', label: 'leak test' })
  await stack.send(session.address, 5_000_000n)
  await stack.mine(2)
  await stack.sessionIs(session.id, 'paid')
  await stack.idle()
  const ask = async (...args: Parameters<Stack['api']>) =>
    void errors.push(JSON.stringify((await stack.api(...args)).body))
  await ask('POST', '/pos/sessions', { chain: 'ethereum', token: 'USDC', amount: 'x' })
  await ask('POST', '/pos/sessions', `{"apiKey": "${stack.apiKey}"`)
  await ask('POST', '/pos/sessions', { chain: 'ethereum', token: 'USDC', amount: '1', [stack.apiKey]: 1 })
  await ask('GET', `/pos/sessions/${stack.apiKey}`)
  await ask('GET', `/webhooks?address=${encodeURIComponent(webhookSecret)}&${stack.apiKey}=1`)
  await ask('GET', '/pos/sessions', undefined, {
    'x-api-key': `${stack.apiKey}x`,
    authorization: `Bearer ${stack.apiKey}`,
  })
  stack.partner.mode = 'down'
  await ask('POST', '/pos/sessions', {
    chain: 'ethereum',
    token: 'USDC',
    localAmount: '100',
    localCurrency: 'KES',
  })

  for (const [sink, read] of Object.entries(sinks)) {
    const text = await read()
    expect(text.length).toBeGreaterThan(100)
    expect([sink, found(text)]).toEqual([sink, []])
  }
  // The search includes exemplars.
  expect(await sinks.metric()).toMatch(/ # \{trace_id="[0-9a-f]{32}"\}/)
})

describe('a planted canary is found: the test above can fail', () => {
  test('in an unredacted log', async () => {
    // Our logger redacts this field; a plain one would not.
    expect(found(JSON.stringify({ headers: { authorization: appKey } }))).toEqual(['the application key'])
    const lines: string[] = []
    createLog('test', 'info', { write: (line) => void lines.push(line) }).info({ note: seedKey }, 'planted')
    expect(found(lines.join(''))).toEqual(['the seed key'])
  })

  test('in a row, in clear and as bytes', async () => {
    const plant = (column: string, value: unknown) =>
      stack.db.query(
        `insert into idempotency_keys (business_id, key, fingerprint, lease, lease_until, response_body) values (gen_random_uuid(), 'plant', $1, gen_random_uuid(), now(), $2)`,
        column === 'bytes' ? [value, null] : [Buffer.from('x'), JSON.stringify(value)],
      )
    await plant('bytes', Buffer.from(seedKey, 'base64'))
    expect(found(await sinks.row())).toEqual(['the seed key'])
    await stack.db.query("delete from idempotency_keys where key = 'plant'")
    await plant('json', { mnemonic: canaries['the phrase']?.[0] })
    expect(found(await sinks.row())).toEqual(['the phrase'])
    await stack.db.query("delete from idempotency_keys where key = 'plant'")
  })

  test('in a job', async () => {
    await redis.hset('cowry:planted', 'data', JSON.stringify({ key: stack.apiKey }))
    expect(found(await sinks.job())).toEqual(['the API key'])
    await redis.del('cowry:planted')
  })

  test('in an error', async () => {
    errors.push(JSON.stringify({ message: `cannot sign with ${webhookSecret}` }))
    expect(found(await sinks.error())).toEqual(['the webhook secret'])
    errors.pop()
  })
})

test("every process but the treasury runs without the seed's key", async () => {
  for (const [name, { pid }] of stack.processes) {
    const environment = readFileSync(`/proc/${pid}/environ`, 'utf8')
    expect([name, environment.includes(seedKey)]).toEqual([name, name === 'treasury'])
  }
})
