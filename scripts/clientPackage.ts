import { spawnSync } from 'node:child_process'
import { join, resolve } from 'node:path'
import { program } from '../commands/program.ts'

const client = join(import.meta.dirname, '../client')

/** `prepack` of client/package.json builds it. */
export const run = program('dev client-package', async ([folder = '.']) => {
  const target = resolve(folder)
  const packed = spawnSync('npm', ['pack', '--json', '--pack-destination', target], {
    cwd: client,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
    shell: process.platform === 'win32',
  })
  if (packed.status !== 0) return 1
  const [{ filename }] = JSON.parse(packed.stdout) as [{ filename: string }]
  process.stdout.write(`${join(target, filename)}\n`)
  return 0
})
