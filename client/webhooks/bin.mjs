#!/usr/bin/env node
// Plain JavaScript for any Node: one without TypeScript support starts the project's own Node.
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const args = process.argv.slice(2)
const own = fileURLToPath(
  new URL(`../../node_modules/.bin/node${process.platform === 'win32' ? '.cmd' : ''}`, import.meta.url),
)

if (process.features.typescript) {
  const { main } = await import('./cli.ts')
  const stopping = new AbortController()
  // The reader of its lines has gone.
  process.stdout.on('error', (error) => {
    if (error.code !== 'EPIPE') throw error
    process.exit(0)
  })
  // A second signal ends it at once.
  for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => stopping.abort())
  process.exitCode = await main(args, {
    env: process.env,
    out: (text) => process.stdout.write(text),
    err: (text) => process.stderr.write(text),
    signal: stopping.signal,
  })
} else if (existsSync(own) && process.env.COWRY_WEBHOOKS_HANDED_OVER === undefined) {
  const child = spawn(
    own,
    ['--disable-warning=ExperimentalWarning', fileURLToPath(import.meta.url), ...args],
    {
      stdio: 'inherit',
      env: { ...process.env, COWRY_WEBHOOKS_HANDED_OVER: '1' },
      shell: process.platform === 'win32',
    },
  )
  // A terminal sends SIGINT to both, and a script to this process alone. The child ends after the first, at
  // once after the second.
  process.on('SIGINT', () => child.kill('SIGINT'))
  process.on('SIGTERM', () => child.kill('SIGTERM'))
  child.on('close', (code) => {
    process.exitCode = code ?? 1
  })
} else {
  process.stderr.write(
    `This is Node ${process.versions.node}. cowry-webhooks needs Node 22.18 or later, or \`npm run setup\` once, which installs one.\n`,
  )
  process.exitCode = 2
}
