/**
 * SQL: the transfer `t` is native coin that the treasury sent to a deposit address for the gas of a sweep. No
 * customer paid it. After a restore its row may be lost: then it is the treasury's coin in a transaction of
 * no row.
 */
export const isOwnGas = `(
  exists (select 1 from intent_attempts a join intents i on i.id = a.intent_id
    where a.chain = t.chain and a.tx_id = t.tx_id and i.purpose = 'gas' and i.to_address = t.to_address)
  or t.contract is null and t.from_address in (select address from treasury_addresses)
    and not exists (select 1 from intent_attempts a where a.chain = t.chain and a.tx_id = t.tx_id))`
