import { randomBytes } from 'node:crypto'
import { actorOf } from '../../../src/accounts/signIn.ts'
import { changeKey, rotateKey } from '../../../src/apiKeys/changeKey.ts'
import { createKey } from '../../../src/apiKeys/createKey.ts'
import { approvalStateOf } from '../../../src/approvals/approvalState.ts'
import { decideApproval } from '../../../src/approvals/decideApproval.ts'
import { decidedSetting } from '../../../src/approvals/decidedSetting.ts'
import { hasProvenApproval } from '../../../src/approvals/hasProvenApproval.ts'
import { joinByInvitation } from '../../../src/businesses/acceptInvitation.ts'
import { decidedOwner } from '../../../src/businesses/decidedOwner.ts'
import { changeMember } from '../../../src/businesses/members.ts'
import { approvalSources } from '../../../src/capabilities.ts'
import { type ConfiguredChain, knownChain } from '../../../src/chains/registry.ts'
import { createDestination } from '../../../src/destinations/createDestination.ts'
import { decidedDestination } from '../../../src/destinations/decidedDestination.ts'
import { inviteMember } from '../../../src/members/invitations.ts'
import type { Role } from '../../../src/members/role.ts'
import { requestOutflowApproval } from '../../../src/outflows/requestOutflowApproval.ts'
import { storeOutflow } from '../../../src/outflows/storeOutflow.ts'
import { getAutopayout, setAutopayout } from '../../../src/payouts/autopayout.ts'
import { getPayoutSettings, setPayoutSettings } from '../../../src/payouts/payoutSettings.ts'
import { newId } from '../../../src/platform/ids.ts'
import { Secret } from '../../../src/platform/secrets.ts'
import { readLimits } from '../../../src/spendingLimits/readLimits.ts'
import { decidedLimits, setLimits } from '../../../src/spendingLimits/setLimits.ts'
import type { Person } from '../../support/dashboardSession.ts'
import type { TestDatabase } from '../../support/database.ts'
import { proofs, provers } from '../../support/intentKeys.ts'
import { insertBusiness } from '../../support/madeBusiness.ts'
import { makeDestination } from '../../support/madeDestination.ts'

// A business of the product, as its people use it: by the functions behind the operations, in a real
// database.

const chains = ['ethereum'].flatMap((name) => knownChain(name) ?? []) as unknown as ConfiguredChain[]
const appKey = new Secret(randomBytes(32).toString('base64'))
const knownPermissions = new Map([
  ['refunds:create', { scope: 'write' as const, minRole: 'developer' as const }],
])
const payment = { whyOver: async () => null, approved: async () => {}, refused: async () => {} }
const decided = {
  payout: payment,
  destination: decidedDestination,
  limits: decidedLimits,
  setting: decidedSetting(approvalSources.settings),
  owner: decidedOwner,
}
const as = (person: Person) => actorOf(person, { address: '127.0.0.1', requestId: 'made-by-a-test' })
export const errorOf = (error: { error?: string }): string => error.error ?? String(error)

export class World {
  readonly businessId = newId()
  readonly wallet = newId()
  readonly destinations: string[] = []
  private readonly database: TestDatabase
  readonly people: readonly Person[]

  constructor(database: TestDatabase, people: readonly Person[]) {
    this.database = database
    this.people = people
  }

  private person(index: number): Person {
    return this.people[index] as Person
  }
  private get keys() {
    return { db: this.database.db, environment: 'test' as const, knownPermissions }
  }

