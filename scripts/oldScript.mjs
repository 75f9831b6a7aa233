import { spawnSync } from 'node:child_process'
import { oldScripts, oldTools } from './oldNames.mjs'

// node scripts/oldScript.mjs <npm script of the version before> …: runs what it is now.

const [name = '', ...words] = process.argv.slice(2)
const [command, tool] = [oldScripts[name], oldTools[name]]
const now = tool ?? `npm run cowry -- ${command}`
process.stderr.write(`npm run ${name} is now ${now}; the old name works for one more version\n`)
if (tool !== undefined) {
  const [program, ...args] = tool.split(' ')
  process.exit(spawnSync(program, [...args, ...words], { stdio: 'inherit' }).status ?? 1)
}
process.argv.splice(2, process.argv.length, ...command.split(' '), ...words)
await import('./preload.mjs')
await import('../commands/cowry.ts')
