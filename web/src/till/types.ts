import type { DashboardAnswerOf } from '../../../client/index.ts'

/** What a till can take. */
export type TillFacts = DashboardAnswerOf<'getTill'>
/** A session as the till shows it. */
export type TillSession = DashboardAnswerOf<'createTillSession'>
/** The sessions of today. */
export type TillDay = DashboardAnswerOf<'listTillSessions'>
