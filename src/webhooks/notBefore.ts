/**
 * SQL: the time before which nothing is sent to an endpoint; null: it may be sent to now. Hosts of callbacks
 * have a column of their own: the other is infinity for them, so that workers of a version that does not know
 * them leave them alone.
 */
export const notBefore = 'case when callback_host is null then not_before else callback_not_before end'
