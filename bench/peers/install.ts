import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { progress } from '../progress.ts'
import type { Scope } from '../scope.ts'
import { startPeer } from './process.ts'

interface Manifest {
  version?: string
  dependencies?: Record<string, string>
}

const manifest = (folder: string) =>
  JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Manifest

/** Versions that a peer's folder pins. */
export const pinned = (folder: string): Record<string, string> => manifest(folder).dependencies ?? {}

/** PATH with our Node first, for scripts that start with `#!/usr/bin/env node`. */
export const searchPath = (...first: string[]): string =>
  [...first, dirname(process.execPath), process.env.PATH].join(':')

interface Installer {
  command: string
  args: string[]
  env?: Record<string, string>
}

const npm: Installer = {
  command: 'npm',
  args: ['install', '--no-save', '--no-package-lock', '--no-audit', '--no-fund', '--loglevel=error'],
}

/**
 * Installs the packages that a peer's folder pins, unless they are there. @throws when they are still missing
 * afterwards
 */
export async function install(scope: Scope, folder: string, installer = npm): Promise<void> {
  const missing = () =>
    Object.entries(pinned(folder)).flatMap(([name, version]) => {
      const installed = join(folder, 'node_modules', name)
      const there =
        existsSync(join(installed, 'package.json')) && manifest(installed).version?.replace(/^v/, '')
      return there === version ? [] : [`${name}@${version}`]
    })
  const before = missing()
  if (before.length === 0) return
  progress(`installing ${before.join(', ')}`)
  await startPeer(scope, installer.command, installer.command, installer.args, {
    cwd: folder,
    env: { PATH: searchPath(), ...installer.env },
  }).done()
  const still = missing()
  if (still.length > 0) throw new Error(`not installed as pinned: ${still.join(', ')}`)
}
