import { eventExamples } from '../contract/eventExamples.ts'
import type { EventType } from '../contract/events.ts'
import { type CheckName, checkNames, checkReceiver, type NamedFinding } from './checks.ts'
import { readArguments, type Surroundings, UsageError } from './commandLine.ts'
import { listen } from './listen.ts'
import { createTarget, type Target } from './target.ts'

const usage = `cowry-webhooks listen --forward <url> [options]

Forwards your events to a server on your machine: see cowry-webhooks listen --help

cowry-webhooks test <url> [options]

Checks a webhook receiver: events that it must accept, events that it must refuse, and its speed. It sends invented events, signed with your
endpoint's key: use a receiver for tests.

  --secret whsec_…       of an endpoint that signs with hmac; better as COWRY_WEBHOOK_SECRET, which process lists do not show
  --private-key whsk_…   for a receiver that checks ed25519: \`whsk_\` and 32 random bytes in base64. Prints the public key that the receiver
                         needs for the test. Also as COWRY_WEBHOOK_SECRET
  --type <type>          the event to send; default: transaction.detected
  --only <name>,…        ${wrapped(checkNames, 100).join(`,\n${' '.repeat(25)}`)}
  --timeout <seconds>    the deadline of an answer; default: 15, as in Cowry
  --json                 the findings as JSON

Exit codes: 0 no check failed, 1 a check failed, 2 wrong usage.
`

/** Joins names into lines of at most `width` characters. */
function wrapped(names: readonly string[], width: number): string[] {
  const lines = ['']
  for (const name of names) {
    const last = lines.at(-1) ?? ''
    if (last.length + name.length > width) lines.push(name)
    else lines[lines.length - 1] = last === '' ? name : `${last}, ${name}`
  }
  return lines
}

interface Asked {
  url: string
  key: string
  type: EventType
  only: CheckName[] | null
  timeoutMs: number
  json: boolean
}

/** The program `cowry-webhooks`. @returns its exit code */
export async function main(args: readonly string[], around: Surroundings): Promise<0 | 1 | 2> {
  if (args[0] === 'listen') return listen(args.slice(1), around)
  if (args.includes('--help') || args.includes('-h')) {
    around.out(usage)
    return 0
  }
  let asked: Asked
  let target: Target
  try {
    asked = read(args, around.env)
    target = await createTarget(asked.url, asked.key, asked.type, asked.timeoutMs)
  } catch (error) {
    if (!(error instanceof UsageError || error instanceof TypeError)) throw error
    around.err(`${error.message}\n\n${usage}`)
    return 2
  }
  const { publicKey } = target.signer
  const scheme =
    publicKey === null ? 'v1 (HMAC-SHA-256)' : `v1a (Ed25519); the receiver must use ${publicKey}`
  if (!asked.json) around.out(`Checking ${asked.url} with ${asked.type}, signed with ${scheme}\n\n`)
  const findings = await checkReceiver(target, asked.only, (finding) => {
    if (!asked.json) around.out(line(finding))
  })
  const isRight = findings.every(({ verdict }) => verdict !== 'wrong')
  if (asked.json)
    around.out(
      `${JSON.stringify({ url: asked.url, scheme: target.signer.scheme, publicKey, right: isRight, findings }, null, 2)}\n`,
    )
  else around.out(`\n${summary(findings)}\n`)
  return isRight ? 0 : 1
}

function line({ name, verdict, did, came, advice }: NamedFinding): string {
  const head = `${verdict.padEnd(11)}  ${name.padEnd(17)}  ${did}${came === '' ? '' : `: ${came}`}\n`
  return advice === null ? head : `${head}${' '.repeat(32)}${advice}\n`
}

function summary(findings: readonly NamedFinding[]): string {
  const named = (wanted: string) =>
    findings.filter(({ verdict }) => verdict === wanted).map(({ name }) => name)
  const parts = (['wrong', 'warning', 'skipped'] as const).flatMap((verdict) =>
    named(verdict).length > 0 ? [`${verdict}: ${named(verdict).join(', ')}`] : [],
  )
  const rest = findings.some(
    ({ name, verdict }) => (name === 'valid' || name === 'redirect') && verdict === 'wrong',
  )
    ? ['the other checks were skipped']
    : []
  return [`${named('right').length} right`, ...parts, ...rest].join('; ')
}

const options = ['secret', 'private-key', 'type', 'only', 'timeout']

/** @throws UsageError, which holds no key */
function read(args: readonly string[], env: Surroundings['env']): Asked {
  const { given, plain } = readArguments(args, options, ['json'])
  const [command, url = '', ...more] = plain
  if (command !== 'test' || more.length > 0) throw new UsageError('Give one URL to test')
  if (!/^https?:$/.test(URL.canParse(url) ? new URL(url).protocol : ''))
    throw new UsageError('The URL must start with http:// or https://')
  return {
    url,
    key: keyOf(given, env),
    type: typeOf(given.get('type') ?? 'transaction.detected'),
    only: namesOf(given.get('only')),
    timeoutMs: millisecondsOf(given.get('timeout') ?? '15'),
    json: given.has('json'),
  }
}

function keyOf(given: ReadonlyMap<string, string>, env: Surroundings['env']): string {
  const secret = given.get('secret')
  const privateKey = given.get('private-key')
  const key = secret ?? privateKey ?? env.COWRY_WEBHOOK_SECRET ?? ''
  if (secret !== undefined && privateKey !== undefined)
    throw new UsageError('Give --secret or --private-key, not both')
  if (key === '')
    throw new UsageError('Give the key that signs events: COWRY_WEBHOOK_SECRET, --secret or --private-key')
  if (secret !== undefined && !secret.startsWith('whsec_'))
    throw new UsageError('--secret must start with whsec_')
  if (privateKey !== undefined && !privateKey.startsWith('whsk_'))
    throw new UsageError('--private-key must start with whsk_')
  if (key.startsWith('whpk_')) throw new UsageError('A public key cannot sign: give the private one, whsk_…')
  return key
}

function typeOf(type: string): EventType {
  if (!Object.hasOwn(eventExamples, type))
    throw new UsageError(`--type is one of ${Object.keys(eventExamples).join(', ')}`)
  return type as EventType
}

function namesOf(list: string | undefined): CheckName[] | null {
  if (list === undefined) return null
  const names = list.split(',').map((name) => name.trim())
  const unknown = names.find((name) => !checkNames.some((each) => each === name))
  if (unknown !== undefined) throw new UsageError(`Unknown check: ${unknown || '(empty)'}`)
  return names as CheckName[]
}

function millisecondsOf(seconds: string): number {
  const value = Number(seconds)
  if (!(value > 0 && value <= 600)) throw new UsageError('--timeout is a number of seconds, up to 600')
  return value * 1000
}
