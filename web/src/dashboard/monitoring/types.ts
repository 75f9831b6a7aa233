import type { DashboardAnswerOf } from '../../../../client/index.ts'

export type MonitoredAddress = DashboardAnswerOf<'getMonitoredAddressOfBusiness'>
export type MonitoredTokens = MonitoredAddress['tokens']
export type Metadata = NonNullable<MonitoredAddress['metadata']>
export type MonitoringImport = DashboardAnswerOf<'getMonitoringImportOfBusiness'>
export type ImportStatus = MonitoringImport['status']
