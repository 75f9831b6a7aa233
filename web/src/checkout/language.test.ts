import { describe, expect, test } from '@jest/globals'
import { filled, firstLanguage } from './language.ts'
import { ar } from './texts/ar.ts'
import { en } from './texts/en.ts'
import { fr } from './texts/fr.ts'
import { pt } from './texts/pt.ts'

test('the language of the link comes first, then those of the browser, then English', () => {
  expect(firstLanguage(['fr', 'pt-BR'])).toBe('fr')
  expect(firstLanguage([null, 'de-DE', 'pt-BR', 'en'])).toBe('pt')
  expect(firstLanguage(['AR-eg'])).toBe('ar')
  for (const hostile of ['', 'xx', '__proto__', 'constructor', '<script>'])
    expect(firstLanguage([hostile])).toBe('en')
})

test('a value is isolated from the direction of the text around it, and is not read for placeholders', () => {
  expect(filled('to {merchant}', { merchant: '{token}' })).toBe('to \u2068{token}\u2069')
})

describe.each(Object.entries({ fr, pt, ar }))('%s', (_language, texts) => {
  test.each(Object.keys(en) as (keyof typeof en)[])('%s names the same values as in English', (name) => {
    const valuesIn = (text: string) => [...text.matchAll(/\{\w+\}/g)].map(([each]) => each).sort()
    expect(texts[name].trim()).not.toBe('')
    expect(valuesIn(texts[name])).toEqual(valuesIn(en[name]))
  })
})
