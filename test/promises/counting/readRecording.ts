import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'

// A separate loader for test/fixtures: the counts share no code with the tests that they check.

const fileOf = (name: string) => join(import.meta.dirname, '../../fixtures', `${name}.gz`)

/** @param name path in test/fixtures, for instance `tron/block-79072107.json` */
export const readRecording = <Content>(name: string): Content =>
  JSON.parse(gunzipSync(readFileSync(fileOf(name))).toString('utf8')) as Content

export const isRecorded = (name: string): boolean => existsSync(fileOf(name))

/** The recorded heights of a chain with a folder per block; empty for a chain without a folder. */
export function recordedHeights(chain: string): number[] {
  const folder = join(import.meta.dirname, '../../fixtures', chain)
  if (!existsSync(folder)) return []
  return readdirSync(folder)
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .sort((a, b) => a - b)
}
