import type { Scope } from '../../src/apiKeys/model.ts'
import { createApiKey } from '../../src/apiKeys/storeKey.ts'
import { unnamedPermissions } from '../../src/apiKeys/unnamedPermissions.ts'
import { businessModel } from '../../src/businesses/model.ts'
import { newId } from '../../src/platform/ids.ts'
import type { Stack } from './stack.ts'

/**
 * Headers of another business of the deployment, with a key that may send from stored wallets and name
 * addresses of refunds.
 */
export async function otherBusinessHeaders(stack: Stack): Promise<{ 'x-api-key': string }> {
  const businessId = newId()
  const defaults = { localCurrency: null, feePercent: '0', fxMarginPercent: '0' }
  await businessModel(stack.db.sequelize).create({
    id: businessId,
    name: 'Other business',
    ...defaults,
    accepted: {},
  })
  const writePermissions = [
    ...unnamedPermissions('write', null),
    'refunds:address',
    'wallets:send',
    'bridge:transfer',
  ]
  const requested = {
    businessId,
    name: 'other',
    scope: 'write',
    writePermissions,
    environment: 'test',
  } as const
  return { 'x-api-key': (await createApiKey(stack, requested)).reveal() }
}

/** Headers of a new key of the stack's own business. */
export const withScope = (stack: Stack, scope: Scope): Promise<{ 'x-api-key': string }> =>
  keyOf(stack, stack.businessId, scope)

/** The same, limited to these permissions. Only such a key can have those of owners. */
export const withPermissions = (stack: Stack, ...permissions: string[]): Promise<{ 'x-api-key': string }> =>
  keyOf(stack, stack.businessId, 'write', permissions)

/** Sets the finality rules of the stack's business. */
export const chooseFinality = async (stack: Stack, rules: object[]) =>
  stack.api('PUT', '/settings/finality', { rules }, await withPermissions(stack, 'finality:write'))

async function keyOf({ db }: Stack, businessId: string, scope: Scope, permissions: string[] | null = null) {
  return {
    'x-api-key': (
      await createApiKey(
        { db },
        { businessId, name: `suite ${scope}`, scope, permissions, environment: 'test' },
      )
    ).reveal(),
  }
}
