import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { connectionPlaces, type Place } from './connectionPlaces.ts'

const ignore = () => {}
const isPlace = (taken: Place | string): taken is Place => typeof taken !== 'string'
const production = { connections: 2000, perNetwork: 200, exempt: ['10.0.0.0/8'] }

describe('a newcomer is served', () => {
  test.each<[string, number, (i: number, j: number) => string]>([
    ['150 addresses', 150, (i) => `203.0.113.${i}`],
    ['150 IPv6 networks', 150, (i, j) => `2001:db8:${i}::${j}`],
    [
      '60 sites of IPv6, from a network of its own each time',
      60,
      (i, j) => `2001:db8:${i}:${j.toString(16)}::1`,
    ],
  ])(
    'while %s, one after the other, hold every place they get, with requests that never end',
    (_name, count, addressOf) => {
      const places = connectionPlaces(production)
      for (let i = 0; i < count; i++) {
        let refused = false
        for (let j = 0; !refused; j++) {
          const taken = places.take(addressOf(i, j), ignore)
          if (isPlace(taken)) taken.begin()
          else refused = true
        }
      }
      for (let i = 0; i < 50; i++) expect(isPlace(places.take(`198.51.100.${i}`, ignore))).toBe(true)
    },
  )

  test('up to the limit of its network while the others hold nothing', () => {
    const places = connectionPlaces(production)
    for (let i = 0; i < 200; i++) expect(isPlace(places.take('203.0.113.1', ignore))).toBe(true)
    expect(places.take('203.0.113.1', ignore)).toBe('connections_of_network')
    for (let i = 0; i < 1000; i++) expect(isPlace(places.take('10.0.0.1', ignore))).toBe(true)
  })

  test('while idle connections take all places: the longest idle of the largest network gives way', () => {
    const places = connectionPlaces({ connections: 5, perNetwork: 5, exempt: ['10.0.0.1/32'] })
    const gone: string[] = []
    const take = (address: string, name: string) => places.take(address, () => gone.push(name))
    const [alone, busy] = [take('203.0.113.1', 'alone'), take('203.0.113.2', 'busy')]
    take('203.0.113.2', 'first idle')
    take('10.0.0.1', 'proxy')
    take('203.0.113.3', 'third')
    if (!isPlace(busy) || !isPlace(alone)) throw new Error('refused')
    busy.begin()
    expect(isPlace(take('203.0.113.4', 'newcomer'))).toBe(true)
    expect(gone).toEqual(['first idle'])
    // It had a request since: the third has been idle for longer.
    alone.begin()
    alone.end()
    expect(isPlace(take('203.0.113.5', 'another'))).toBe(true)
    expect(gone).toEqual(['first idle', 'third'])
    expect(places.open()).toBe(5)
  })
})

test('no history exceeds the limits, takes a place from a running request or a proxy, or refuses a newcomer while a connection is idle', () => {
  const limits = { connections: 12, perNetwork: 4, exempt: ['10.0.0.0/8'] }
  const addresses = [
    '203.0.113.1',
    '203.0.113.2',
    '203.0.113.3',
    '10.0.0.1',
    '2001:db8:1:1::1',
    '2001:db8:1:1::2',
    '2001:db8:1:2::1',
    '2001:db8:2::1',
  ]
  const networkAt = (address: string) => address.replace(/::\d$/, '')
  interface Held {
    address: string
    place: Place | null
    underWay: number
  }
  const isProxy = ({ address }: Held) => address.startsWith('10.')
  const siteAt = (address: string) =>
    address.includes(':') ? address.slice(0, '2001:db8:1'.length) : address
  const step = fc.record({
    address: fc.constantFrom(...addresses),
    does: fc.constantFrom('comes', 'comes', 'comes', 'begins', 'ends', 'leaves'),
    which: fc.nat(),
  })
  fc.assert(
    fc.property(fc.array(step, { maxLength: 120 }), (steps) => {
      const places = connectionPlaces(limits)
      let here: Held[] = []
      const comes = (address: string) => {
        const idle = here.filter((each) => each.underWay === 0 && !isProxy(each)).length
        const related = here.filter((each) => siteAt(each.address) === siteAt(address)).length
        const newcomer: Held = { address, place: null, underWay: 0 }
        const taken = places.take(address, () => {
          expect([newcomer.underWay, isProxy(newcomer), here.length]).toEqual([0, false, limits.connections])
          here = here.filter((each) => each !== newcomer)
        })
        if (isPlace(taken)) here.push(Object.assign(newcomer, { place: taken }))
        else if (related === 0 || isProxy(newcomer))
          expect([taken, here.length, idle]).toEqual(['connections', limits.connections, 0])
      }
      for (const { address, does, which } of steps) {
        const some = here[which % Math.max(1, here.length)]
        if (does === 'comes') {
          comes(address)
        } else if (does === 'begins' && some) {
          some.underWay++
          some.place?.begin()
        } else if (does === 'ends' && some && some.underWay > 0) {
          some.underWay--
          some.place?.end()
        } else if (does === 'leaves' && some) {
          some.place?.leave()
          some.place?.leave()
          here = here.filter((each) => each !== some)
        }
        expect(places.open()).toBe(here.length)
        expect(here.length).toBeLessThanOrEqual(limits.connections)
        for (const { address: of } of here.filter((each) => !isProxy(each)))
          expect(here.filter((each) => networkAt(each.address) === networkAt(of)).length).toBeLessThanOrEqual(
            limits.perNetwork,
          )
      }
    }),
  )
})