  /**
   * Opens it with these people, whom no one of it invited, with thresholds, and without a cooling-off time.
   */
  async open(roles: ReadonlyMap<number, Role>): Promise<void> {
    const { db } = this.database
    await insertBusiness(db, this.businessId, 'pays')
    for (const [index, role] of roles)
      await db.query('insert into members (business_id, account_id, role) values ($1, $2, $3)', [
        this.businessId,
        this.person(index).id,
        role,
      ])
    const limits = { approvalAbove: { value: '10', next: null } }
    await db.query(
      'insert into payout_settings (business_id, cooling_off_hours, limits) values ($1, 0, $2)',
      [this.businessId, JSON.stringify(limits)],
    )
    await db.query(
      "insert into send_limits (subject, subject_id, business_id, amounts) values ('wallet', $1, $2, '[]')",
      [this.wallet, this.businessId],
    )
    this.destinations.push(
      await makeDestination(db, this.businessId),
      await makeDestination(db, this.businessId),
    )
  }

  async invite(by: number, who: number, role: Role): Promise<void> {
    const joining = this.person(who)
    const { token } = await inviteMember(this.database, as(this.person(by)), this.businessId, {
      email: joining.email,
      role,
    })
    await joinByInvitation(
      this.database,
      { accountId: joining.id, signInId: newId(), actor: as(joining) },
      token.reveal(),
    )
  }

  async promote(by: number, who: number, role: Role): Promise<void> {
    await changeMember(this.database, as(this.person(by)), this.businessId, this.person(who).id, role)
  }

  async makeKey(by: number, role: Role): Promise<string> {
    const wanted = { name: 'k', scope: 'write' as const, permissions: ['refunds:create'] }
    const { key } = await createKey(this.keys, { actor: as(this.person(by)), role }, this.businessId, wanted)
    return this.fromBefore(key.id)
  }

  /** As a key from before `refunds:address`: developers make keys too, and only owners could give it. */
  private async fromBefore(key: string): Promise<string> {
    await this.database.db.query(
      "update api_keys set refund_address_until = now() + interval '1 day' where id = $1",
      [key],
    )
    return key
  }

  async rotate(by: number, role: Role, key: string): Promise<string> {
    const { key: next } = await rotateKey(
      this.keys,
      { actor: as(this.person(by)), role },
      this.businessId,
      key,
      60,
    )
    return this.fromBefore(next.id)
  }

  /** Takes the permission away, and gives it again. */
  async permit(by: number, role: Role, key: string): Promise<void> {
    for (const permissions of [[], ['refunds:create']])
      await changeKey(this.keys, { actor: as(this.person(by)), role }, this.businessId, key, { permissions })
    await this.fromBefore(key)
  }

  /** @returns the subject */
  async requestRefund(by: number | string): Promise<string> {
    const taken = { chain: 'ethereum', token: 'USDC', amount: 1n }
    const wallet = { ...taken, address: `0x${'34'.repeat(20)}`, memo: null }
    const askedBy = typeof by === 'number' ? { askedByAccount: this.person(by).id } : { askedByKey: by }
    const wanted = {
      kind: 'refund',
      businessId: this.businessId,
      status: 'awaiting_approval',
      ...taken,
      wallet,
      bank: null,
      ...askedBy,
    } as const
    return this.database.db.tx(async (tx) => {
      const { outflow } = await storeOutflow({ madeBy: 'api', prover: provers.api }, tx, wanted)
      await requestOutflowApproval(tx, outflow)
      return outflow.id
    })
  }

  async setThreshold(by: number, approvalAbove: string | null): Promise<void> {
    await setPayoutSettings(
      { db: this.database.db, excessHoldDays: 30 },
      as(this.person(by)),
      this.businessId,
      { coolingOffHours: 0, approvalAbove },
    )
  }

  async setWallet(by: number, isOpen: boolean): Promise<void> {
    const wanted = { amounts: isOpen ? null : [], destinations: null }
    const subject = { kind: 'wallet', id: this.wallet } as const
    await setLimits(
      { ...this.database, chains },
      as(this.person(by)),
      { businessId: this.businessId, subject, only: null },
      wanted,
    )
  }

