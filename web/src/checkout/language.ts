import { useEffect, useLayoutEffect, useState } from 'react'
import { en, type Texts } from './texts/en.ts'

/** The languages of the page, in their own names. English is in the bundle, the others are loaded. */
export const languages = { en: 'English', fr: 'Français', pt: 'Português', ar: 'العربية' } as const
export type Language = keyof typeof languages

const load: Record<Language, () => Promise<Texts>> = {
  en: async () => en,
  fr: async () => (await import('./texts/fr.ts')).fr,
  pt: async () => (await import('./texts/pt.ts')).pt,
  ar: async () => (await import('./texts/ar.ts')).ar,
}

export const isLanguage = (text: string): text is Language => Object.hasOwn(languages, text)

/** @param wanted of the URL (`?lang=`), then those of the browser, best first */
export function firstLanguage(wanted: readonly (string | null)[]): Language {
  for (const each of wanted) {
    const language = each?.toLowerCase().split('-')[0] ?? ''
    if (isLanguage(language)) return language
  }
  return 'en'
}

export const directionOf = (language: Language): 'ltr' | 'rtl' => (language === 'ar' ? 'rtl' : 'ltr')

/** For numbers and times: Arabic with the digits of the amounts, which wallets show. */
export const localeOf = (language: Language): string => (language === 'ar' ? 'ar-u-nu-latn' : language)

export interface Spoken {
  language: Language
  text(name: keyof Texts, values?: Record<string, string>): string
  choose(language: Language): void
}

/** The page's language: the texts, and its direction on the document. */
export function useLanguage(): Spoken {
  const [language, choose] = useState(() =>
    firstLanguage([new URLSearchParams(window.location.search).get('lang'), ...navigator.languages]),
  )
  const [shown, setShown] = useState<{ language: Language; texts: Texts }>({ language: 'en', texts: en })
  useEffect(() => {
    let isCurrent = true
    void load[language]().then((texts) => {
      if (isCurrent) setShown({ language, texts })
    })
    return () => {
      isCurrent = false
    }
  }, [language])
  // Before the paint: no frame of Arabic from left to right.
  useLayoutEffect(() => {
    document.documentElement.lang = shown.language
    document.documentElement.dir = directionOf(shown.language)
  }, [shown.language])
  return {
    language: shown.language,
    choose,
    text: (name, values = {}) => filled(shown.texts[name], values),
  }
}

/** @param values isolated, so that a name of another direction changes nothing around it */
export const filled = (text: string, values: Record<string, string>): string =>
  text.replace(/\{(\w+)\}/g, (_, name: string) => `\u2068${values[name] ?? ''}\u2069`)
