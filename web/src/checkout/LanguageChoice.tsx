import { isLanguage, languages, type Spoken } from './language.ts'

export function LanguageChoice({ spoken: { language, choose, text } }: { spoken: Spoken }) {
  return (
    <label className="language">
      <span className="unseen">{text('language')}</span>
      <select
        value={language}
        onChange={({ target }) => {
          if (isLanguage(target.value)) choose(target.value)
        }}
      >
        {Object.entries(languages).map(([code, name]) => (
          <option key={code} value={code} lang={code}>
            {name}
          </option>
        ))}
      </select>
    </label>
  )
}
