import { type Logger, pino } from 'pino'
import { currentScope } from './scope.ts'
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

/**
 * A JSON logger of one process. Each line written on behalf of a request or job has its `requestId` and `traceId`. Text that looks like a credential
 * is also redacted in the finished line.
 */
export function createLog(process: string, level: string, destination?: { write(line: string): void }): Log {
  return pino(
    {
      level,
      base: { process },
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      redact: { paths: secretNames.flatMap((n) => (n.startsWith('[') ? [n, `*${n}`] : [n, `*.${n}`])), censor: '[redacted]' },
      mixin: idsOfScope,
      hooks: { streamWrite: scrub },
    },
    destination ?? pino.destination({ dest: 1, sync: true }),
  )
}

function idsOfScope(): object {
  const { requestId = null, trace = null } = currentScope() ?? {}
  return { ...(requestId !== null && { requestId }), ...(trace && { traceId: trace.traceId }) }
}
