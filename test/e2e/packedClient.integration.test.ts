import { cpSync, mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { startChromium } from '../support/chromium.ts'
import { full } from '../support/full.ts'
import { startServer } from '../support/httpServer.ts'
import { installedPackages } from '../support/installedPackages.ts'
import { deliverWebhooks, type MadeWebhook } from '../support/madeWebhooks.ts'
import { compressedSize, createProject, installPacked, type Project } from '../support/packedClient.ts'
import { createStack, type Stack } from '../support/stack.ts'

// The client as others get it: packed, and installed into an empty project with no network.

const root = join(import.meta.dirname, '../..')
const manifest = JSON.parse(readFileSync(join(root, 'client/package.json'), 'utf8'))
const source = (file: string) => readFileSync(join(root, 'test/clients', file), 'utf8')

let stack: Stack
let project: Project
let webhooks: MadeWebhook[]

beforeAll(async () => {
  project = createProject('shop')
  await installPacked(project)
  stack = await createStack({ processes: ['api', 'worker'] })
  webhooks = await deliverWebhooks(stack, ['hmac', 'ed25519'])
  project.write('webhooks.json', JSON.stringify(webhooks))
  project.write('use.mjs', source('use.mjs'))
  project.write('use.ts', source('use.ts'))
})
afterAll(async () => {
  await stack?.close()
  project?.remove()
})

const installed = () => join(project.folder, 'node_modules/@cowry/client')

/** What test/clients/use.mjs prints, on a runtime. */
async function use(program: string, before: readonly string[], reference: string): Promise<unknown> {
  const baseUrl = `http://127.0.0.1:${stack.processes.get('api')?.port()}/api/v1`
  const args = [...before, 'use.mjs', baseUrl, stack.apiKey, 'webhooks.json', reference]
  const ended = await project.run(program, args)
  if (ended.status !== 0) throw new Error(ended.stderr)
  return JSON.parse(ended.stdout)
}

const right = {
  id: expect.any(String),
  same: true,
  refused: 400,
  found: [expect.any(String)],
  events: 1,
  verified: [
    ['endpoint.test', 'signature_mismatch'],
    ['endpoint.test', 'signature_mismatch'],
  ],
}

describe('the package', () => {
  test('has the version of Cowry, its license, no dependency and no test', () => {
    const { version, license } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
    expect([manifest.version, manifest.license, manifest.dependencies]).toEqual([version, license, undefined])
    const files = readdirSync(installed(), { recursive: true, encoding: 'utf8' })
    expect(files).toEqual(expect.arrayContaining(['LICENSE', 'README.md', 'package.json']))
    const wrong = files.filter((file) => /(?<!\.d)\.ts$|\.test\.|recipes/.test(file))
    expect(wrong).toEqual([])
    expect(readFileSync(join(installed(), 'dist/index.d.ts'), 'utf8')).not.toMatch(/\.ts'/)
  })

  test('is less than 15 kB without the tables of the contract, minified and compressed', async () => {
    const size = await compressedSize(join(installed(), 'dist/index.js'))
    expect(size).toBeGreaterThan(2000)
    expect(size).toBeLessThan(15_000)
  })

  test('runs in plain JavaScript: creates a session, reads events, verifies webhooks', async () => {
    expect(await use(process.execPath, [], 'order-own')).toEqual(right)
  })

  test('brings the command cowry-webhooks, by that name', async () => {
    const { status, stdout } = await project.run('npx', ['--offline', 'cowry-webhooks', '--help'])
    expect([status, stdout]).toEqual([0, expect.stringContaining('cowry-webhooks test <url>')])
    expect(statSync(join(project.folder, 'node_modules/.bin/cowry-webhooks')).mode & 0o111).not.toBe(0)
  })
})

describe('TypeScript, strict, with the declarations checked too', () => {
  const modules = {
    nodenext: { module: 'nodenext', moduleResolution: 'nodenext' },
    bundler: { module: 'esnext', moduleResolution: 'bundler' },
  }
  const surroundings = {
    'a browser': { lib: ['es2022', 'dom', 'dom.iterable'], types: [] },
    Node: { lib: ['es2022'], types: ['node'] },
  }
  const compilers = full ? ['the project', 'TypeScript 5.9'] : ['the project']

  beforeAll(() => {
    const types = join(project.folder, 'node_modules/@types/node')
    const nodeTypes = dirname(createRequire(join(root, 'package.json')).resolve('@types/node/package.json'))
    const undici = dirname(
      createRequire(join(nodeTypes, 'package.json')).resolve('undici-types/package.json'),
    )
    mkdirSync(dirname(types), { recursive: true })
    cpSync(nodeTypes, types, { recursive: true })
    cpSync(undici, join(project.folder, 'node_modules/undici-types'), { recursive: true })
  })

  const cases = compilers.flatMap((compiler) =>
    Object.keys(modules).flatMap((module) =>
      Object.keys(surroundings).map((around) => [module, around, compiler] as const),
    ),
  )
  test.each(cases)('compiles with %s for %s, by the compiler of %s', async (module, around, compiler) => {
    const home = compiler === 'the project' ? root : installedPackages('test/clients')
    const config = {
      compilerOptions: {
        target: 'es2022',
        strict: true,
        exactOptionalPropertyTypes: true,
        noUncheckedIndexedAccess: true,
        noEmit: true,
        skipLibCheck: around === 'Node',
        ...modules[module as keyof typeof modules],
        ...surroundings[around as keyof typeof surroundings],
      },
      files: ['use.ts'],
    }
    project.write('tsconfig.json', JSON.stringify(config))
    const compiled = await project.run(process.execPath, [join(home, 'node_modules/typescript/bin/tsc')])
    expect(compiled).toEqual({ status: 0, stdout: '', stderr: '' })
  })
})

const inFull = full ? describe : describe.skip
inFull('other runtimes', () => {
  const programs: Record<string, [program: string, ...args: string[]]> = {
    'Node 20': ['node-20/bin/node'],
    'Node 22': ['node-22/bin/node'],
    Deno: ['deno/deno', 'run', '--allow-net', '--allow-read', '--allow-env', '--no-lock'],
    Bun: ['bun/bin/bun.exe'],
  }
  test.each(Object.keys(programs))('%s runs the same program', async (name) => {
    const [program = '', ...before] = programs[name] ?? []
    const path = join(installedPackages('test/clients'), 'node_modules', program)
    expect(await use(path, before, `order-${name.replace(' ', '-')}`)).toEqual(right)
  })

  test('Node 20 runs the command', async () => {
    const node = join(installedPackages('test/clients'), 'node_modules/node-20/bin/node')
    const help = await project.run(node, [join(installed(), 'dist/webhooks/program.js'), '--help'])
    expect(help).toMatchObject({ status: 0, stderr: '' })
  })

  test('a browser loads it as it is, and verifies webhooks', async () => {
    const page = '<!doctype html><title>shop</title>'
    const files = await startServer((response, { url }) => {
      const script = url.startsWith('/dist/')
      response.setHeader('content-type', script ? 'text/javascript' : 'text/html')
      response.end(script ? readFileSync(join(installed(), url)) : page)
    })
    const browser = await startChromium()
    try {
      const tab = await browser.newPage()
      await tab.goto(`${files.url}/`)
      const verified = await tab.evaluate(
        async ({ script, given }) => {
          const { verifyWebhook } = await import(script)
          const types: string[] = []
          for (const { key, headers, body } of given) {
            types.push((await verifyWebhook(key, headers, body)).type)
            types.push(
              await verifyWebhook(key, headers, `${body} `).catch((error: { code: string }) => error.code),
            )
          }
          return types
        },
        { script: `${files.url}/dist/index.js`, given: webhooks },
      )
      expect(verified).toEqual(right.verified.flat())
    } finally {
      await browser.close()
      await files.close()
    }
  })
})
