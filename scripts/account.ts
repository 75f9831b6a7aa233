import { randomBytes } from 'node:crypto'
import { type Account, findAccountByEmail, normalEmail } from '../src/accounts/findAccount.ts'
import { endInvitationsBy, endLinksFor, makeInvitation, tellVoided } from '../src/accounts/invitations.ts'
import { createPasswords } from '../src/accounts/passwords.ts'
import { removeOperator } from '../src/accounts/removeOperator.ts'
import { revokeAllSignIns } from '../src/accounts/signIns.ts'
import { rollSigningKeys } from '../src/accounts/signingKeys.ts'
import { recordAudit, systemActor } from '../src/audit/recordAudit.ts'
import { ConfigError, readConfig } from '../src/platform/config.ts'
import type { Db } from '../src/platform/db.ts'
import { createMetrics } from '../src/platform/metrics.ts'
import { openModelDb } from '../src/platform/modelDb.ts'

// npm run account -- operator <email>     prints a link that makes whoever has it an operator of the platform
// npm run account -- reset <email>        prints a link that sets a new password; ends the account's sessions and second factor when it is used
// npm run account -- remove-operator <email>  takes the platform, and open links to it, from somebody, and voids what they offered as an operator;
//                                             their place in businesses stays
// npm run account -- lock <email>             ends every session and token of an account, its open links, and all invitations that it sent; nobody
//                                             signs in before it is reset
// npm run account -- roll-signing-keys    makes a new signing key and ends every access token

const say = (text: string) => process.stdout.write(`${text}\n`)
const usage = 'Usage: npm run account -- operator <email> | remove-operator <email> | reset <email> | lock <email> | roll-signing-keys'
const actor = systemActor('npm run account')

try {
  await run(process.argv.slice(2))
} catch (error) {
  if (!(error instanceof ConfigError)) throw error
  process.stderr.write(`${error.message}\n`)
  process.exitCode = 2
}

async function run([command, email, ...more]: string[]): Promise<void> {
  const needsEmail = ['operator', 'remove-operator', 'reset', 'lock'].includes(command ?? '')
  const isRight = more.length === 0 && (needsEmail ? /^[^\s@]+@[^\s@]+$/.test(email ?? '') : command === 'roll-signing-keys' && email === undefined)
  if (!isRight) throw new ConfigError(usage)
  const { DATABASE_URL } = readConfig(['DATABASE_URL'])
  const db = openModelDb(DATABASE_URL, 1)
  try {
    if (command === 'operator' || command === 'reset') await invite(db, command, email ?? '')
    else if (command === 'remove-operator') await endOperator(db, email ?? '')
    else if (command === 'lock') await lock(db, email ?? '')
    else await roll(db)
  } finally {
    await db.close()
  }
}

async function invite(db: Db, purpose: 'operator' | 'reset', email: string): Promise<void> {
  const { BASE_URL } = readConfig(['BASE_URL'])
  if (purpose === 'reset') await accountOf(db, email)
  const token = await db.tx(async (tx) => {
    const made = await makeInvitation(tx, { purpose, email, invitedBy: null })
    const action = purpose === 'reset' ? 'account.reset_offered' : 'operator.invited'
    const after = { email: normalEmail(email), ...tellVoided(made.voided) }
    await recordAudit(tx, actor, { businessId: null, action, target: made.id, after })
    return made.token
  })
  say(`Give this link to ${normalEmail(email)}; it works once, for seven days:`)
  // The one place where it is told.
  say(`${BASE_URL.replace(/\/$/, '')}/dashboard/invitation#${token.reveal()}`)
}

async function accountOf(db: Db, email: string): Promise<Account> {
  const account = await findAccountByEmail(db, email)
  if (!account) throw new ConfigError(`There is no account for ${email}`)
  return account
}

async function endOperator(db: Db, email: string): Promise<void> {
  const ended = await removeOperator({ db }, actor, email)
  if (!ended) throw new ConfigError(`${email} does not operate the platform, and no open link lets them`)
  const voided = [
    ...(ended.links > 0 ? ['the open link to it is void'] : []),
    ...(ended.offers > 0 ? [`${ended.offers} invitations that they sent are void`] : []),
  ]
  say(`${[`${normalEmail(email)} operates the platform no more`, ...voided].join('; ')}.`)
}

async function lock(db: Db, email: string): Promise<void> {
  const account = await accountOf(db, email)
  const nobodyKnows = await createPasswords(createMetrics('account')).hash(randomBytes(32).toString('base64'))
  const [ended, voided] = await db.tx(async (tx) => {
    const own = await endLinksFor(tx, account.email, 'reset', 'operator')
    await tx.query('update accounts set password_hash = $2 where id = $1', [account.id, nobodyKnows])
    const count = await revokeAllSignIns(tx, actor, account.id)
    // After their sessions: what one of them was about to offer is there by now, or never comes.
    const links = [...own, ...(await endInvitationsBy(tx, account.id))]
    await recordAudit(tx, actor, {
      businessId: null,
      action: 'account.locked',
      target: account.id,
      after: { signInsEnded: count, ...tellVoided(links) },
    })
    return [count, links.length]
  })
  say(`${account.email} is locked; ${ended} sessions and tokens have ended, ${voided} invitations are void.`)
  say(`npm run account -- reset ${account.email} lets them in again.`)
}

async function roll(db: Db): Promise<void> {
  const { APP_KEY } = readConfig(['APP_KEY'])
  await rollSigningKeys({ db, appKey: APP_KEY }, (tx) => recordAudit(tx, actor, { businessId: null, action: 'signing_keys.rolled', target: null }))
  say('Access tokens are signed with a new key; those of before are refused within half a minute.')
}
