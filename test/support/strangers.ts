import { businessModel } from '../../src/accounts/models.ts'
import type { Scope } from '../../src/apiKeys/model.ts'
import { createApiKey } from '../../src/apiKeys/storeKey.ts'
import { newId } from '../../src/platform/ids.ts'
import type { Stack } from './stack.ts'

/** Headers of another business of the deployment. */
export async function strangerTo(stack: Stack): Promise<{ 'x-api-key': string }> {
  const businessId = newId()
  const none = { localCurrency: null, feePercent: '0', fxMarginPercent: '0' }
  await businessModel(stack.db.sequelize).create({ id: businessId, name: 'Stranger', ...none, accepted: {} })
  return keyOf(stack, businessId, 'write')
}

/** Headers of a new key of the stack's own business. */
export const withScope = (stack: Stack, scope: Scope): Promise<{ 'x-api-key': string }> => keyOf(stack, stack.businessId, scope)

async function keyOf({ db }: Stack, businessId: string, scope: Scope) {
  return { 'x-api-key': (await createApiKey({ db }, { businessId, name: `suite ${scope}`, scope, environment: 'test' })).reveal() }
}
