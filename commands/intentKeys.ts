import { randomBytes } from 'node:crypto'
import { publicKeyOf } from '../src/custody/proof.ts'
import { ConfigError } from '../src/platform/config.ts'
import { runCommand } from '../src/platform/runCommand.ts'
import { Secret } from '../src/platform/secrets.ts'

// npm run intent-keys             makes the keys with which the API and the worker sign requests to the
// treasury: lines for .env npm run intent-keys -- api      replaces one: first add the new public key before
// the old one at the treasury (docs/operations.md) npm run intent-keys -- worker

const processes = ['api', 'worker'] as const
const usage = 'Usage: npm run intent-keys [-- api | worker]'

await runCommand({ usage }, async (asked) => {
  if (asked.length > 1 || asked.some((name) => !(processes as readonly string[]).includes(name)))
    throw new ConfigError(usage)
  for (const name of asked.length > 0 ? asked : processes) {
    const key = new Secret(randomBytes(32).toString('base64'))
    const prefix = name.toUpperCase()
    // The only place where the key is printed.
    process.stdout.write(
      `${prefix}_INTENT_KEY=${key.reveal()}\n${prefix}_INTENT_PUBLIC_KEYS=${publicKeyOf(key)}\n`,
    )
  }
})
