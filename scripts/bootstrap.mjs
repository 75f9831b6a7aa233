// Plain JavaScript that runs on any Node: installs missing packages, then starts the project's own Node.
import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { bundleFolder } from './bundled/folder.mjs'

export const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const modules = join(root, 'node_modules')
const stamp = join(modules, '.cowry-installed')
const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
const pinned = { ...manifest.dependencies, ...manifest.devDependencies }
const wanted = createHash('sha256')
  .update(readFileSync(join(root, 'package-lock.json')))
  .digest('hex')

const say = (text) => process.stderr.write(`${text}\n`)

function fail(what, hint) {
  say(`\n${what}\n${hint}`)
  process.exit(1)
}

const installed = () => existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted

/** Packages that are missing or not the pinned version: old npm releases replace some silently. */
function wrongPackages() {
  return Object.entries(pinned).filter(([name, version]) => {
    const file = join(modules, name, 'package.json')
    // An alias names the package before its version.
    const wanted = version.replace(/^npm:.*@/, '')
    return !existsSync(file) || JSON.parse(readFileSync(file, 'utf8')).version !== wanted
  })
}

async function install() {
  const started = Date.now()
  const seconds = () => Math.round((Date.now() - started) / 1000)
  say('Installing packages (once; about a minute) …')
  const progress = setInterval(() => say(`  … still installing, ${seconds()} s`), 10_000)
  const output = []
  const code = await new Promise((resolve) => {
    // Not `npm ci`: it refuses a lock file with unresolved packages of other platforms.
    const npm = spawn('npm', ['install', '--no-save', '--no-audit', '--no-fund', '--loglevel=error'], {
      cwd: root,
      shell: process.platform === 'win32',
    })
    npm.stdout.on('data', (chunk) => output.push(chunk))
    npm.stderr.on('data', (chunk) => output.push(chunk))
    npm.on('error', (error) => {
      output.push(error.message)
      resolve(1)
    })
    npm.on('close', resolve)
  })
  clearInterval(progress)
  if (code !== 0)
    fail(
      `npm install failed:\n${output.join('').trim().split('\n').slice(0, 12).join('\n')}`,
      'Cowry needs the npm registry for its first start. Check the network, then start again.',
    )
  const wrong = wrongPackages()
  if (wrong.length > 0)
    fail(
      `Not the pinned version: ${wrong.map(([name, version]) => `${name}@${version}`).join(', ')}`,
      'Delete node_modules and start again, with npm 10 or later.',
    )
  writeFileSync(stamp, wanted)
  say(`Packages installed in ${seconds()} s.`)
}

/** Bundles the packages that the programs load, once. Programs also start without the bundle, but slower. */
async function ensureBundled() {
  if (existsSync(bundleFolder())) return
  say('Bundling packages (once; some seconds) …')
  const builder = spawn(projectNode(), ['scripts/bundled/build.mjs'], {
    cwd: root,
    stdio: 'inherit',
    shell: process.platform === 'win32',
  })
  const code = await new Promise((resolve) => {
    builder.on('error', () => resolve(1))
    builder.on('close', resolve)
  })
  if (code !== 0) fail('Failed to bundle the packages.', 'See the message above.')
}

export const projectNode = () => join(modules, '.bin', process.platform === 'win32' ? 'node.cmd' : 'node')

/** Installs the lock file's packages, once. */
export async function ensureInstalled() {
  if (Number(process.versions.node.split('.')[0]) < 20)
    fail(
      `This is Node ${process.versions.node}.`,
      'Cowry needs Node 20 or later to install (it brings its own Node to run).',
    )
  if (!installed()) await install()
  await ensureBundled()
}

/** Installs if needed, then runs a TypeScript program on the project's own Node and exits with its code. */
export async function run(program, args, env = {}) {
  await ensureInstalled()
  const child = spawn(projectNode(), [...program, ...args], {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, ...env },
    shell: process.platform === 'win32',
  })
  // A terminal signals the whole group, so the child already has the interrupt; a plain kill reaches only
  // this process.
  process.on('SIGINT', () => {})
  process.on('SIGTERM', () => child.kill('SIGTERM'))
  child.on('close', (code, signal) => process.exit(code ?? (signal === 'SIGINT' ? 130 : 1)))
}
