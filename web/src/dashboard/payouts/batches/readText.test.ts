import { expect, test } from '@jest/globals'
import { readText } from './readText.ts'

test('a file in UTF-8 is read, with and without a mark of it', async () => {
  expect(await readText(new Blob(['\ufeffZoë']))).toBe('Zoë')
  expect(await readText(new Blob(['Zoë']))).toBe('Zoë')
})

test.each([
  // `Zoë` in each.
  ['Windows-1252', [0x5a, 0x6f, 0xeb]],
  ['UTF-16', [0xff, 0xfe, 0x5a, 0, 0x6f, 0, 0xeb, 0]],
])('no letter is lost of a file in %s: it is refused', (_, bytes) =>
  expect(readText(new Blob([Uint8Array.from(bytes)]))).rejects.toThrow(/^Save it as CSV UTF-8/),
)

test('a file that cannot be read any longer is a mistake of the file', () =>
  expect(readText({ arrayBuffer: () => Promise.reject(new Error('NotReadableError')) })).rejects.toThrow(
    'The file could not be read. Choose it again.',
  ))
