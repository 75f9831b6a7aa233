import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import axe from 'axe-core'
import type { Page } from 'playwright-core'
import { full } from '../../support/full.ts'
import { settled } from './world.ts'

/**
 * Each width and each colour scheme once, the second for its colours alone. All four combinations in full
 * runs and for screenshots.
 */
const usualViews = [
  ['desktop', 'light', null],
  ['phone', 'dark', ['color-contrast']],
] as const
const allViews = [
  ['desktop', 'light', null],
  ['desktop', 'dark', ['color-contrast']],
  ['phone', 'light', null],
  ['phone', 'dark', ['color-contrast']],
] as const

const widths = { desktop: { width: 1280, height: 800 }, phone: { width: 360, height: 740 } }

/** Text that is wider than its box, where the box neither scrolls nor clips. */
const overflowing = `[...(document.querySelector('dialog[open]') ?? document).querySelectorAll('*')]
  .filter((each) => !each.closest('thead') && each.clientWidth > 0 && getComputedStyle(each).overflowX === 'visible' && each.scrollWidth > each.clientWidth + 1)
  .filter((each, _, all) => !all.some((other) => other !== each && each.contains(other)))
  .map((each) => each.textContent.trim().slice(0, 60))`

interface Violation {
  id: string
  impact: string
  nodes: string[]
}

/**
 * Examines the current page, in both widths and both colour schemes. @param shots folder for screenshots;
 * without it no screenshots are made @returns all findings of axe, and anything wider than a narrow
 * phone; the page must allow scripts
 */
export async function examine(page: Page, name: string, shots = process.env.SCREENSHOTS): Promise<string[]> {
  const found: string[] = []
  if (!(await page.evaluate('"axe" in window'))) await page.addScriptTag({ content: axe.source })
  const isDialog = (await page.locator('dialog[open]').count()) > 0
  for (const [width, colorScheme, rules] of shots || full ? allViews : usualViews) {
    await page.setViewportSize(widths[width])
    await page.emulateMedia({ colorScheme })
    const view = `${name}, ${width}, ${colorScheme}`
    // The page behind a dialog was examined without it.
    for (const { id, impact, nodes } of await violations(page, isDialog ? 'dialog[open]' : 'html', rules))
      found.push(`${view}: ${impact} ${id} at ${nodes.join(' and ')}`)
    if (shots) await screenshot(page, join(shots, `${view.replace(/\W+/g, '-')}.png`), isDialog)
  }
  // The phone was the last visit.
  const wide = await page.evaluate<number>(
    'Math.max(document.documentElement.scrollWidth, document.body.scrollWidth)',
  )
  if (wide > widths.phone.width) found.push(`${name}: ${wide} px wide on a phone of ${widths.phone.width}`)
  for (const text of await page.evaluate<string[]>(overflowing))
    found.push(`${name}: overflows its box on a phone: ${text}`)
  if (isDialog) {
    const over = await page.evaluate<number>(
      '(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)(document.querySelector("dialog[open]"))',
    )
    if (over > 0) found.push(`${name}: the dialog scrolls sideways by ${over} px`)
  }
  await page.setViewportSize(widths.desktop)
  await page.emulateMedia({ colorScheme: 'light' })
  return found
}

async function violations(page: Page, within: string, rules: readonly string[] | null): Promise<Violation[]> {
  await settled(page)
  const options = {
    resultTypes: ['violations'],
    iframes: false,
    preload: false,
    ...(rules ? { runOnly: { type: 'rule', values: rules } } : {}),
  }
  return page.evaluate(`axe.run(${JSON.stringify(within)}, ${JSON.stringify(options)}).then(({ violations }) => violations
    .map(({ id, impact, nodes }) => ({ id, impact, nodes: nodes.map(({ target }) => target.join(' ')) })))`)
}

async function screenshot(page: Page, path: string, isDialog: boolean): Promise<void> {
  mkdirSync(join(path, '..'), { recursive: true })
  await page.screenshot({ path, fullPage: !isDialog })
}
