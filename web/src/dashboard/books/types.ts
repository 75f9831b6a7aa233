import type { DashboardAnswerOf, DashboardQueryOf } from '../../../../client/index.ts'

export type Balance = DashboardAnswerOf<'listBalancesOfBusiness'>['balances'][number]
export type LedgerEntry = DashboardAnswerOf<'listLedgerEntriesOfBusiness'>['entries'][number]
export type AccountName = LedgerEntry['postings'][number]['account']
export type EntryKind = NonNullable<DashboardQueryOf<'listLedgerEntriesOfBusiness'>['kind']>
export type Sweep = DashboardAnswerOf<'listSweeps'>['sweeps'][number]
export type Statement = DashboardAnswerOf<'getLedgerStatementOfBusiness'>

export type BalanceTotal = NonNullable<DashboardAnswerOf<'listBalancesOfBusiness'>['total']>
export type StatementLine = Statement['lines'][number]
