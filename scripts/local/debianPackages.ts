import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'

/**
 * Downloads packages of Debian and unpacks them below `folder/root`, without installing and without root's
 * rights. Two processes may do this at once: each unpacks into a folder of its own and renames it.
 * @param isThere true if the folder is complete
 * @returns false where a download failed
 */
export function unpackFromDebian(
  folder: string,
  packages: readonly string[],
  { isThere, say }: { isThere: () => boolean; say: (text: string) => void },
): boolean {
  const aside = `${folder}.${process.pid}`
  mkdirSync(join(aside, 'lists/partial'), { recursive: true })
  mkdirSync(join(aside, 'cache/archives/partial'), { recursive: true })
  const options = [
    `Dir::State::lists=${aside}/lists`,
    `Dir::Cache=${aside}/cache`,
    'Debug::NoLocking=1',
    'APT::Sandbox::User=',
    'Acquire::Retries=3',
  ].flatMap((option) => ['-o', option])
  try {
    for (const step of [['update'], ['download', ...packages]]) {
      const done = spawnSync('apt-get', [...options, '-qq', ...step], { cwd: aside, encoding: 'utf8' })
      if (done.status !== 0) {
        say(`apt-get ${step[0]} failed: ${done.stderr.trim().split('\n').at(-1)}`)
        return false
      }
    }
    for (const file of readdirSync(aside).filter((name) => name.endsWith('.deb'))) {
      spawnSync('dpkg-deb', ['-x', file, 'root'], { cwd: aside })
      rmSync(join(aside, file))
    }
    rmSync(join(aside, 'lists'), { recursive: true, force: true })
    rmSync(join(aside, 'cache'), { recursive: true, force: true })
    if (!isThere()) {
      rmSync(folder, { recursive: true, force: true })
      if (existsSync(join(aside, 'root'))) renameSync(aside, folder)
    }
  } finally {
    rmSync(aside, { recursive: true, force: true })
  }
  return isThere()
}
