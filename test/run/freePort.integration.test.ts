import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { expect, test } from '@jest/globals'
import { freePort } from '../../scripts/local/freePort.ts'

const module = join(import.meta.dirname, '../../scripts/local/freePort.ts')
const program = (body: string) => [
  '--disable-warning=ExperimentalWarning',
  '--input-type=module',
  '--eval',
  `import { freePort } from '${module}'\n${body}`,
]

test('processes that draw ports at the same time draw different ones', async () => {
  const draws = program(`
    const ports = []
    for (let i = 0; i < 300; i++) ports.push(await freePort())
    console.log(ports.join())
    process.stdin.resume()`)
  const children = Array.from({ length: 3 }, () => spawn(process.execPath, draws))
  const first = await Promise.all(children.map(async ({ stdout }) => String(await once(stdout, 'data').then(([line]) => line))))
  const drawn = first.flatMap((line) => line.trim().split(','))
  expect(drawn).toHaveLength(900)
  expect(new Set(drawn).size).toBe(900)
  // It is not listened on, and its process lives.
  expect(await freePort(Number(drawn[0]))).not.toBe(Number(drawn[0]))
  for (const child of children) child.kill()
  await Promise.all(children.map(({ stderr }) => text(stderr).then((said) => expect(said).toBe(''))))
})

test('a port of a process that ended is free again', async () => {
  const { stdout } = spawnSync(process.execPath, program('console.log(await freePort())'), { encoding: 'utf8' })
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
