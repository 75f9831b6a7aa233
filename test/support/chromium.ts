import { spawnSync } from 'node:child_process'
import { accessSync, constants, existsSync, readFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { type Browser, chromium } from 'playwright-core'

/** The first has no windows, and so computes less. */
const names = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome']

/** No features that connect to other machines or that containers lack. */
const flags = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

const sayToTerminal = (text: string): void => void process.stderr.write(`${text}\n`)

/**
 * Starts a headless Chromium, which the caller closes. @throws if Chromium is missing, naming what to install
 */
export async function startChromium(say = sayToTerminal): Promise<Browser> {
  return chromium.launch({ executablePath: findChromium(process.env, say), args: flags })
}

/** `CHROMIUM_PATH`, or one on the path, or Debian's package, which is installed where that is permitted. */
export function findChromium(env: NodeJS.ProcessEnv, say: (text: string) => void): string {
  if (env.CHROMIUM_PATH) {
    if (isProgram(env.CHROMIUM_PATH)) return env.CHROMIUM_PATH
    throw new Error(`CHROMIUM_PATH is ${env.CHROMIUM_PATH}, where there is no program`)
  }
  const found = onPath(env) ?? (installFromDebian(env, say) ? onPath(env) : undefined)
  if (found) return found
  throw new Error(
    [
      'These tests need Chromium, which was not found. Use one of these:',
      '  Debian           apt-get install chromium-headless-shell',
      '  macOS            brew install --cask chromium',
      '  any other        set CHROMIUM_PATH to a Chromium or a Chrome',
    ].join('\n'),
  )
}

function onPath(env: NodeJS.ProcessEnv): string | undefined {
  const folders = (env.PATH ?? '').split(delimiter).filter((folder) => folder !== '')
  return names.flatMap((name) => folders.map((folder) => join(folder, name))).find(isProgram)
}

function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK)
    return true
  } catch {
    return false
  }
}

/**
 * @returns true if it was installed. Only root may install it, and other distributions have no package of
 * this name, or a different one.
 */
function installFromDebian(env: NodeJS.ProcessEnv, say: (text: string) => void): boolean {
  const release = '/etc/os-release'
  const isDebian = existsSync(release) && /^ID=debian$/m.test(readFileSync(release, 'utf8'))
  if (!isDebian || process.getuid?.() !== 0) return false
  say('Installing Chromium from Debian (once; about 200 MB on disk) …')
  for (const args of [
    ['update'],
    ['install', '--yes', '--no-install-recommends', 'chromium-headless-shell'],
  ]) {
    const done = spawnSync('apt-get', ['-qq', '-o', 'Acquire::Retries=3', ...args], {
      env: { ...env, DEBIAN_FRONTEND: 'noninteractive' },
      encoding: 'utf8',
    })
    if (done.status === 0) continue
    say(`apt-get ${args[0]} failed: ${done.error?.message ?? done.stderr.trim().split('\n').at(-1)}`)
    return false
  }
  return true
}
