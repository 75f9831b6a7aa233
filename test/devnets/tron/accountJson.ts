/**
 * An account in the API's format: `Account`, `AccountResourceMessage` and `AccountNetMessage` of the
 * protocol.
 */
import type { Json, JsonObject } from './json.ts'
import { limits, parameters, totalEnergyWeight, totalNetWeight, trx } from './parameters.ts'
import { energyLimitOf, energyUsed, freeNetUsed, netLimit, netUsed } from './resources.ts'
import type { Account, Permission } from './world.ts'

const nonZero = (fields: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== 0))

const assetMap = (account: Account): Json[] =>
  Object.entries(account.assets).map(([key, value]) => ({ key, value }))

/** Contract types that a default active permission allows, as bits. */
const allOperations = `7fff1fc0033ec30f${'0'.repeat(48)}`

const defaults = (address: string): Permission[] => [
  { id: 0, name: 'owner', type: 'Owner', threshold: 1, keys: [{ address, weight: 1 }] },
  {
    id: 2,
    name: 'active',
    type: 'Active',
    threshold: 1,
    keys: [{ address, weight: 1 }],
    operations: allOperations,
  },
]

function permissionJson({ id, name, type, threshold, keys, operations }: Permission): Json {
  return {
    ...(type === 'Active' ? { type, id } : {}),
    permission_name: name,
    threshold,
    ...(operations ? { operations } : {}),
    keys: keys.map(({ address, weight }) => ({ address, weight })),
  }
}

/**
 * `/wallet/getaccount`. An account without TRX has no `balance`; an inactive one is `{}`, even with tokens.
 */
export function accountJson(account: Account, slot: number, genesisTime: number): Json {
  const at = (used: number) => genesisTime + used * limits.blockIntervalMs
  const permissions = account.permissions ?? defaults(account.address)
  const [owner, ...actives] = permissions.map(permissionJson)
  const assets = assetMap(account)
  return {
    ...(account.contract ? { type: 'Contract' } : {}),
    address: account.address,
    ...nonZero({
      balance: account.balance,
      net_usage: netUsed(account, slot),
      create_time: account.createTime,
      latest_opration_time: account.latestOperationTime,
      free_net_usage: freeNetUsed(account, slot),
    }),
    latest_consume_time: at(account.netSlot),
    latest_consume_free_time: at(account.freeNetSlot),
    net_window_size: limits.windowSlots,
    account_resource: {
      ...nonZero({ energy_usage: energyUsed(account, slot) }),
      latest_consume_time_for_energy: at(account.energySlot),
      energy_window_size: limits.windowSlots,
    },
    ...(account.contract ? {} : { owner_permission: owner ?? {}, active_permission: actives }),
    frozenV2: [
      nonZero({ amount: account.frozen.BANDWIDTH }),
      { type: 'ENERGY', ...nonZero({ amount: account.frozen.ENERGY }) },
      { type: 'TRON_POWER' },
    ],
    ...(assets.length > 0 ? { assetV2: assets } : {}),
    asset_optimized: true,
  }
}

/** `/wallet/getaccountnet`. */
export const netJson = (account: Account, slot: number): Json =>
  nonZero({
    freeNetUsed: freeNetUsed(account, slot),
    freeNetLimit: parameters.getFreeNetLimit,
    NetUsed: netUsed(account, slot),
    NetLimit: netLimit(account),
    TotalNetLimit: parameters.getTotalNetLimit,
    TotalNetWeight: totalNetWeight,
  })

/** `/wallet/getaccountresource`. */
export const resourceJson = (account: Account, slot: number): Json => ({
  ...(netJson(account, slot) as JsonObject),
  ...nonZero({
    tronPowerLimit: Math.floor((account.frozen.BANDWIDTH + account.frozen.ENERGY) / trx),
    EnergyUsed: energyUsed(account, slot),
    EnergyLimit: energyLimitOf(account),
    TotalEnergyLimit: parameters.getTotalEnergyCurrentLimit,
    TotalEnergyWeight: totalEnergyWeight,
  }),
})