  async setAutopayout(by: number, target: number | null): Promise<void> {
    const payouts =
      target === null
        ? []
        : [
            {
              chain: 'ethereum',
              token: 'USDC',
              enabled: true,
              destinationId: this.destinations[target] ?? null,
            },
          ]
    await setAutopayout(
      { ...this.database, chains, paymentPartner: null },
      as(this.person(by)),
      this.businessId,
      payouts,
    )
  }

  async addDestination(by: number): Promise<string> {
    const banks = async () => ({ banks: [], asOf: new Date() })
    const ctx = {
      ...this.database,
      chains,
      banks,
      appKey,
      requestKey: async () => appKey,
      prover: provers.api,
    }
    const wanted = { chain: 'ethereum', address: `0x${randomBytes(20).toString('hex')}` }
    return (
      await createDestination(ctx, this.businessId, wanted, async () => {}, {
        accountId: this.person(by).id,
        apiKeyId: null,
      })
    ).id
  }

  /** Requests that are not in the model yet, oldest first. */
  async newRequests(
    known: ReadonlyMap<string, unknown>,
  ): Promise<{ id: string; subject: string; by: number | string }[]> {
    const rows = await this.database.db.query<{
      id: string
      subject: string
      account: string | null
      key: string | null
    }>(
      'select id, subject, asked_by_account as account, asked_by_key as key from approvals where business_id = $1 order by id',
      [this.businessId],
    )
    const byOf = (account: string | null, key: string | null) =>
      key ?? this.people.findIndex(({ id }) => id === account)
    return rows
      .filter(({ id }) => !known.has(id))
      .map(({ id, subject, account, key }) => ({ id, subject, by: byOf(account, key) }))
  }

  async decide(by: number, id: string): Promise<string> {
    const { id: accountId } = this.person(by)
    const decision = { businessId: this.businessId, id, accountId, decision: 'approved' as const }
    return decideApproval(
      { db: this.database.db, prover: provers.api, decided },
      as(this.person(by)),
      decision,
    ).then(() => 'approved', errorOf)
  }

  /** Whether the treasury trusts the approval of a request for money. */
  async mayLeave(id: string): Promise<boolean> {
    return this.database.db.tx(async (tx) => {
      const [row] = await tx.query<{ subject: string; subjectId: string }>(
        'select subject, subject_id as "subjectId" from approvals where id = $1',
        [id],
      )
      if (!row) return false
      const isApproved = (await approvalStateOf(tx, row.subject, row.subjectId)) === 'approved'
      return isApproved && (await hasProvenApproval(tx, proofs.api, row.subject, row.subjectId))
    })
  }

  /** Everything that is protected, as it holds now. */
  async holds(): Promise<{
    threshold: string | null
    wallet: boolean
    autopayout: string | null
    owners: string[]
    targets: string[]
  }> {
    const { db } = this.database
    const { approvalAbove } = await getPayoutSettings(
      { db: this.database.db, excessHoldDays: 30 },
      this.businessId,
    )
    const { amounts } = await readLimits(db, { kind: 'wallet', id: this.wallet })
    const { networks } = await getAutopayout(
      { ...this.database, chains, paymentPartner: null },
      this.businessId,
    )
    const token = networks[0]?.tokens.find((each) => each.token === 'USDC')
    const owners = await db.query<{ id: string }>(
      "select account_id as id from members where business_id = $1 and role = 'owner'",
      [this.businessId],
    )
    const targets = await db.query<{ id: string }>(
      `select id from payout_destinations d where business_id = $1 and archived_at is null and (not needs_approval or exists (
         select 1 from approvals a where a.subject = 'destination' and a.subject_id = d.id and a.decision = 'approved')) order by id`,
      [this.businessId],
    )
    return {
      threshold: approvalAbove,
      wallet: amounts === null,
      autopayout: token?.enabled ? token.destinationId : null,
      owners: owners.map(({ id }) => id).sort(),
      targets: targets.map(({ id }) => id),
    }
  }
}
