import {
  type Contract,
  loadContract,
  loadDashboardContract,
  loadVerificationContract,
  type Operation,
  operationsOf,
} from '../../api/contract.ts'
import { rowsOfList } from '../../api/csv/rowsOfList.ts'
import { listedRows } from './listedRows.ts'
import type { ListedOperation } from './sampleRequests.ts'

// The lists of the contracts that have pages.

/** Lists that are whole: short ones, and those of events, which go on by a sequence number. */
const whole = [
  ...['listEvents', 'listBalances', 'listAllNetworks', 'listNetworks', 'listBanks', 'listWebhookEndpoints'],
  ...['listStakingPlans', 'listPasskeys', 'listSignIns', 'listMembers', 'listInvitations', 'listSenders'],
  ...['listVerificationKeys', 'listTillSessions', 'listExplorers', 'listPayoutBanks', 'listFloats'],
  ...['listOperatedMembers', 'listPayoutPartners', 'listOperatedPlans', 'listVerificationPrices'],
  ...['listLedgerMonths', 'listNewestEvents', 'listCurrencies'],
]
/** Its rows are those of one request, in its order: they have no time of their own. */
const untimed = ['listAddedAddresses']

const contracts = {
  api: loadContract(),
  dashboard: loadDashboardContract(),
  verification: loadVerificationContract(),
}
export const plainId = ({ operationId }: Operation) =>
  operationId in listedRows ? operationId : operationId.replace(/OfBusiness$/, '')
const listsOf = (contract: Contract): ListedOperation[] =>
  operationsOf(contract).filter(
    ({ method, operation }) =>
      method === 'get' &&
      rowsOfList(contract.components, operation) !== undefined &&
      !whole.includes(operation.operationId.replace(/OfBusiness$/, '')),
  )
const lists = (Object.keys(contracts) as (keyof typeof contracts)[]).flatMap((audience) =>
  listsOf(contracts[audience]).map((listed) => ({ audience, contract: contracts[audience], listed })),
)
/** A list of the API, of the dashboard, or of the verification host. */
export type PagedList = (typeof lists)[number]
export const timed: readonly PagedList[] = lists.filter(
  ({ listed }) => !untimed.includes(plainId(listed.operation)),
)

interface Parameter {
  $ref?: string
  name: string
  schema?: { type?: string; items?: { $ref?: string; enum?: string[] } }
}
export function parametersOf(contract: Contract, { parameters = [] }: Operation): Parameter[] {
  const at = ($ref: string) => {
    const [, , kind = '', name = ''] = $ref.split('/')
    return contract.components[kind]?.[name] as Parameter
  }
  return (parameters as Parameter[]).map((each) => (each.$ref === undefined ? each : at(each.$ref)))
}
/** The parameters that take several values. */
export const severalOf = (contract: Contract, operation: Operation) =>
  parametersOf(contract, operation).filter(({ schema }) => schema?.type === 'array')
