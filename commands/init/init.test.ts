import {
  lstatSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals'
import { configuredChains } from '../../src/chains/configuration.ts'
import { publicKeyOf } from '../../src/custody/proof.ts'
import { Secret } from '../../src/platform/secrets.ts'
import { compose, interpolate, own as services } from '../../test/support/composeFile.ts'
import { readPart } from '../doctor/checkSettings.ts'
import { type DoctorPart, doctorParts } from '../doctor/finding.ts'
import { type Answers, answersOf, type Flags } from './answers.ts'
import { envText, readEnv } from './envText.ts'
import { madeSettings } from './madeSettings.ts'
import { writeEnv } from './writeEnv.ts'

const example = readFileSync(join(import.meta.dirname, '../../.env.example'), 'utf8')
const flags: Flags = {
  environment: 'live',
  'base-url': 'https://pay.example.com',
  nodes: ['ethereum=https://one.example,https://two.example'],
}
const ownFlags: Flags = {
  ...flags,
  own: true,
  'database-url': 'postgresql://cowry:x@db.example/cowry',
  'redis-url': 'redis://redis.example',
}
const made = async (given: Flags): Promise<string> =>
  envText(example, madeSettings(await answersOf(given, null)))

/** Lines that must be filled in; of the nodes, those of one chain. */
const required = [...example.matchAll(/^([A-Z][A-Z0-9_]*)=/gm)]
  .map(([, name = '']) => name)
  .filter((name) => !name.endsWith('_RPC_URLS'))
const ofCompose = /_PASSWORD$|^BACKUP_KEY$/
const ofServers = /^(DATABASE|REDIS)_URL$/

/** The part that a command of docker-compose.yml runs. */
const partOf = ([command, part]: readonly string[] = []): DoctorPart =>
  command === 'run' ? (part as DoctorPart) : 'migrate'

describe('the file that init makes', () => {
  test.each(doctorParts)('has all that the %s reads, with servers of the operator', async (part) => {
    const env = readEnv(await made(ownFlags))
    expect(() => readPart(env, part)).not.toThrow()
    expect(configuredChains(env)).toMatchObject({ chains: [{ name: 'ethereum' }], mistakes: [] })
  })

  test.each(services)('has all that $name of docker-compose.yml reads', async ({ service }) => {
    const env = readEnv(await made(flags))
    const inContainer = Object.fromEntries(
      Object.entries(service.environment ?? {}).map(([name, value]) => [
        name,
        interpolate(String(value), env),
      ]),
    )
    expect(() => readPart(inContainer, partOf(service.command))).not.toThrow()
  })

  test('lets every service of docker-compose.yml start, Redis and Grafana included', async () => {
    const env = readEnv(await made(flags))
    for (const { environment, command } of Object.values(compose.services))
      for (const value of [...Object.values(environment ?? {}), ...(command ?? [])])
        expect(() => interpolate(String(value), env)).not.toThrow()
  })

  test.each([
    ['docker-compose.yml', flags, ofServers],
    ['servers of the operator', ownFlags, ofCompose],
  ])('fills in every line that .env.example requires, for %s', async (_of, given, elsewhere) => {
    const env = readEnv(await made(given))
    const wanted = required.filter((name) => !elsewhere.test(name))
    expect(wanted.length).toBeGreaterThan(5)
    expect(wanted.filter((name) => !env[name])).toEqual([])
  })

  test('has fresh secrets each time, no two alike, and the pairs of intent keys', async () => {
    const [one, other] = [readEnv(await made(flags)), readEnv(await made(flags))]
    const secrets = Object.keys(one).filter((name) => /_KEY$|_PASSWORD$/.test(name))
    expect(secrets.length).toBeGreaterThan(12)
    const all = secrets.flatMap((name) => [one[name], other[name]])
    expect(new Set(all).size).toBe(all.length)
    for (const name of ['API', 'WORKER'])
      expect(one[`${name}_INTENT_PUBLIC_KEYS`]).toBe(publicKeyOf(new Secret(one[`${name}_INTENT_KEY`] ?? '')))
  })

  test('keeps the explanation and the default of every other setting', async () => {
    const text = await made(flags)
    const shown = (of: string) => [...of.matchAll(/^(?:# )*([A-Z][A-Z0-9_]*)=/gm)].map(([, name]) => name)
    expect(shown(text)).toEqual(shown(example))
    expect(text).toContain('# ETHEREUM_CONFIRMATIONS=12')
  })

  test('has no SEED_KEY where AWS KMS wraps', async () => {
    const arn = 'arn:aws:kms:eu-central-1:111122223333:key/1234abcd'
    const env = readEnv(await made({ ...ownFlags, set: ['SEED_KEY_PROVIDER=aws-kms', `KMS_KEY_ARN=${arn}`] }))
    expect([env.SEED_KEY, env.KMS_KEY_ARN]).toEqual([undefined, arn])
    readPart(env, 'treasury')
  })

  test.each(['Pay <pay@example.com>', 'a#b $HOME', 'Test SDF Network ; September 2015'])(
    'keeps %j as it is',
    async (value) => {
      const env = readEnv(await made({ ...flags, set: [`MAIL_FROM=${value}`] }))
      expect(env.MAIL_FROM).toBe(value)
    },
  )

  test('refuses a setting that does not exist, and a value that no file can hold', async () => {
    await expect(made({ ...flags, set: ['ETHERUM_RPC_URLS=https://one.example'] })).rejects.toThrow(
      'ETHERUM_RPC_URLS: no such setting',
    )
    await expect(made({ ...flags, set: ["MAIL_FROM=O'Brien"] })).rejects.toThrow('MAIL_FROM holds a quote')
  })
})

describe('the answers', () => {
  test('that are missing are named all at once, without a terminal', async () => {
    await expect(answersOf({ own: true, environment: 'prod', set: ['x'] }, null)).rejects.toThrow(
      /^--environment must be live or test\n--set x: .*\ngive --database-url, --redis-url, --nodes .*, --base-url, or/,
    )
  })

  test('are prompted for only where no flag gives them', async () => {
    const asked: string[] = []
    const said: Record<string, string> = {
      'Public URL': 'https://pay.example.com',
      'Which chains': 'base, solana',
      'URLs of nodes of': 'https://n.example',
    }
    const ask = async (question: string, byDefault = '') => {
      asked.push(question)
      return Object.entries(said).find(([start]) => question.startsWith(start))?.[1] ?? byDefault
    }
    const expected: Answers = {
      own: null,
      environment: 'live',
      baseUrl: 'https://pay.example.com',
      nodes: new Map([
        ['base', 'https://n.example'],
        ['solana', 'https://n.example'],
      ]),
      more: new Map(),
    }
    expect(await answersOf({}, ask)).toEqual(expected)
    expect(asked.map((question) => question.slice(0, 12))).toEqual([
      'Postgres and',
      'Mainnets (li',
      'Which chains',
      'URLs of node',
      'URLs of node',
      'Public URL o',
    ])
    asked.length = 0
    await answersOf({ ...ownFlags }, ask)
    expect(asked).toEqual([])
  })
})

describe('the file', () => {
  let folder: string
  let path: string
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'cowry-init-'))
    path = join(folder, '.env')
  })
  afterEach(() => rmSync(folder, { recursive: true, force: true }))

  test('is readable by its owner alone, under every umask', () => {
    const umask = process.umask(0)
    try {
      expect(writeEnv(path, 'A=1\n', { replace: false })).toBeNull()
    } finally {
      process.umask(umask)
    }
    expect(statSync(path).mode & 0o777).toBe(0o600)
  })

  test('that exists is not touched, and kept under another name where it is replaced', () => {
    writeFileSync(path, 'SEED_KEY=old\n', { mode: 0o640 })
    expect(() => writeEnv(path, 'SEED_KEY=new\n', { replace: false })).toThrow('was not changed')
    expect(readFileSync(path, 'utf8')).toBe('SEED_KEY=old\n')
    const before = writeEnv(path, 'SEED_KEY=new\n', { replace: true }) ?? ''
    expect([readFileSync(before, 'utf8'), readFileSync(path, 'utf8')]).toEqual([
      'SEED_KEY=old\n',
      'SEED_KEY=new\n',
    ])
    expect([before, path].map((each) => statSync(each).mode & 0o777)).toEqual([0o600, 0o600])
  })

  test('is not written through a link', () => {
    const target = join(folder, 'elsewhere')
    symlinkSync(target, path)
    expect(() => writeEnv(path, 'A=1\n', { replace: false })).toThrow('was not changed')
    expect(lstatSync(path).isSymbolicLink()).toBe(true)
    expect(readdirSync(folder)).toEqual(['.env'])
  })
})
