import { type Logger, pino } from 'pino'
import { scrub } from './secrets.ts'

export type Log = Logger

/** Field names of secrets; pino redacts them at the top and one level down. */
const secretNames = [
  'apiKey',
  'authorization',
  'cookie',
  'fromPrivateKey',
  'masterKey',
  'mnemonic',
  'password',
  'privateKey',
  'secret',
  'seed',
  'totp',
  '["x-api-key"]',
]

/** A JSON logger of one process. Text that looks like a credential is also redacted in the finished line. */
export function createLog(process: string, level: string, destination?: { write(line: string): void }): Log {
  return pino(
    {
      level,
      base: { process },
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      redact: { paths: secretNames.flatMap((n) => (n.startsWith('[') ? [n, `*${n}`] : [n, `*.${n}`])), censor: '[redacted]' },
      hooks: { streamWrite: scrub },
    },
    destination ?? pino.destination({ dest: 1, sync: true }),
  )
}
