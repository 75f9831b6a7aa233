import { createPaymentPartner } from '../src/partners/yellowcard/paymentPartner.ts'
import { newId } from '../src/platform/ids.ts'
import { Secret } from '../src/platform/secrets.ts'
import { payoutMakers } from '../test/support/bankPayouts.ts'
import { paymentRequest } from '../test/support/paymentRequests.ts'
import { createStack, partnerCredentials, type Stack } from '../test/support/stack.ts'
import { waitFor } from '../test/support/waitFor.ts'
import { interleave, ratio, spread } from './measure.ts'
import { asInProduction } from './processes.ts'
import { figure, type Report } from './report.ts'
import type { Scope } from './scope.ts'

const bench = 'payouts'
const [rounds, warmUp, each, clients] = [5, 1, 200, 10]

/**
 * Bank payouts per second from the stored row to the partner's answer, next to bare submissions to its
 * stand-in.
 */
export async function benchPayouts(scope: Scope): Promise<Report> {
  const stack = scope.keep(await createStack({ processes: ['worker'], env: asInProduction() }), (opened) =>
    opened.close(),
  )
  const makers = payoutMakers(stack.db)
  const businessId = await makers.business(10_000_000n * BigInt(each * (rounds + warmUp)))
  const series = await interleave(bench, { rounds, warmUp }, async () => ({
    bare: (1000 * each) / (await bare(stack)),
    payouts: (1000 * each) / (await submitted(stack, () => makers.make(businessId))),
  }))
  return {
    figures: [
      figure(bench, 'bare submissions to the stand-in', spread(series.bare), 'payments/s', { ratio: 1 }),
      figure(bench, 'payouts through a worker', spread(series.payouts), 'payouts/s', {
        ratio: ratio(series.payouts, series.bare),
      }),
    ],
    notes: [
      `${rounds} rounds of ${each} payouts of one business, and as many submissions by ${clients} clients; until the partner's payment is stored. The stand-in, Postgres and the worker share the cores.`,
    ],
  }
}

/** @returns milliseconds */
async function bare({ partner }: Stack): Promise<number> {
  const { apiKey, secretKey } = partnerCredentials
  const payments = createPaymentPartner({ url: partner.url, apiKey, secretKey: new Secret(secretKey) })
  const started = performance.now()
  const client = async () => {
    for (let i = 0; i < each / clients; i++) await payments.submit(paymentRequest({ sequenceId: newId() }))
  }
  await Promise.all(Array.from({ length: clients }, client))
  return performance.now() - started
}

/** @returns milliseconds */
async function submitted({ db }: Stack, make: () => Promise<unknown>): Promise<number> {
  // The worker starts with all of them.
  await db.query(
    'create or replace function wait_outflow() returns trigger language plpgsql as $$ begin new.next_at := null; return new; end $$',
  )
  await db.query(
    'create trigger wait_outflow before insert on outflows for each row execute function wait_outflow()',
  )
  for (let i = 0; i < each; i++) await make()
  await db.query('drop trigger wait_outflow on outflows')
  const started = performance.now()
  await db.query("update outflows set next_at = now() where status = 'pending'")
  await db.query("select pg_notify('cowry_payouts', '')")
  await waitFor(
    'the payouts',
    async () =>
      (await db.query('select 1 from outflows where partner_payment_id is null limit 1')).length === 0,
    120_000,
  )
  return performance.now() - started
}
