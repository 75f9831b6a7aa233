import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { returnPath, signInPath } from './returnPath.ts'

describe('the path to return to after signing in', () => {
  test('is kept with its query', () => {
    expect(returnPath('/b/1/settings/api-keys?state=active')).toBe('/b/1/settings/api-keys?state=active')
  })

  test.each([
    null,
    '',
    'b/1',
    'https://evil.example/',
    '//evil.example',
    '/\\evil.example',
    '/\t/evil.example',
    '/\n\\evil.example',
    'javascript:alert(1)',
  ])('is the start page for %j', (given) => expect(returnPath(given)).toBe('/'))

  test('never leads back to signing in', () => expect(returnPath('/sign-in?return=%2F')).toBe('/'))

  test('never leaves the site, for any input', () => {
    const tricky = fc.array(
      fc.constantFrom(
        '/',
        '\\',
        '\t',
        '\n',
        '.',
        '..',
        '@',
        ':',
        '?',
        '#',
        '%2f',
        'http',
        'evil.example',
        ' ',
      ),
      {
        maxLength: 12,
      },
    )
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          tricky.map((parts) => `/${parts.join('')}`),
        ),
        (given) => {
          const path = returnPath(given)
          expect(new URL(`/dashboard${path}`, 'https://cowry.example').origin).toBe('https://cowry.example')
          expect(path.startsWith('/')).toBe(true)
        },
      ),
    )
  })

  test('survives a round trip', () => {
    const asked = signInPath('/b/1/audit', 'q=key&action=key.created')
    expect(returnPath(new URLSearchParams(asked.split('?')[1]).get('return'))).toBe(
      '/b/1/audit?q=key&action=key.created',
    )
  })
})
