import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from '@jest/globals'
import { endLeftover, endOf, rememberService } from '../../scripts/local/service.ts'

test('a pid that now belongs to another program is left alone; our own is killed', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'cowry-leftover-'))
  const pidFile = join(folder, 'server.pid')
  const other = spawn('sleep', ['61'])
  try {
    await endLeftover(pidFile, 'SIGTERM')
    rememberService(pidFile, { pid: other.pid ?? 0 }, 'redis-server 127.0.0.1:6379')
    await endLeftover(pidFile, 'SIGTERM')
    writeFileSync(pidFile, `${other.pid}\n`)
    await endLeftover(pidFile, 'SIGTERM')
    expect([other.exitCode, other.signalCode]).toEqual([null, null])

    rememberService(pidFile, { pid: other.pid ?? 0 }, 'sleep 61')
    await endLeftover(pidFile, 'SIGTERM')
    await endOf(other)
    expect(other.signalCode).toBe('SIGTERM')
  } finally {
    other.kill('SIGKILL')
    rmSync(folder, { recursive: true })
  }
})
