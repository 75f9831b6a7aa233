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
  await import('./program.ts')
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
