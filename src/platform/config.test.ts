import { describe, expect, test } from '@jest/globals'
import { settingsOf } from '../capabilities.ts'
import { keyProviderSettings } from '../custody/settings.ts'
import { mailSettings } from '../mail/settings.ts'
import { pricingSettings } from '../pricing/settings.ts'
import { deliverySettings } from '../webhooks/settings.ts'
import {
  ConfigError,
  type ConfigName,
  configNames,
  readConfig,
  readConfigOf,
  readSettings,
} from './config.ts'
import { Secret } from './secrets.ts'
import type { Settings } from './settings.ts'

const good: Record<string, string> = {
  DATABASE_URL: 'postgres://cowry:pw@db/cowry',
  REDIS_URL: 'redis://redis:6379',
  APP_KEY: Buffer.alloc(32, 1).toString('base64'),
  SEED_KEY: Buffer.alloc(32, 2).toString('base64'),
  VERIFY_KEY: Buffer.alloc(32, 2).toString('base64'),
  API_INTENT_KEY: Buffer.alloc(32, 2).toString('base64'),
  WORKER_INTENT_KEY: Buffer.alloc(32, 2).toString('base64'),
  API_INTENT_PUBLIC_KEYS: Buffer.alloc(32, 2).toString('base64'),
  WORKER_INTENT_PUBLIC_KEYS: Buffer.alloc(32, 2).toString('base64'),
}
const partnerKeys = { YELLOWCARD_API_KEY: 'key', YELLOWCARD_SECRET_KEY: 'secret' }

/** The settings of every capability. */
const registered = (['api', 'worker', 'treasury'] as const).flatMap(settingsOf)
const registeredNames = [...new Set(registered.flatMap(({ variables }) => Object.keys(variables)))]

function mistakes(
  env: Record<string, string>,
  names: readonly ConfigName[] = configNames,
  also: readonly Settings[] = registered,
): string {
  try {
    readConfigOf('api', names, env, also)
  } catch (error) {
    expect(error).toBeInstanceOf(ConfigError)
    return (error as Error).message
  }
  return ''
}
const lines = (message: string) => message.split('\n').slice(1)

describe('a valid configuration', () => {
  test('has the values that were set, and defaults for the others', () => {
    expect(
      readConfig(['DATABASE_URL', 'DATABASE_DIRECT_URL', 'PORT', 'VALIDATE_RESPONSES', 'RELAY_POLL_MS'], {
        ...good,
        RELAY_POLL_MS: '30',
      }),
    ).toEqual({
      DATABASE_URL: good.DATABASE_URL,
      DATABASE_DIRECT_URL: undefined,
      PORT: 3000,
      VALIDATE_RESPONSES: 'count',
      RELAY_POLL_MS: 30,
    })
    expect(readSettings('api', mailSettings.api, { MAIL_FROM: 'pay@example.com' })).toEqual({
      MAIL_FROM: 'pay@example.com',
    })
  })

  test('needs only the requested settings', () => {
    expect(readConfig(['PORT'], {})).toEqual({ PORT: 3000 })
  })

  test('treats an empty variable as not set', () => {
    expect(readConfig(['PORT'], { PORT: '' })).toEqual({ PORT: 3000 })
    expect(mistakes({ DATABASE_URL: '' }, ['DATABASE_URL'], [])).toContain('DATABASE_URL is not set')
  })

  test('holds keys as secrets', () => {
    const { SEED_KEY } = readSettings('treasury', keyProviderSettings, good)
    const config = {
      ...readConfig(['APP_KEY'], good),
      SEED_KEY,
      key: readSettings('api', pricingSettings, partnerKeys).YELLOWCARD_SECRET_KEY,
    }
    for (const value of Object.values(config)) expect(value).toBeInstanceOf(Secret)
    expect(config.APP_KEY.reveal()).toBe(good.APP_KEY)
    expect(JSON.stringify(config)).not.toContain(good.APP_KEY)
  })
})

