import { randomBytes } from 'node:crypto'
import { publicKeyOf } from '../src/outgoing/proof.ts'
import { Secret } from '../src/platform/secrets.ts'

// npm run intent-keys             makes the keys by which the api and the worker prove to the treasury what they ask for: lines for .env
// npm run intent-keys -- api      replaces one: put the new public key before the old one at the treasury first (docs/operations.md)
// npm run intent-keys -- worker

const processes = ['api', 'worker'] as const
const asked = process.argv.slice(2)
if (asked.length > 1 || asked.some((name) => !(processes as readonly string[]).includes(name))) {
  process.stderr.write('Usage: npm run intent-keys [-- api | worker]\n')
  process.exitCode = 2
} else {
  for (const name of asked.length > 0 ? asked : processes) {
    const key = new Secret(randomBytes(32).toString('base64'))
    const prefix = name.toUpperCase()
    // The one place where it is shown.
    process.stdout.write(`${prefix}_INTENT_KEY=${key.reveal()}\n${prefix}_INTENT_PUBLIC_KEYS=${publicKeyOf(key)}\n`)
  }
}
