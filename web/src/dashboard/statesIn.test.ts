import { expect, test } from '@jest/globals'
import { readStates, statesIn } from './statesIn.ts'

const isState = (text: string): text is 'paid' | 'expired' => text === 'paid' || text === 'expired'
const read = (search: string) => readStates(new URLSearchParams(search), isState)

test('several states in the URL are read once each; what is no state is left out', () => {
  expect(read('status=paid,expired')).toEqual(['paid', 'expired'])
  expect(read('status=%20paid%20,paid,,constructor')).toEqual(['paid'])
})

test('without a state there is no filter', () => {
  for (const search of ['', 'status=', 'status=,', 'status=lost']) expect(read(search)).toBeUndefined()
  expect(statesIn(new URLSearchParams('state=held'), 'state')).toEqual(['held'])
})
