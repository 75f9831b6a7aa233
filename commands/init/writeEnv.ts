import {
  chmodSync,
  closeSync,
  existsSync,
  fchmodSync,
  fsyncSync,
  lstatSync,
  openSync,
  renameSync,
  writeSync,
} from 'node:fs'
import { ConfigError } from '../../src/platform/config.ts'

const mode = 0o600

/**
 * Writes a file that only its owner can read. One that is there is never changed: it is refused or, where
 * that is allowed, renamed first.
 * @returns the new name of the one before
 * @throws ConfigError
 */
export function writeEnv(
  path: string,
  text: string,
  { replace, now = new Date() }: { replace: boolean; now?: Date },
): string | null {
  if (!replace) requireNoEnv(path)
  const before = isThere(path) ? `${path}.${now.toISOString().replace(/\D/g, '').slice(0, 17)}` : null
  if (before !== null) {
    if (existsSync(before)) throw new ConfigError(`${before} exists`)
    renameSync(path, before)
    // One that others could read holds secrets too; a link's target may be another's.
    if (!isLink(before)) chmodSync(before, mode)
  }
  // Fails where another process made the file meanwhile, and follows no link.
  const file = openSync(path, 'wx', mode)
  try {
    fchmodSync(file, mode)
    writeSync(file, text)
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
  return before
}

/** @throws ConfigError where the file is there, or a link in its place */
export function requireNoEnv(path: string): void {
  if (isThere(path))
    throw new ConfigError(
      `${path} exists, and was not changed: its keys open what is stored. For a new deployment, give --replace; the file is then kept under another name.`,
    )
}

const isThere = (path: string) => existsSync(path) || isLink(path)

/** Also one that leads nowhere. */
const isLink = (path: string) => lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() ?? false
