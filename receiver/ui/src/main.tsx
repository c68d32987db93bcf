import { render } from 'preact'
import './styles/base.css'
render(<h1>Lineal</h1>, document.getElementById('page')!)
