import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals'
import { commandArguments } from '../../scripts/local/nodeArguments.ts'
import { closeServer, listen } from '../../src/platform/http/http.ts'

const files = ['Dockerfile', 'deploy/postgres/Dockerfile', 'docker-compose.yml']

/** A registry with the Docker Registry HTTP API v2; its tokens are public. */
let registry: Server
let url: string
let folder: string
let missing: string
let requests: string[]
const digestOf = (path: string) => `sha256:${createHash('sha256').update(path).digest('hex')}`

beforeAll(async () => {
  registry = createServer((request, response) => {
    const at = new URL(request.url ?? '/', url)
    if (at.pathname === '/token')
      return void response.end(JSON.stringify({ token: at.searchParams.get('scope') }))
    const [, name] = /^\/v2\/(.+)\/manifests\/[^/]+$/.exec(at.pathname) ?? []
    const scope = `repository:${name}:pull`
    if (request.headers.authorization !== `Bearer ${scope}`)
      return void response
        .writeHead(401, {
          'www-authenticate': `Bearer realm="${url}/token",service="stand-in",scope="${scope}"`,
        })
        .end()
    requests.push(`${request.method} ${at.pathname}`)
    if (name === missing) return void response.writeHead(404).end()
    const accepts = String(request.headers.accept)
    response
      .writeHead(200, {
        'docker-content-digest': digestOf(`${at.pathname} ${accepts.includes('image.index')}`),
      })
      .end()
  })
  url = `http://127.0.0.1:${await listen(registry, 0, '127.0.0.1')}`
})
afterAll(() => closeServer(registry))
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'cowry-pins-'))
  for (const file of files) cpSync(join(import.meta.dirname, '../..', file), join(folder, file))
  missing = ''
  requests = []
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

async function pin(): Promise<{ code: number; err: string }> {
  const child = spawn(
    process.execPath,
    [...commandArguments, 'dev', 'pin-images', '--registry', url, '--folder', folder],
    {
      stdio: ['ignore', 'ignore', 'pipe'],
    },
  )
  let err = ''
  child.stderr.on('data', (chunk: Buffer) => {
    err += chunk
  })
  const [code] = (await once(child, 'close')) as [number]
  return { code, err }
}
const read = () => files.map((file) => readFileSync(join(folder, file), 'utf8')).join('\n')
const images = () =>
  [...read().matchAll(/^(?:FROM|\s+image:) (\S+)/gm)]
    .map(([, image]) => image as string)
    .filter((image) => image.includes(':'))

test("every base image is pinned to its tag's digest for all platforms, and pinned again if it already was", async () => {
  const before = images()
  expect(await pin()).toEqual({ code: 0, err: '' })
  const expected = before.map((image) => {
    const [name = '', tag] = image.split('@')[0]?.split(':') ?? []
    return `${name}:${tag}@${digestOf(`/v2/${name.includes('/') ? name : `library/${name}`}/manifests/${tag} true`)}`
  })
  expect(images()).toEqual(expected)
  expect(new Set(requests)).toContain('HEAD /v2/library/node/manifests/24-slim')
  expect(requests).toHaveLength(new Set(before).size)
  expect(await pin()).toEqual({ code: 0, err: '' })
  expect(images()).toEqual(expected)
})

test('nothing is written if one image cannot be fetched', async () => {
  const before = read()
  missing = 'library/redis'
  expect(await pin()).toEqual({ code: 1, err: expect.stringMatching(/redis:8: the registry answered 404/) })
  expect(read()).toBe(before)
})
