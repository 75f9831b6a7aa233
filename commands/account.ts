import { randomBytes } from 'node:crypto'
import { type Account, findAccountByEmail } from '../src/accounts/findAccount.ts'
import { createPasswords } from '../src/accounts/passwords.ts'
import { membershipsOf } from '../src/accounts/provenAddress.ts'
import { removeOperator } from '../src/accounts/removeOperator.ts'
import { revokeAllSignIns } from '../src/accounts/signIns.ts'
import { rollSigningKeys } from '../src/accounts/signingKeys.ts'
import { endOwnerChanges } from '../src/approvals/requestApproval.ts'
import { recordAudit, systemActor } from '../src/audit/recordAudit.ts'
import { normalEmail } from '../src/mail/normalEmail.ts'
import { type Mailing, queueMail } from '../src/mail/queueMail.ts'
import { mailSettings } from '../src/mail/settings.ts'
import { auditOfVoided, endInvitationsBy, endLinksFor, makeInvitation } from '../src/members/invitations.ts'
import { ConfigError, readConfig, readSettings } from '../src/platform/config.ts'
import type { Db } from '../src/platform/database/db.ts'
import { isUuid } from '../src/platform/ids.ts'
import { createMetrics } from '../src/platform/telemetry/metrics.ts'
import { program } from './program.ts'
import { UsageError } from './usageError.ts'
import { withDatabase } from './withDatabase.ts'

const say = (text: string) => process.stdout.write(`${text}\n`)
const actor = systemActor('cowry account')

/** The commands with an address, and the options of each. */
const withEmail: Record<string, { mail?: true; keep?: true; limit?: true }> = {
  operator: { mail: true },
  'remove-operator': {},
  reset: { mail: true, keep: true },
  lock: {},
  'business-limit': { limit: true },
}

export const run = program('account', ([...words], { mail = false, keep = [] }) =>
  change(words, { mail, keep }),
)

interface Options {
  mail: boolean
  keep: string[]
}

function isUnderstood([command = '', email = '', ...more]: string[], { mail, keep }: Options): boolean {
  const takes = Object.hasOwn(withEmail, command) ? withEmail[command] : undefined
  if (!takes)
    return command === 'roll-signing-keys' && email === '' && more.length === 0 && !mail && keep.length === 0
  const limitFits = takes.limit ? more.length === 1 && /^[0-9]{1,6}$/.test(more[0] ?? '') : more.length === 0
  const optionsFit = (takes.mail || !mail) && (takes.keep || keep.length === 0) && keep.every(isUuid)
  return /^[^\s@]+@[^\s@]+$/.test(email) && limitFits && optionsFit
}

async function change(args: string[], options: Options): Promise<void> {
  if (!isUnderstood(args, options)) throw new UsageError()
  const [command, email, limit] = args
  await withDatabase(readConfig(['DATABASE_URL']).DATABASE_URL, async (db) => {
    if (command === 'operator' || command === 'reset') await invite(db, command, email ?? '', options)
    else if (command === 'remove-operator') await endOperator(db, email ?? '')
    else if (command === 'lock') await lock(db, email ?? '')
    else if (command === 'business-limit') await setLimit(db, email ?? '', Number(limit))
    else await roll(db)
  })
}

async function invite(
  db: Db,
  purpose: 'operator' | 'reset',
  email: string,
  { mail, keep }: Options,
): Promise<void> {
  const { BASE_URL } = readConfig(['BASE_URL'])
  const { MAIL_FROM } = readSettings('api', mailSettings.api)
  if (mail && MAIL_FROM === undefined)
    throw new ConfigError('This platform sends no mail: MAIL_FROM is not set')
  const mailing: Mailing | null = mail ? { appKey: readConfig(['APP_KEY']).APP_KEY } : null
  if (purpose === 'reset') {
    const account = await accountOf(db, email)
    if (mail && account.lockedAt)
      throw new ConfigError(
        `${account.email} is locked: access to its mailbox must not unlock it. Leave out --mail and hand the link over`,
      )
    await showMemberships(db, account, keep)
  }
  const token = await db.tx(async (tx) => {
    const made = await makeInvitation(tx, { purpose, email, invitedBy: null, isMailed: mail, keeps: keep })
    if (mailing)
      await queueMail(mailing, tx, {
        kind: purpose,
        email: normalEmail(email),
        invitationId: made.id,
        token: made.token,
      })
    const action = purpose === 'reset' ? 'account.reset_offered' : 'operator.invited'
    const chosen = { ...(mail ? { byMail: true } : {}), ...(keep.length > 0 ? { keeps: keep } : {}) }
    const after = { email: normalEmail(email), ...chosen, ...auditOfVoided(made.voided) }
    await recordAudit(tx, actor, { businessId: null, action, target: made.id, after })
    return made.token
  })
  if (mail) {
    say(`A link is mailed to ${normalEmail(email)}; it works once, for seven days.`)
    return
  }
  say(`Give this link to ${normalEmail(email)}; it works once, for seven days:`)
  // The only place where the token is printed.
  say(`${BASE_URL.replace(/\/$/, '')}/dashboard/invitation#${token.reveal()}`)
}

