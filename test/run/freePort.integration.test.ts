import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, expect, test } from '@jest/globals'
import { freePort } from '../../scripts/local/freePort.ts'

const module = join(import.meta.dirname, '../../scripts/local/freePort.ts')
const program = (body: string) => [
  '--disable-warning=ExperimentalWarning',
  '--input-type=module',
  '--eval',
  `import { freePort } from '${module}'\n${body}`,
]

const scratch = mkdtempSync(join(tmpdir(), 'cowry-free-port-'))
afterAll(() => rmSync(scratch, { recursive: true }))

/** A temporary folder with claims of an ended process on the ports from 20,000 on. */
function claimed(count: number): string {
  const claims = join(scratch, `cowry-ports-${process.getuid?.() ?? ''}`)
  mkdirSync(claims)
  const { pid } = spawnSync(process.execPath, ['--version'])
  for (let i = 0; i < count; i++) writeFileSync(join(claims, String(20_000 + i)), String(pid))
  return scratch
}

test.each([
  ['any port', '', () => tmpdir(), 300],
  ['the same ports, claimed by an ended process,', '20_000 + i', () => claimed(300), 250],
])('processes that request %s at the same time get different ones', async (_, preferred, folder, minEach) => {
  const env = { ...process.env, TMPDIR: folder() }
  const draws = program(`
    const ports = []
    for (let i = 0; i < 300; i++) ports.push(await freePort(${preferred}))
    console.log(ports.join())
    process.stdin.resume()`)
  const children = Array.from({ length: 3 }, () => spawn(process.execPath, draws, { env }))
  const first = await Promise.all(
    children.map(async ({ stdout }) => String(await once(stdout, 'data').then(([line]) => line))),
  )
  const ports = first.map((line) => line.trim().split(','))
  expect(ports.map(({ length }) => length)).toEqual([300, 300, 300])
  // A process may get its preferred port again.
  const drawn = ports.map((each) => new Set(each))
  expect(drawn.map(({ size }) => size >= minEach)).toEqual([true, true, true])
  expect(new Set(ports.flat()).size).toBe(drawn.reduce((sum, { size }) => sum + size, 0))
  for (const child of children) child.kill()
  await Promise.all(children.map(({ stderr }) => text(stderr).then((output) => expect(output).toBe(''))))
})

test('a port of a live process is given to no other, though nothing listens on it', async () => {
  const child = spawn(process.execPath, program('console.log(await freePort())\nprocess.stdin.resume()'))
  const port = Number(String(await once(child.stdout, 'data')))
  expect(await freePort(port)).not.toBe(port)
  child.kill()
})

test('a port of an ended process is free again', async () => {
  const { stdout } = spawnSync(process.execPath, program('console.log(await freePort())'), {
    encoding: 'utf8',
  })
  expect(await freePort(Number(stdout))).toBe(Number(stdout))
})

test('a preferred port is given again to its own process, and not while it is listened on', async () => {
  const port = await freePort()
  expect(await freePort(port)).toBe(port)
  const server = createServer().listen(port, '127.0.0.1')
  await once(server, 'listening')
  expect(await freePort(port)).not.toBe(port)
  server.close()
})
