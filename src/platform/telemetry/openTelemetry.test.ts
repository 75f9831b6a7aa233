import { expect, test } from '@jest/globals'
import { ROOT_CONTEXT } from '@opentelemetry/api'
import { SamplingDecision, TraceIdRatioBasedSampler } from '@opentelemetry/sdk-trace'
import fc from 'fast-check'
import { samplerOf } from './openTelemetry.ts'

const traceIds = fc.stringMatching(/^[0-9a-f]{32}$/).filter((id) => !/^0+$/.test(id))

test('a ratio decides about each trace as the sampler of OpenTelemetry does', () => {
  fc.assert(
    fc.property(traceIds, fc.double({ min: 0, max: 1, noNaN: true }), (traceId, ratio) => {
      const theirs = new TraceIdRatioBasedSampler(ratio)
      const { decision } = theirs.shouldSample(ROOT_CONTEXT, traceId)
      const isSampled = samplerOf({ name: 'traceidratio', ratio, followsParent: false })
      expect(isSampled(null, traceId)).toBe(decision === SamplingDecision.RECORD_AND_SAMPLED)
    }),
  )
})

test.each([
  ['always_on', true],
  ['always_off', false],
])('%s decides the same about each', (name, expected) =>
  expect(samplerOf({ name, ratio: 1, followsParent: false })(null, 'a'.repeat(32))).toBe(expected),
)
