import { expect, test } from '@jest/globals'
import fc from 'fast-check'
import { localDate, firstMoment as serversFirstMoment } from '../../src/platform/localDates.ts'
import { dateIn, firstMoment } from '../../web/src/ui/zone.ts'

test('dates in the browser are those of the server, in every zone', () => {
  const at = fc.integer({ min: Date.parse('2010-01-01'), max: Date.parse('2040-12-31') })
  fc.assert(
    fc.property(fc.constantFrom(...Intl.supportedValuesOf('timeZone')), at, (timeZone, time) => {
      const date = dateIn(timeZone, time)
      expect(date).toBe(localDate(time, timeZone))
      expect(firstMoment(date, timeZone)).toEqual(serversFirstMoment(date, timeZone))
    }),
    { numRuns: 200 },
  )
})
