import { expect } from '@jest/globals'
import type { Page } from 'playwright-core'
import { demoPassword } from '../../support/stack.ts'
import { waitFor } from '../../support/waitFor.ts'
import { dialog, settled } from './world.ts'

interface Focused {
  name: string
  visible: boolean
}

/** The focused element: its text or label, and whether an outline or a shadow shows the focus. */
const focused = (page: Page): Promise<Focused> =>
  page.evaluate(`(() => {
    const element = document.activeElement
    const style = getComputedStyle(element)
    // The browser outlines the button of a time field itself; the field is then active, but not focused.
    const isBrowsersOwn = !element.matches(':focus')
    const outlined = style.outlineStyle !== 'none' && parseFloat(style.outlineWidth) > 0 && style.outlineColor !== 'rgba(0, 0, 0, 0)'
    const label = element.getAttribute('aria-label') ?? element.labels?.[0]?.textContent ?? element.textContent
    return { name: element === document.body ? '' : label.trim(), visible: outlined || isBrowsersOwn || style.boxShadow !== 'none' }
  })()`)

const furthest = 60

/** Presses Tab until the element of this name has the focus. The focus must be visible at every step. */
export async function tabTo(page: Page, name: string): Promise<void> {
  const passed: string[] = []
  for (let steps = 0; steps < furthest; steps++) {
    await page.keyboard.press('Tab')
    const now = await focused(page)
    if (now.name === '') continue
    expect(now).toEqual({ name: now.name, visible: true })
    if (now.name === name) return
    passed.push(now.name)
  }
  throw new Error(`Tab does not lead to ${name}, but to ${passed.join(', ')}`)
}

/** Waits until the element of this name has the focus, without pressing a key. */
export async function focusIsOn(page: Page, name: string): Promise<void> {
  await waitFor(`the focus on ${name}`, async () => (await focused(page)).name === name)
}

export async function signInByKeyboard(page: Page, email: string): Promise<void> {
  await tabTo(page, 'Email')
  await page.keyboard.type(email)
  await tabTo(page, 'Password')
  await page.keyboard.type(demoPassword)
  await tabTo(page, 'Sign in')
  await page.keyboard.press('Enter')
  await page.getByRole('navigation', { name: 'Main' }).waitFor()
}

/** Opens the dialog, cancels, opens it again and creates a key. @returns the key */
export async function createKeyByKeyboard(page: Page, name: string): Promise<string> {
  await settled(page)
  await tabTo(page, 'Developers')
  await page.keyboard.press('Enter')
  await settled(page)
  await tabTo(page, 'Create key')
  await page.keyboard.press('Space')
  await dialog(page, 'Create an API key')
  await page.keyboard.press('Escape')
  await focusIsOn(page, 'Create key')
  await page.keyboard.press('Enter')
  await dialog(page, 'Create an API key')
  await focusIsOn(page, 'Name')
  await page.keyboard.type(name)
  await tabTo(page, 'Create key')
  await page.keyboard.press('Enter')
  const key = await (await dialog(page, 'Your new API key')).getByLabel('API key').inputValue()
  // Escape must not close a secret that is shown once.
  await page.keyboard.press('Escape')
  await page.keyboard.press('Escape')
  await dialog(page, 'Your new API key')
  await tabTo(page, 'I have stored it')
  await page.keyboard.press('Space')
  await focusIsOn(page, 'Create key')
  return key
}
