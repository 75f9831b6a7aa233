/**
 * What a paid session keeps, in base units of its token, as SQL over its row: what settled, without an excess
 * that is not credited; or what a person accepted in its place.
 */
export const keptUnits = `case when amount_settled < amount_expected - amount_tolerated then coalesce(amount_accepted, amount_settled)
  else least(amount_settled, greatest(amount_expected, coalesce(amount_credited, 0))) end`