/**
 * Prints what a reset does to the account's memberships. @throws ConfigError if the account is not a member
 * of a business to keep
 */
async function showMemberships(db: Db, account: Account, keep: readonly string[]): Promise<void> {
  const memberships = await membershipsOf(db, account.id)
  const otherBusiness = keep.find((id) => !memberships.some(({ businessId }) => businessId === id))
  if (otherBusiness !== undefined)
    throw new ConfigError(`${account.email} is not a member of the business ${otherBusiness}`)
  if (memberships.length === 0) return
  const isProven = account.emailProvenAt !== null
  say(`${account.email} is a member of:`)
  for (const { businessId, name, role, joinedAt } of memberships) {
    const fate = isProven || keep.includes(businessId) ? 'stays' : 'ENDS'
    say(
      `  ${fate}  ${businessId}  ${role} since ${joinedAt.toISOString().slice(0, 10)}  ${JSON.stringify(name)}`,
    )
  }
  if (isProven || memberships.every(({ businessId }) => keep.includes(businessId))) return
  say(
    'The address was not proven when these started: another person may have opened the account. Memberships marked ENDS end when the link is used.',
  )
  say(
    `Keep one that is certainly theirs with --keep <business id>. A business without an owner gets one under Platform in the dashboard.`,
  )
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
  say(`${[`${normalEmail(email)} is no longer an operator of the platform`, ...voided].join('; ')}.`)
}

async function lock(db: Db, email: string): Promise<void> {
  const account = await accountOf(db, email)
  const unknownPassword = await createPasswords(createMetrics('account')).hash(
    randomBytes(32).toString('base64'),
  )
  const [ended, voided] = await db.tx(async (tx) => {
    const own = await endLinksFor(tx, account.email, 'reset', 'operator')
    await tx.query(
      'update accounts set password_hash = $2, locked_at = coalesce(locked_at, now()) where id = $1',
      [account.id, unknownPassword],
    )
    const count = await revokeAllSignIns(tx, actor, account.id)
    // After their sessions: an invitation that a session was making is either stored by now or can no longer
    // be.
    const links = [...own, ...(await endInvitationsBy(tx, account.id))]
    const approvalsEnded = await endOwnerChanges(tx, account.id)
    await recordAudit(tx, actor, {
      businessId: null,
      action: 'account.locked',
      target: account.id,
      after: {
        signInsEnded: count,
        ...auditOfVoided(links),
        ...(approvalsEnded > 0 ? { approvalsEnded } : {}),
      },
    })
    return [count, links.length]
  })
  say(`${account.email} is locked; ${ended} sessions and tokens have ended, ${voided} invitations are void.`)
  say(`npm run cowry -- account reset ${account.email} unlocks it.`)
}

async function setLimit(db: Db, email: string, limit: number): Promise<void> {
  const account = await accountOf(db, email)
  await db.tx(async (tx) => {
    await tx.query('update accounts set business_limit = $2 where id = $1', [account.id, limit])
    await recordAudit(tx, actor, {
      businessId: null,
      action: 'account.business_limit_set',
      target: account.id,
      after: { limit },
    })
  })
  say(`${account.email} and the accounts that it invited may open ${limit} businesses together.`)
}

async function roll(db: Db): Promise<void> {
  const { APP_KEY } = readConfig(['APP_KEY'])
  await rollSigningKeys({ db, appKey: APP_KEY }, (tx) =>
    recordAudit(tx, actor, { businessId: null, action: 'signing_keys.rolled', target: null }),
  )
  say('Access tokens are signed with a new key; older tokens are refused within half a minute.')
}