describe('an invalid configuration', () => {
  test('reports every mistake at once, one per line', () => {
    const message = mistakes({
      ...good,
      LOG_LEVEL: 'loud',
      DATABASE_URL: 'mysql://db/cowry',
      REDIS_URL: '',
      PORT: '65536',
      METRICS_PORT: '-1',
      QUOTE_SECONDS: '0',
      WORKER_CONCURRENCY: '1.5',
      RPC_TIMEOUT_MS: 'soon',
      QUEUE_PREFIX: 'a:b',
      APP_KEY: 'short',
    })
    const wrong = [
      'LOG_LEVEL',
      'DATABASE_URL',
      'REDIS_URL',
      'PORT',
      'METRICS_PORT',
      'QUOTE_SECONDS',
      'WORKER_CONCURRENCY',
      'RPC_TIMEOUT_MS',
      'QUEUE_PREFIX',
      'APP_KEY',
    ]
    expect(
      lines(message)
        .map((line) => line.trim().split(' ')[1])
        .sort(),
    ).toEqual(wrong.sort())
    expect(message).toContain('REDIS_URL is not set')
    expect(message).toContain('must be a URL that starts with postgres:// or postgresql://')
    expect(message).toContain('APP_KEY must be 32 bytes in base64')
  })

  test('without any setting names all required settings and no others', () => {
    expect(lines(mistakes({})).map((line) => line.trim())).toEqual(
      expect.arrayContaining(Object.keys(good).map((name) => expect.stringContaining(`${name} is not set`))),
    )
    expect(lines(mistakes({}))).toHaveLength(Object.keys(good).length)
  })

  test('never shows a wrong value', () => {
    const canary = 'canary7f3a91'
    for (const name of [...configNames, ...registeredNames]) {
      for (const value of [
        canary,
        `postgres//user:${canary}@db`,
        `ftp://user:${canary}@db/x`,
        Buffer.from(`${canary}${canary}`).toString('base64'),
      ]) {
        const message = mistakes({ ...good, [name]: value })
        expect([name, message.includes(canary)]).toEqual([name, false])
        expect([name, message.includes(value)]).toEqual([name, false])
      }
    }
  })

  test.each([
    ['31 bytes', Buffer.alloc(31, 1).toString('base64')],
    ['33 bytes', Buffer.alloc(33, 1).toString('base64')],
    ['32 bytes in hexadecimal', Buffer.alloc(32, 1).toString('hex')],
    ['32 characters', 'x'.repeat(32)],
  ])('has a key of %s', (_what, key) => {
    expect(lines(mistakes({ ...good, SEED_KEY: key }, [], [keyProviderSettings]))).toEqual([
      '  - SEED_KEY must be 32 bytes in base64 (openssl rand -base64 32)',
    ])
  })

  test('names no wrapping key of its provider, or something that is not the ARN of a key', () => {
    const wrong = (env: Record<string, string>) => lines(mistakes(env, [], [keyProviderSettings]))
    const arn = 'arn:aws:kms:eu-central-1:111122223333:key/1234abcd-12ab-34cd-56ef-1234567890ab'
    expect(wrong({})).toEqual(['  - SEED_KEY is not set'])
    expect(wrong({ SEED_KEY_PROVIDER: 'aws-kms' })).toEqual(['  - KMS_KEY_ARN is not set'])
    expect(wrong({ SEED_KEY_PROVIDER: 'aws-kms', KMS_KEY_ARN: arn })).toEqual([])
    for (const other of [arn.replace('key/', 'alias/'), arn.split('/')[1] ?? '', arn.replace('kms', 's3')]) {
      expect(wrong({ SEED_KEY_PROVIDER: 'aws-kms', KMS_KEY_ARN: other })).toEqual([
        '  - KMS_KEY_ARN must be the ARN of a key: arn:aws:kms:<region>:<account>:key/<id>',
      ])
    }
    expect(wrong({ SEED_KEY_PROVIDER: 'vault' })).toHaveLength(1)
  })

  test('has one half of the credentials of a payout partner: it names the other', () => {
    const wrong = (env: Record<string, string>) => lines(mistakes(env, [], [pricingSettings]))
    expect(wrong({})).toEqual([])
    expect(wrong(partnerKeys)).toEqual([])
    for (const name of Object.keys(partnerKeys) as (keyof typeof partnerKeys)[]) {
      const others = Object.keys(partnerKeys).filter((each) => each !== name)
      expect(wrong({ ...partnerKeys, [name]: '' })).toEqual([
        `  - ${name} is not set, but ${others[0]} is: set both, or remove both`,
      ])
    }
  })

  test('would drop deliveries while they are retried or wait for the owner of a paused endpoint', () => {
    const read = (env: Record<string, string>) => readSettings('worker', deliverySettings, env)
    const wrong = (env: Record<string, string>) => mistakes(env, [], [deliverySettings])
    expect(lines(wrong({ WEBHOOK_RETENTION_DAYS: '13' }))).toEqual([
      expect.stringContaining('WEBHOOK_RETENTION_DAYS must be 14 or more'),
    ])
    expect(read({ WEBHOOK_RETENTION_DAYS: '14' }).WEBHOOK_RETENTION_DAYS).toBe(14)
    const daily = { WEBHOOK_RETRY_SECONDS: ['0', ...Array.from({ length: 100 }, () => '86400')].join(',') }
    expect(wrong(daily)).toContain('must be 130 or more')
    expect(wrong({ WEBHOOK_PAUSE_AFTER_SECONDS: '86400000' })).toContain('must be 1011 or more')
    expect(
      read({ WEBHOOK_RETRY_SECONDS: '0', WEBHOOK_PAUSE_AFTER_SECONDS: '1', WEBHOOK_RETENTION_DAYS: '8' }),
    ).toBeDefined()
  })
})

describe('a part with its own credentials', () => {
  const env = { ...good, DATABASE_DIRECT_URL: 'postgres://owner:secret@direct:5432/cowry' }
  const own = {
    WORKER_DATABASE_URL: 'postgres://cowry_worker:pw@pooler:6432/cowry',
    WORKER_REDIS_URL: 'redis://worker:pw@redis:6379',
  }
  const names = ['DATABASE_URL', 'DATABASE_DIRECT_URL', 'REDIS_URL'] as const

  test('uses them, also at the direct address of the database, and needs no others', () => {
    expect(readConfigOf('worker', names, { ...own, DATABASE_DIRECT_URL: env.DATABASE_DIRECT_URL })).toEqual({
      DATABASE_URL: own.WORKER_DATABASE_URL,
      DATABASE_DIRECT_URL: 'postgres://cowry_worker:pw@direct:5432/cowry',
      REDIS_URL: own.WORKER_REDIS_URL,
    })
  })

  test('leaves the other parts unchanged', () => {
    expect(readConfigOf('api', names, { ...env, ...own })).toEqual(readConfig(names, env))
  })
})
