import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { bundleFolder } from '../../scripts/bundled/folder.mjs'
import { listen } from '../../src/platform/http/http.ts'
import { nodes, own, read, root } from '../support/composeFile.ts'

describe('the image', () => {
  const lines = read('Dockerfile')
    .replaceAll(/\\\n\s*/g, '')
    .split('\n')
    .filter((line) => line && !line.startsWith('#'))
  const lastStage = lines.slice(lines.findLastIndex((line) => line.startsWith('FROM ')))
  const instruction = (stage: string[], name: string) =>
    stage.filter((line) => line.startsWith(`${name} `)).map((line) => line.slice(name.length + 1))
  const entrypoint = JSON.parse(instruction(lastStage, 'ENTRYPOINT')[0] ?? '') as string[]
  const copied = instruction(lastStage, 'COPY')
    .filter((line) => !line.startsWith('--from='))
    .flatMap((line) => line.split(' ').slice(0, -1))

  const uid = process.getuid?.() || 65_534
  let home: string
  let node: string
  beforeAll(() => {
    home = mkdtempSync(join(tmpdir(), 'cowry-image-'))
    // Only root can give files to another user, and that user must be able to enter the folder.
    chmodSync(home, 0o755)
    // Where that user may not enter the project's folder, the packages are copied.
    const isReachable = spawnSync('test', ['-x', process.execPath], { uid }).status === 0
    const bring = isReachable
      ? symlinkSync
      : (from: string, to: string) => cpSync(from, to, { recursive: true })
    node = join(home, 'node')
    bring(process.execPath, node)
    // The image's files, and only the packages of a production install.
    for (const source of copied)
      cpSync(join(root, source), join(home, source), {
        recursive: true,
        filter: (file) => !file.endsWith('.test.ts'),
      })
    const lock = JSON.parse(read('package-lock.json')) as {
      packages: Record<string, { dev?: boolean; devOptional?: boolean }>
    }
    for (const [path, { dev, devOptional }] of Object.entries(lock.packages)) {
      if (
        !/^node_modules\/(@[^/]+\/)?[^/]+$/.test(path) ||
        dev ||
        devOptional ||
        path === 'node_modules/typescript'
      )
        continue
      // Optional packages differ by platform.
      if (!existsSync(join(root, path))) continue
      mkdirSync(dirname(join(home, path)), { recursive: true })
      bring(join(root, path), join(home, path))
    }
    const bundle = relative(root, bundleFolder())
    mkdirSync(dirname(join(home, bundle)), { recursive: true })
    bring(join(root, bundle), join(home, bundle))
  })
  afterAll(() => rmSync(home, { recursive: true, force: true }))

  test('is built from files that exist and that .dockerignore lets through', () => {
    const ignore = read('.dockerignore').split('\n')
    expect(ignore.filter((line) => line && !line.startsWith('#'))[0]).toBe('*')
    for (const source of ['package-lock.json', ...copied]) {
      expect([source, existsSync(join(root, source))]).toEqual([source, true])
      expect(ignore).toContain(`!${source}`)
    }
  })

  test('runs the Node that the project is tested on, as a user that is not root', () => {
    const { devDependencies } = JSON.parse(read('package.json')) as {
      devDependencies: Record<string, string>
    }
    const major = devDependencies.node?.split('.')[0]
    for (const base of instruction(lines, 'FROM')) expect(base.split(' ')[0]).toBe(`node:${major}-slim`)
    expect(instruction(lastStage, 'USER')).toEqual(['node'])
    expect(instruction(lastStage, 'ENTRYPOINT')).toEqual([
      '["node", "--import", "./scripts/preload.mjs", "--disable-warning=ExperimentalWarning", "commands/cowry.ts"]',
    ])
  })

  test('holds no development dependency', () => {
    const [packages] = instruction(lines, 'RUN')
    expect(packages).toMatch(/^npm install --omit=dev .*--no-save.* && rm -r node_modules\/typescript$/)
    // Build tools of pages and bundle stay in the stage that uses them.
    expect(instruction(lastStage, 'COPY').filter((line) => line.startsWith('--from='))).toEqual([
      '--from=packages /app/node_modules ./node_modules',
      '--from=built /app/node_modules/.cache/cowry ./node_modules/.cache/cowry',
      '--from=built /app/web/dist ./web/dist',
    ])
    expect(existsSync(join(home, 'node_modules/express'))).toBe(true)
    expect(existsSync(join(home, 'node_modules/jest'))).toBe(false)
  })

  test('is compiled ahead, into the folder that its processes read', () => {
    const folder = /NODE_COMPILE_CACHE=(\S+)/.exec(instruction(lastStage, 'ENV').join(' '))?.[1]
    expect(instruction(lastStage, 'RUN')).toEqual([
      `node scripts/compileAhead.mjs ${folder} "$(id -u node)"`,
      // Where a volume is mounted for uploads, which its user may write.
      'install -d -o node -g node -m 700 /uploads',
    ])
    const compiled = join(home, 'compiled')
    const ended = spawnSync(node, ['scripts/compileAhead.mjs', compiled, String(uid)], {
      cwd: home,
      env: {},
      encoding: 'utf8',
    })
    expect([ended.status, ended.stderr]).toEqual([0, ''])
    const env = { NODE_COMPILE_CACHE: compiled, NODE_DEBUG_NATIVE: 'COMPILE_CACHE' }
    const { stderr } = spawnSync(node, [...entrypoint.slice(1), 'run', 'api'], {
      cwd: home,
      env,
      uid,
      encoding: 'utf8',
      maxBuffer: 2 ** 28,
    })
    expect(stderr.match(/was accepted/g)?.length).toBeGreaterThan(250)
    expect(stderr).not.toContain('rejected')
  })

  test.each(own)('holds everything that $name needs to start', ({ service }) => {
    const ended = spawnSync(node, [...entrypoint.slice(1), ...(service.command ?? [])], {
      cwd: home,
      env: {},
      encoding: 'utf8',
    })
    // Every import was found; then the empty environment was refused.
    expect([ended.status, ended.stderr]).toEqual([2, expect.stringContaining('DATABASE_URL is not set')])
  })

  test.each([['dead-jobs'], ['account', 'operator', 'ada@example.com'], ['rescan', 'ethereum', '1', '2']])(
    'holds the operator command %s',
    (...command) => {
      const ended = spawnSync(node, [...entrypoint.slice(1), ...command], {
        cwd: home,
        env: nodes,
        encoding: 'utf8',
      })
      expect([ended.status, ended.stderr]).toEqual([2, expect.stringContaining('DATABASE_URL is not set')])
    },
  )

  test('is healthy exactly while /health/live answers', async () => {
    const [options, command] = instruction(lastStage, 'HEALTHCHECK')[0]?.split('CMD ') ?? []
    expect(options).toContain('--interval=')
    const [, ...args] = JSON.parse(command ?? '') as string[]
    let status = 200
    const asked: (string | undefined)[] = []
    const server = createServer((request, response) => {
      asked.push(request.url)
      response.writeHead(status).end()
    })
    const port = await listen(server, 0, '127.0.0.1')
    const check = async () =>
      (await once(spawn(node, args, { env: { METRICS_PORT: String(port) } }), 'exit'))[0]
    expect(await check()).toBe(0)
    status = 503
    expect(await check()).toBe(1)
    await new Promise((resolve) => server.close(resolve))
    expect(await check()).toBe(1)
    expect(asked).toEqual(['/health/live', '/health/live'])
  })
})
