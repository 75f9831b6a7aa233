import { text } from 'node:stream/consumers'
import pg from 'pg'
import { type Envelope, openEnvelope } from '../../src/custody/envelope.ts'
import { envKeyProvider } from '../../src/custody/keyProvider.ts'
import { Secret } from '../../src/platform/secrets.ts'

/*
 * A program of an attacker who has the environment of one process: it takes every database and every key that
 * it finds there, and tries to read and to open the seed and the keys of stored wallets. Rows that it could
 * have from a stolen backup come on standard input.
 */

export interface Attempt {
  /** Statements that some database of the environment answered. */
  read: string[]
  /** Rows that some key of the environment opened. */
  opened: string[]
  /** What there was to try with. */
  databases: number
  keys: number
}

const statements = [
  'select * from seeds',
  'select sealed from seeds',
  'select wrapped_key from seeds',
  'copy seeds to stdout',
  'select wrapped_key from wallet_keys',
  'select sealed from wallet_keys',
  'select sealed from wallets',
  'create temporary table mine as select * from seeds',
  'update seeds set provider = provider',
  'delete from seeds',
  'select pg_read_file(pg_relation_filepath($$seeds$$))',
]

const values = Object.values(process.env) as string[]
const urls = values.filter((value) => /^postgres(ql)?:/.test(value))
const keys = values.filter((value) => /^[A-Za-z0-9+/]{43}=$/.test(value))
const attempt: Attempt = { read: [], opened: [], databases: urls.length, keys: keys.length }

for (const url of urls) {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  for (const statement of statements) {
    await client.query('begin')
    const answered = await client.query(statement).then(
      () => true,
      () => false,
    )
    await client.query('rollback')
    if (answered) attempt.read.push(statement)
  }
  await client.end()
}

interface Stolen {
  name: string
  context: string
  envelope: { provider: string; wrappingKey: string | null; wrappedKey: string; sealed: string }
}
for (const { name, context, envelope } of JSON.parse(await text(process.stdin)) as Stolen[]) {
  const bytes = {
    wrappedKey: Buffer.from(envelope.wrappedKey, 'base64'),
    sealed: Buffer.from(envelope.sealed, 'base64'),
  }
  for (const key of keys) {
    const provider = envKeyProvider(new Secret(key))
    // The marker only names the key: an attacker tries all.
    const row: Envelope = { ...provider.current, ...bytes }
    const opened = await openEnvelope(provider, row, context).catch(() => null)
    if (opened) attempt.opened.push(name)
  }
}
process.stdout.write(JSON.stringify(attempt))
