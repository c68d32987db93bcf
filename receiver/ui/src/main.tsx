import { render } from 'preact'
import { App, onKey } from './App'
import { watchMenus } from './parts/menus'
import { applyTheme } from './parts/theme'
import { startState } from './state'
import './styles/base.css'
import './styles/shell.css'
import './styles/graph.css'
import './styles/panel.css'

applyTheme()
startState()
watchMenus()
addEventListener('keydown', onKey)
const place = document.getElementById('page')
if (place) render(<App />, place)
