import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { commandOf } from '../local/service.ts'

/**
 * Prevents two starts in one `COWRY_HOME`.
 * @throws if another start runs in it
 */
export function lockHome(home: string): { release(): void } {
  const file = join(home, 'start.pid')
  if (existsSync(file)) {
    const pid = Number(readFileSync(file, 'utf8'))
    if (pid && pid !== process.pid && commandOf(pid).includes('scripts/dev/start.ts')) {
      throw new Error(
        `another npm start (process ${pid}) runs in ${home}. Give this one its own COWRY_HOME and PORT.`,
      )
    }
  }
  writeFileSync(file, String(process.pid))
  return { release: () => rmSync(file, { force: true }) }
}
