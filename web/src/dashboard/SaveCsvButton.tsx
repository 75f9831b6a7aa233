import { useState } from 'react'
import { useNotify } from '../ui/Notices.tsx'
import { plainError } from '../ui/plainError.ts'
import { downloadList } from './books/downloadList.ts'

interface Props {
  /** Of the list, as the dashboard's API has it. */
  path: string
  query: Record<string, string | boolean | readonly string[] | undefined>
  /** Of the file. */
  name: string
}

/** Saves a list, with the filter that is shown, as a file. */
export function SaveCsvButton({ path, query, name }: Props) {
  const notify = useNotify()
  const [saving, setSaving] = useState(false)
  const given = Object.entries(query).flatMap(([key, value]) =>
    value === undefined ? [] : [[key, String(value)]],
  )
  async function save(): Promise<void> {
    if (saving) return
    setSaving(true)
    try {
      await downloadList(`${path}?${new URLSearchParams(given)}`, name)
    } catch (error) {
      notify(plainError(error).message)
    } finally {
      setSaving(false)
    }
  }
  return (
    <button type="button" className="button" aria-disabled={saving} onClick={() => void save()}>
      {saving ? 'Preparing the file…' : 'Download CSV'}
    </button>
  )
}
