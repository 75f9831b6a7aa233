import { execFile } from 'node:child_process'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { checkNames } from './checks.ts'
import { main } from './cli.ts'
import { verifyWebhook } from './verify.ts'

const secret = `whsec_${Buffer.alloc(32, 11).toString('base64')}`
let server: Server
let url: string

// Accepts genuine events; on /old also old ones.
beforeAll(async () => {
  server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', async () => {
      const toleranceSeconds = request.url === '/old' ? 3600 : 300
      const genuine = await verifyWebhook(secret, request.headers, Buffer.concat(chunks), {
        toleranceSeconds,
      }).catch(() => null)
      response.writeHead(genuine ? 204 : 401).end()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()))
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})

afterAll(async () => {
  await new Promise((resolve) => {
    server.close(resolve)
    server.closeAllConnections()
  })
})

async function run(args: string[], env: Record<string, string> = {}) {
  const out: string[] = []
  const err: string[] = []
  const code = await main(args, {
    env,
    out: (text) => void out.push(text),
    err: (text) => void err.push(text),
  })
  return { code, out: out.join(''), err: err.join('') }
}

describe('cowry-webhooks test', () => {
  test('exits with 0 if all is right, and prints a line per check', async () => {
    const { code, out, err } = await run(['test', url], { COWRY_WEBHOOK_SECRET: secret })
    expect({ code, err }).toEqual({ code: 0, err: '' })
    for (const name of checkNames) expect(out).toMatch(new RegExp(`^(right|information) +${name} `, 'm'))
    expect(out).toContain(`${checkNames.length - 1} right\n`)
  })

  test('exits with 1 if a check fails, and prints advice', async () => {
    const { code, out } = await run(['test', `${url}/old`, '--secret', secret])
    expect(code).toBe(1)
    expect(out).toMatch(
      /^wrong +old-timestamp +Sent an event that was signed 10 minutes ago: 204 after \d+ ms\n +It accepted what it must refuse/m,
    )
    expect(out).toContain('wrong: old-timestamp, future-timestamp')
  })

  test('reports if the other checks were skipped', async () => {
    const { code, out } = await run(['test', url, `--secret=whsec_${Buffer.alloc(32).toString('base64')}`])
    expect(code).toBe(1)
    expect(out).toContain('0 right; wrong: valid; the other checks were skipped')
    expect(out).toContain('decoded from base64')
  })

  test('prints the findings as JSON', async () => {
    const { code, out } = await run(
      ['test', `${url}/old`, '--json', '--only', 'old-timestamp,rotation', '--type', 'session.paid'],
      {
        COWRY_WEBHOOK_SECRET: secret,
      },
    )
    expect(code).toBe(1)
    expect(JSON.parse(out)).toMatchObject({
      scheme: 'v1',
      right: false,
      findings: [
        { name: 'valid', verdict: 'right' },
        { name: 'old-timestamp', verdict: 'wrong' },
        { name: 'rotation', verdict: 'right' },
      ],
    })
  })

  test('prints the public key that the receiver needs for ed25519', async () => {
    const { code, out } = await run([
      'test',
      url,
      '--private-key',
      `whsk_${Buffer.alloc(32, 1).toString('base64')}`,
      '--timeout',
      '5',
    ])
    expect(code).toBe(1)
    expect(out).toMatch(/the receiver must use whpk_[A-Za-z0-9+/]{43}=\n/)
  })

  test.each<[string, string[], Record<string, string>, string]>([
    ['nothing', [], {}, 'Give one URL to test'],
    ['two URLs', ['test', 'http://a', 'http://b', '--secret', secret], {}, 'Give one URL to test'],
    ['no URL', ['test', '--secret', secret], {}, 'http:// or https://'],
    ['another protocol', ['test', 'ftp://a', '--secret', secret], {}, 'http:// or https://'],
    ['no key', ['test', 'http://a'], {}, 'Give the key'],
    ['two keys', ['test', 'http://a', '--secret', secret, '--private-key', 'whsk_x'], {}, 'not both'],
    [
      'a public key',
      ['test', 'http://a'],
      { COWRY_WEBHOOK_SECRET: `whpk_${secret.slice(6)}` },
      'A public key cannot sign',
    ],
    [
      'a private key as secret',
      ['test', 'http://a', '--secret', secret.replace('whsec', 'whsk')],
      {},
      '--secret must start with whsec_',
    ],
    [
      'an invalid secret',
      ['test', 'http://a'],
      { COWRY_WEBHOOK_SECRET: secret.slice(6) },
      'A key starts with',
    ],
    [
      'an unknown check',
      ['test', 'http://a', '--secret', secret, '--only', 'rotation,luck'],
      {},
      'Unknown check: luck',
    ],
    [
      'an unknown type',
      ['test', 'http://a', '--secret', secret, '--type', 'toString'],
      {},
      '--type is one of transaction.detected',
    ],
    [
      'an invalid time',
      ['test', 'http://a', '--secret', secret, '--timeout', 'soon'],
      {},
      '--timeout is a number',
    ],
    ['an unknown option', ['test', 'http://a', '--secret', secret, '--force'], {}, 'Unknown option: --force'],
  ])('exits with 2 and the usage for %s, without printing a key', async (_what, args, env, expected) => {
    const { code, out, err } = await run(args, env)
    expect({ code, out }).toEqual({ code: 2, out: '' })
    expect(err).toContain(expected)
    expect(err).toContain('cowry-webhooks test <url>')
    expect(err).not.toContain(secret.slice(6, 20))
  })

  test('prints the usage', async () => {
    const { code, out } = await run(['--help'])
    expect(code).toBe(0)
    for (const name of checkNames) expect(out).toContain(name)
  })

  test('runs as a program', async () => {
    const bin = fileURLToPath(new URL('bin.mjs', import.meta.url))
    const ended = await new Promise<{ code: unknown; stdout: string }>((resolve) => {
      const env = { ...process.env, COWRY_WEBHOOK_SECRET: secret, NODE_OPTIONS: '' }
      execFile(process.execPath, [bin, 'test', url, '--only', 'raw-body'], { env }, (error, stdout) =>
        resolve({ code: error?.code ?? 0, stdout }),
      )
    })
    expect(ended.code).toBe(0)
    expect(ended.stdout).toContain('2 right')
  })
})
