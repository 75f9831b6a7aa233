import { randomBytes } from 'node:crypto'
import { publicKeyOf } from '../src/custody/proof.ts'
import { Secret } from '../src/platform/secrets.ts'
import { program } from './program.ts'
import { UsageError } from './usageError.ts'

const processes = ['api', 'worker'] as const

export const run = program('intent-keys', async (asked) => {
  if (asked.length > 1 || asked.some((name) => !(processes as readonly string[]).includes(name)))
    throw new UsageError()
  for (const name of asked.length > 0 ? asked : processes) {
    const key = new Secret(randomBytes(32).toString('base64'))
    const prefix = name.toUpperCase()
    // The only place where the key is printed.
    process.stdout.write(
      `${prefix}_INTENT_KEY=${key.reveal()}\n${prefix}_INTENT_PUBLIC_KEYS=${publicKeyOf(key)}\n`,
    )
  }
})
