import { randomBytes } from 'node:crypto'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { envKeyProvider } from '../../src/custody/keyProvider.ts'
import { readPhrase } from '../../src/custody/phrase.ts'
import { Secret } from '../../src/platform/secrets.ts'
import { type AwsKmsStandIn, kmsKeys, startAwsKms } from '../partners/awsKms.ts'
import { runScript } from '../support/command.ts'
import { documentedUrl } from '../support/operatorCommands.ts'
import { createStack, type SessionBody, type Stack } from '../support/stack.ts'
import { appKey, seedKey } from '../support/template.ts'
import { waitFor } from '../support/waitFor.ts'

/**
 * Keys are rolled while processes run: each roll is killed halfway, and payments go on before, meanwhile and
 * after.
 */

const awsCredentials = {
  accessKeyId: 'AKIAIOSFODNN7EXAMPLE',
  secretAccessKey: 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY',
}
const home = mkdtempSync(join(tmpdir(), 'cowry-roll-'))
const nextKey = randomBytes(32).toString('base64')
const served = ['api', 'worker'] as const
let stack: Stack
let kms: AwsKmsStandIn

beforeAll(async () => {
  kms = await startAwsKms(awsCredentials)
  stack = await createStack({
    separate: true,
    confirmations: 1,
    env: { POOL_TARGET: '420', POOL_LOW_WATER: '410' },
  })
})
afterAll(async () => {
  await stack?.close()
  await kms?.close()
  rmSync(home, { recursive: true, force: true })
})

const custody = (command: string, env: Record<string, string>) =>
  runScript('custody', [command], (file) => ({
    DATABASE_URL: documentedUrl(file, stack.databaseUrl),
    ...env,
  }))

async function killedAt(failpoint: string, command: string, env: Record<string, string>): Promise<void> {
  const proof = join(home, failpoint)
  const { code } = await custody(command, {
    ...env,
    COWRY_FAILPOINT: failpoint,
    COWRY_FAILPOINT_PROOF: proof,
  })
  expect([code, existsSync(proof) && readFileSync(proof, 'utf8')]).toEqual([null, `${failpoint}\n`])
}

/** One after the other, as in a deployment: one of them still has the settings before. */
async function restart(env: Record<string, string>, between: () => Promise<unknown>): Promise<void> {
  for (const name of served) {
    await stack.stop(name)
    await stack.start(name, env)
    await between()
  }
}

/** A payment from the request to its webhooks, which the receiver verifies. */
async function takePayment(): Promise<SessionBody> {
  const session = await stack.createSession({ amount: '5' })
  await stack.send(session.address, 5_000_000n)
  await stack.mine(2)
  await stack.sessionIs(session.id, 'paid')
  await waitFor('session.paid', async () => stack.receiver.types(session.id).includes('session.paid'))
  return session
}

const keyed = () =>
  stack.api<SessionBody>(
    'POST',
    '/pos/sessions',
    { chain: 'ethereum', token: 'USDC', amount: '1' },
    { 'idempotency-key': 'asked-before-the-roll' },
  )

test('APP_KEY: no process stops for it, webhooks are signed throughout, and a repeated request finds its answer', async () => {
  const first = await keyed()
  expect(first.status).toBe(201)
  const expectReplayed = async () => {
    const again = await keyed()
    expect([again.status, again.body.id, again.headers.get('idempotent-replayed')]).toEqual([
      201,
      first.body.id,
      'true',
    ])
  }
  const works = async () => {
    await takePayment()
    await expectReplayed()
  }
  await works()
  await restart({ APP_KEY: appKey, APP_KEY_PREVIOUS: nextKey }, works)
  await restart({ APP_KEY: nextKey, APP_KEY_PREVIOUS: appKey }, works)
  const both = { APP_KEY: nextKey, APP_KEY_PREVIOUS: appKey }
  await killedAt('custody.app-key-rolled', 'roll-app-key', both)
  await works()
  expect(await custody('roll-app-key', both)).toMatchObject({ code: 0, err: '' })
  await works()
  await restart({ APP_KEY: nextKey }, works)
  // A process with the key before opens nothing any more, and reports it.
  const stale = stack.launch('api', { APP_KEY: appKey }, { as: 'api-stale' as 'api' })
  await waitFor('its address', async () => stale.port())
  const ready = await fetch(`http://127.0.0.1:${stale.port()}/health/ready`)
  expect([ready.status, await ready.json()]).toMatchObject([
    503,
    { checks: { 'signing-keys': 'unavailable' } },
  ])
  await stale.stop()
}, 300_000)

test('the seed’s key: a running treasury goes on, and one that starts with the new provider has the same seed', async () => {
  const settings = {
    SEED_KEY_PROVIDER: 'aws-kms',
    KMS_KEY_ARN: kmsKeys[0],
    AWS_ENDPOINT_URL_KMS: kms.url,
    AWS_ACCESS_KEY_ID: awsCredentials.accessKeyId,
    AWS_SECRET_ACCESS_KEY: awsCredentials.secretAccessKey,
  }
  const phrase =
    (await readPhrase({ db: stack.db, keyProvider: envKeyProvider(new Secret(seedKey)) }))?.reveal() ?? ''
  await killedAt('custody.seed-key-rolled', 'roll-seed-key', { ...settings, SEED_KEY: seedKey })
  // Half of the rows: the treasury that runs, and one with both keys.
  await takePayment()
  await stack.stop('treasury')
  await stack.start('treasury', { ...settings, SEED_KEY: seedKey })
  await takePayment()
  expect(await custody('roll-seed-key', { ...settings, SEED_KEY: seedKey })).toMatchObject({
    code: 0,
    err: '',
  })
  await stack.stop('treasury')

  const refused = stack.launch('treasury', { SEED_KEY: seedKey }, { as: 'treasury' })
  await refused.ended
  expect(stack.logs()).toContain(
    'the seed cannot be opened: it is sealed by the key provider \\"aws-kms\\"; \\"env\\" is configured',
  )

  kms.mode = 'deny'
  const denied = stack.launch('treasury', { ...settings, SEED_KEY: '' }, { as: 'treasury' })
  await denied.ended
  expect(stack.logs()).toContain('AWS KMS denies the request: allow kms:Encrypt and kms:Decrypt on the key')
  kms.mode = 'ok'
  await stack.start('treasury', { ...settings, SEED_KEY: '' })
  await takePayment()
  // Addresses that it derives from now on are of the same seed.
  await stack.db.query('update deposit_addresses set taken_at = now() where taken_at is null and index < 405')
  await waitFor(
    'new addresses',
    async () =>
      (await stack.db.query('select 1 from deposit_addresses where index > 450 limit 1')).length > 0,
  )
  const proven = await runScript(
    'custody',
    ['recover'],
    (file) => ({ DATABASE_URL: documentedUrl(file, stack.databaseUrl) }),
    phrase,
  )
  expect(proven).toMatchObject({ code: 0, out: expect.stringContaining('the phrase reaches all') })
  // With its keys open, it needs KMS no more.
  await kms.close()
  await takePayment()
  for (const secret of [awsCredentials.secretAccessKey, seedKey, phrase.split(' ').slice(0, 3).join(' ')])
    expect(stack.logs()).not.toContain(secret)
}, 300_000)
