import { createHash } from 'node:crypto'
import type { Commit } from './commits.ts'

type Role = 'owner' | 'developer' | 'viewer'
type Row = Record<string, unknown>

const ranks: Role[] = ['viewer', 'developer', 'owner']
/** The role that an audit action needs. */
const needed: [action: RegExp, role: Role][] = [
  [/^(member\.(invited|changed|removed)|invitation\.revoked|payments\.changed)$/, 'owner'],
  [/^key\./, 'developer'],
  [/^member\.left$/, 'viewer'],
]

/** Model of permissions by the commits so far. Shares no code with the tested code. */
export type Holdings = ReturnType<typeof emptyHoldings>

export function emptyHoldings() {
  const state: Record<string, Map<string, Row>> = {}
  const keyOf = (table: string, row: Row) =>
    table === 'members' ? `${row.business_id}/${row.account_id}` : String(row.id)
  const get = (table: string, id: string): Row | undefined => state[table]?.get(id)
  const roleOf = (business: unknown, account: unknown) =>
    (get('members', `${business}/${account}`)?.role as Role | undefined) ?? null
  const isOperator = (account: unknown) => get('accounts', String(account))?.operator === true
  const isSuspended = (business: unknown) => get('businesses', String(business))?.approval === 'suspended'
  const ended = (at: unknown) =>
    at !== null && at !== undefined && new Date(String(at)).getTime() <= Date.now()
  const keyHolds = (id: unknown) => {
    const key = get('api_keys', String(id))
    return key !== undefined && key.revoked_at === null && !ended(key.expires_at)
  }
  /**
   * Answered suspensions by reason, and answered revocations of keys: transactions in progress before have
   * ended.
   */
  const answered = { suspended: new Map<string, string>(), revoked: new Set<string>() }
  const isHeld = (id: unknown) => {
    const reason = answered.suspended.get(String(id))
    return (
      reason !== undefined && isSuspended(id) && get('businesses', String(id))?.approval_reason === reason
    )
  }
  const mayOffer = ({ invited_by, business_id }: Row) =>
    invited_by === null || isOperator(invited_by) || roleOf(business_id, invited_by) === 'owner'
  const isOpen = (row: Row) => row.accepted_at === null && row.revoked_at === null
  const isSignedIn = (account: unknown) =>
    [...(state.sign_ins?.values() ?? [])].some((row) => row.account_id === account && row.revoked_at === null)
  return {
    roleOf,
    isOperator,
    isSuspended,
    isHeld,
    isRevoked: (id: unknown) => answered.revoked.has(String(id)),
    keyHolds,
    mayOffer,
    isSignedIn,
    offers(token: string): boolean {
      const hash = `\\x${createHash('sha256').update(`cowry/invitation/${token}`).digest('hex')}`
      const row = [...(state.invitations?.values() ?? [])].find(({ token_hash }) => token_hash === hash)
      return row !== undefined && isOpen(row) && mayOffer(row)
    },
    openOffersWithoutRight: () =>
      [...(state.invitations?.values() ?? [])].filter((row) => isOpen(row) && !mayOffer(row)),
    apply({ changes }: Commit): void {
      for (const { table, act, row } of changes) {
        if (table === 'answers') {
          if (row.suspended !== undefined) answered.suspended.set(String(row.suspended), String(row.reason))
          else answered.revoked.add(String(row.revoked))
          continue
        }
        state[table] ??= new Map()
        if (act === 'DELETE') state[table].delete(keyOf(table, row))
        else state[table].set(keyOf(table, row), row)
      }
    },
  }
}

/** Violations in a commit: actions without the needed permission, by earlier commits. */
export const wrongOf = (held: Holdings, { changes }: Commit): string[] =>
  changes.flatMap(({ table, row }) => {
    if (table === 'invitations')
      return row.accepted_at === null || held.mayOffer(row)
        ? []
        : [`an offer of ${row.invited_by} was accepted`]
    if (table !== 'audit_log') return []
    return lacks(held, row as Record<string, string>).map(
      (what) => `${row.action} by ${row.actor_id}: ${what}`,
    )
  })

/** Permissions that the actor of an audit entry lacked. */
function lacks(
  held: Holdings,
  { action = '', actor_kind: kind, actor_id: actor, business_id: business }: Record<string, string>,
): string[] {
  const unless = (holds: boolean, what: string) => (holds ? [] : [what])
  const inBusiness = unless(!held.isHeld(business), 'their business was suspended')
  if (kind === 'api_key') return [...unless(!held.isRevoked(actor), 'the key had ended'), ...inBusiness]
  // Commands of the test need no permission.
  if (kind !== 'account') return []
  const signedIn = unless(held.isSignedIn(actor), 'they were signed out')
  if (/^business\.(approved|suspended)$/.test(action))
    return [...unless(held.isOperator(actor), 'they were not an operator'), ...signedIn]
  const role = needed.find(([pattern]) => pattern.test(action))?.[1]
  if (role === undefined) return []
  const has = held.roleOf(business, actor)
  return [
    ...unless(has !== null && ranks.indexOf(has) >= ranks.indexOf(role), `they were ${has}`),
    ...inBusiness,
    ...signedIn,
  ]
}
