import { memo } from 'preact/compat'
import type { Places } from '../layout/layout'
import { kindWords, type Way } from './model'
import { BOX, heightOf, type Box, type Line } from './scene'

interface Props {
  lines: Line[]
  boxes: Map<string, Box>
  places: Places
  way: Way | null
  onPick: (line: Line) => void
}

/** The lines between boxes and rows. They are for the eye and the mouse; the table and the details say the same. */
export const Lines = memo(function Lines({ lines, boxes, places, way, onPick }: Props) {
  return (
    <svg class="lines" aria-hidden="true" focusable="false">
      {lines.map((line) => {
        const path = curve(line, boxes, places)
        if (path === null) return null
        const lit = way !== null && line.edge !== null && way.edges.has(line.edge)
        const kind = line.edge === null ? 'table' : line.edge.direct ? 'direct' : 'indirect'
        return (
          <g key={line.key} class={`line ${kind}${way === null ? '' : lit ? ' lit' : ' dim'}${line.edge?.lastKnown ? ' old' : ''}`}
            onClick={() => onPick(line)}>
            <path class="target" d={path}><title>{words(line)}</title></path>
            <path class="seen" d={path} />
          </g>
        )
      })}
    </svg>
  )
})

const words = (line: Line): string =>
  line.edge === null ? 'Tables that are linked; click for the job' : `${line.fromField} → ${line.toField ?? 'rows'}: ${kindWords(line.edge)}`

/** The path of a line; null while one of its ends has no place yet. */
export function curve(line: Line, boxes: Map<string, Box>, places: Places): string | null {
  const [from, to, start, end] = [boxes.get(line.from), boxes.get(line.to), places[line.from], places[line.to]]
  if (!from || !to || !start || !end) return null
  const [x1, y1] = [start.x + BOX.width, start.y + heightOf(from, line.fromField)]
  const [x2, y2] = [end.x, end.y + heightOf(to, line.toField)]
  const bend = x2 > x1 ? Math.max(36, (x2 - x1) / 2) : 120
  return `M${x1},${y1}C${x1 + bend},${y1} ${x2 - bend},${y2} ${x2},${y2}`
}
