/** Light, dark, or as the system is set; kept in the browser, since it is the reader's and not the address's. */

import { useState } from 'preact/hooks'

const KEY = 'lineal-theme'
const CHOICES = ['auto', 'light', 'dark'] as const
export type Theme = (typeof CHOICES)[number]

export function applyTheme(): Theme {
  let kept: string | null = null
  try {
    kept = localStorage.getItem(KEY)
  } catch {
    // a browser that keeps nothing shows the system's theme
  }
  const theme = CHOICES.find((choice) => choice === kept) ?? 'auto'
  if (theme === 'auto') delete document.documentElement.dataset.theme
  else document.documentElement.dataset.theme = theme
  return theme
}

export function useTheme(): [Theme, () => void] {
  const [theme, setTheme] = useState(applyTheme)
  const next = () => {
    const wanted = CHOICES[(CHOICES.indexOf(theme) + 1) % CHOICES.length] ?? 'auto'
    try {
      localStorage.setItem(KEY, wanted)
      setTheme(applyTheme())
    } catch {
      setTheme(theme)
    }
  }
  return [theme, next]
}
