import {
  allOperations,
  type ContractDocument,
  dashboardContract,
  dashboardTwin,
  programsContract,
} from '../../api/contract.ts'

/**
 * The operations of each audience as types, from the types of the whole document. The dashboard's form of an
 * operation that it shares with programs is derived, as `dashboardContract` derives it.
 */
export function audienceTypes(document: ContractDocument): string {
  const all = allOperations(document)
  const idsOf = (contract: ReturnType<typeof programsContract>) =>
    new Set(allOperations(contract).map(({ operationId }) => operationId))
  const ofDashboard = idsOf(dashboardContract(document))
  const names = (ids: Set<string>) =>
    all.flatMap(({ operationId }) => (ids.has(operationId) ? [`    | '${operationId}'`] : [])).join('\n')
  const twins = all.flatMap(({ operationId, 'x-money': money }) => {
    const twin = dashboardTwin(operationId)
    const type = `OfBusiness<operations['${operationId}']${money ? ', never' : ''}>`
    return ofDashboard.has(twin) ? [`    ${twin}: ${type}`] : []
  })
  return `
/** What programs may call. */
export type ApiOperations = Pick<
    operations,
${names(idsOf(programsContract(document)))}
>

/** What the dashboard may call: operations of its own, and those of programs for a selected business. */
export interface DashboardOperations extends Pick<
    operations,
${names(ofDashboard)}
> {
${twins.join('\n')}
}

interface WithParameters {
    parameters: { path?: unknown, header?: unknown }
}
type OfBusiness<Op extends WithParameters, Without extends string = 'Idempotency-Key'> = {
    [Part in keyof Op]: Part extends 'parameters' ? InBusiness<Op['parameters'], Without> : Op[Part]
}
type InBusiness<P extends WithParameters['parameters'], Without extends string> = Omit<P, 'path' | 'header'> & {
    path: BusinessPath & ([NonNullable<P['path']>] extends [never] ? unknown : P['path'])
    header?: [NonNullable<P['header']>] extends [never] ? never : Omit<NonNullable<P['header']>, Without>
}
interface BusinessPath {
    businessId: components['parameters']['BusinessId']
}
`
}
