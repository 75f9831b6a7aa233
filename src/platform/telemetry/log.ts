import { type Logger, type LoggerOptions, pino } from 'pino'
import { BaseError } from '../errors.ts'
import { scrub } from '../secrets.ts'
import { currentScope } from './scope.ts'

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
 * An error as a line shows it, its causes included: the one place where logs take an error apart. The public
 * text is left out, because the internal one says more.
 */
function errorForLog(error: unknown): unknown {
  if (!(error instanceof BaseError)) return pino.stdSerializers.err(error as Error)
  const { publicText: _, ...shown } = pino.stdSerializers.err(error)
  return shown
}

const format = (process: string, level: string): LoggerOptions => ({
  level,
  base: { process },
  timestamp: pino.stdTimeFunctions.isoTime,
  formatters: { level: (label) => ({ level: label }) },
  hooks: { streamWrite: scrub },
  serializers: { err: errorForLog },
})

/**
 * A JSON logger of one process. Each line written on behalf of a request or job has its `requestId` and
 * `traceId`. Text that resembles a credential is also redacted in the finished line.
 */
export function createLog(process: string, level: string, destination: LineOutput = standardOutput()): Log {
  const redact = {
    paths: secretNames.flatMap((n) => (n.startsWith('[') ? [n, `*${n}`] : [n, `*.${n}`])),
    censor: '[redacted]',
  }
  return pino({ ...format(process, level), redact, mixin: idsOfScope }, destination)
}

/** A line for each request: of known fields, without secrets. It names its request itself. */
export type AccessLog = Pick<Log, 'info' | 'debug'>

/**
 * The logger of access lines, to the same output: as each request has one, no field is searched for secrets
 * by name (6 of 11 µs), and lines are written together. Those of the last 10 ms are lost with a process that
 * is killed.
 */
export function accessLogOf(log: Log): AccessLog {
  const output = (log as unknown as Record<symbol, LineOutput>)[pino.symbols.streamSym]
  const write = (line: string) => (output?.later ? output.later(line) : output?.write(line))
  return pino(format(String(log.bindings().process), log.level), { write })
}

/** Where the lines of a log go. */
export interface LineOutput {
  write(line: string): void
  /** Soon, and before what is written next: with others in one call of the system. */
  later?(line: string): void
}

const laterMs = 10
const maxHeld = 16_384

const standardOutput = (): LineOutput => inOrder(pino.destination({ dest: 1, sync: true }))

/** Lines are written at once, so that the last one before a crash is there, except those that may wait. */
export function inOrder(output: { write(lines: string): void }): Required<LineOutput> {
  let held = ''
  let timer: NodeJS.Timeout | null = null
  let endsWithProcess = false
  const flush = () => {
    if (timer) clearTimeout(timer)
    timer = null
    const lines = held
    held = ''
    if (lines !== '') output.write(lines)
  }
  return {
    write(line) {
      flush()
      output.write(line)
    },
    later(line) {
      if (!endsWithProcess) process.on('exit', flush)
      endsWithProcess = true
      held += line
      if (held.length > maxHeld) flush()
      else timer ??= setTimeout(flush, laterMs).unref()
    },
  }
}

function idsOfScope(): object {
  const { requestId = null, trace = null } = currentScope() ?? {}
  return { ...(requestId !== null && { requestId }), ...(trace && { traceId: trace.traceId }) }
}
