import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import type { World } from './world.ts'

/** Calls the public API with curl, as its users do. */
export async function curl(
  { origin }: Pick<World, 'origin'>,
  key: string,
  path: string,
  body?: object,
): Promise<{ status: number; body: { error?: string; code?: string } & Record<string, unknown> }> {
  const sent = body ? ['--header', 'Content-Type: application/json', '--data', JSON.stringify(body)] : []
  const { stdout } = await promisify(execFile)('curl', [
    '--silent',
    '--show-error',
    '--max-time',
    '10',
    '--write-out',
    '\n%{http_code}',
    '--header',
    `X-API-Key: ${key}`,
    ...sent,
    `${origin}/api/v1${path}`,
  ])
  const end = stdout.lastIndexOf('\n')
  return { status: Number(stdout.slice(end + 1)), body: JSON.parse(stdout.slice(0, end)) }
}
