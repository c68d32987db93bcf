import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Column, ColumnEdge, Dataset, Job, Lineage } from '../src/api/types'
import { fieldKey, letterOf, mergeAnswers, Ways } from '../src/graph/model'
import { move } from '../src/graph/moves'
import { rowsOf } from '../src/graph/rows'
import { buildScene, ROWS_AT_FIRST } from '../src/graph/scene'
import { writeCsv, writeJson, writeMermaid, writeSvg } from '../src/graph/write'
import { placeBoxes, placeRoughly } from '../src/layout/layout'

function column(name: string, more: Partial<Column> = {}): Column {
  return {
    name, type: 'INT', status: 'traced', reason: null, sentence: null, message: null, expression: null, lastKnown: false,
    upstream: 1, downstream: 1, tags: [], description: null, ...more,
  }
}

function dataset(id: string, columns: Column[]): Dataset {
  return {
    id, namespace: 'n', name: `db.${id}`, distance: 0, side: 'both', written: true, lifecycle: null, droppedAt: null, updatedAt: null,
    description: null, tags: [], owners: [], columns, columnsCut: false, more: { upstream: 0, downstream: 0 },
  }
}

function edge(from: string, to: string, more: Partial<ColumnEdge> = {}): ColumnEdge {
  const [source = '', field = ''] = from.split('.')
  const [target = '', targetField = ''] = to.split('.')
  return {
    source: { dataset: source, field }, target: { dataset: target, field: targetField || null }, masking: false, direct: true,
    kinds: [{ type: 'DIRECT', subtype: 'IDENTITY', masking: false }], expression: null, lastKnown: false, job: 'j', transform: null, ...more,
  }
}

const answer: Lineage = {
  target: { kind: 'dataset', id: 'b', namespace: 'n', name: 'db.b', field: null }, asOf: null, jobs: [], transforms: [], cut: null,
  datasets: [
    dataset('a', [column('x'), column('y')]),
    dataset('b', [column('x'), column('z', { status: 'unresolved', sentence: 'It could not be read.' })]),
    dataset('c', [column('x'), ...Array.from({ length: 30 }, (_, at) => column(`w${at}`, { upstream: 0, downstream: 0 }))]),
  ],
  tableEdges: [{ source: 'a', job: 'j', target: 'b' }, { source: 'b', job: 'k', target: 'c' }],
  columnEdges: [edge('a.x', 'b.x'), edge('b.x', 'c.x'), edge('a.y', 'b.x', { direct: false, kinds: [{ type: 'INDIRECT', subtype: 'FILTER', masking: false }] })],
}
const model = mergeAnswers([answer, answer])
const direct = new Ways(model.columnEdges.filter((one) => one.direct))
const closed = { open: new Set<string>(), full: new Set<string>(), way: null, only: false, rows: false }

test('answers that overlap are one graph', () => {
  assert.deepEqual([model.datasets.size, model.tableEdges.length, model.columnEdges.length], [3, 2, 3])
})

test('a way goes both ways, and not over what only decides rows', () => {
  const way = direct.through('b', 'x')
  assert.deepEqual([...way.fields].sort(), ['a|x', 'b|x', 'c|x'])
  assert.deepEqual([way.upstream, way.downstream], [1, 1])
})

test('a way through a circle ends', () => {
  const circle = new Ways([edge('a.x', 'b.x'), edge('b.x', 'a.x')])
  assert.deepEqual([...circle.through('a', 'x').fields].sort(), ['a|x', 'b|x'])
})

test('columns are closed until asked, then those with lineage come first', () => {
  const scene = buildScene(model, direct, closed)
  assert.ok(scene.boxes.every((box) => box.rows.length === 0))
  assert.deepEqual(scene.lines.map(({ key }) => key), ['a b', 'b c'])
  const open = buildScene(model, direct, { ...closed, open: new Set(['b', 'c']) })
  const [, b, c] = open.boxes
  assert.deepEqual([c?.rows.length, c?.rows[0]?.field, c?.hidden], [ROWS_AT_FIRST, 'x', 31 - ROWS_AT_FIRST])
  assert.equal(b?.rows[1]?.words, ', unresolved: It could not be read., 1 upstream, 1 downstream')
  assert.deepEqual(open.lines.map(({ key }) => key), ['b c x x', 'a b'])
})

test('a locked column opens just its way', () => {
  const scene = buildScene(model, direct, { ...closed, way: direct.through('b', 'x'), only: true })
  assert.deepEqual(scene.boxes.map(({ rows }) => rows.map(({ field }) => field)), [['x'], ['x'], ['x']])
})

test('letters', () => {
  const kinds = (subtype: string, from = 'a.x') => [edge(from, 'b.x', { kinds: [{ type: 'DIRECT', subtype, masking: false }] })]
  const letter = (edges: ColumnEdge[], more: Partial<Column> = {}) => letterOf(column('x', more), edges).letter
  assert.equal(letter(kinds('IDENTITY')), 'P')
  assert.equal(letter(kinds('IDENTITY', 'a.y')), 'R')
  assert.equal(letter(kinds('TRANSFORMATION')), 'D')
  assert.equal(letter(kinds('AGGREGATION')), 'A')
  assert.equal(letter([]), 'T')
  assert.equal(letter([], { status: 'source' }), 'S')
  assert.equal(letter(kinds('IDENTITY'), { status: 'unresolved' }), 'U')
})

test('arrows follow edges, rows and boxes', () => {
  const scene = buildScene(model, direct, { ...closed, open: new Set(['a', 'b']) })
  const places = placeBoxes({ boxes: scene.boxes.map(({ id, height }) => ({ id, width: 200, height })), links: [['a', 'b'], ['b', 'c']] })
  const go = (item: string, arrow: Parameters<typeof move>[4]) => move(scene, places, direct, item, arrow)
  assert.equal(go('b', 'ArrowLeft'), 'a')
  assert.equal(go('b', 'ArrowDown'), fieldKey('b', 'x'))
  assert.equal(go(fieldKey('b', 'x'), 'ArrowLeft'), fieldKey('a', 'x'))
  assert.equal(go(fieldKey('b', 'x'), 'ArrowRight'), 'c')
  assert.equal(go('c', 'ArrowRight'), null)
  assert.ok((places.a?.x ?? 0) < (places.b?.x ?? 0) && (places.b?.x ?? 0) < (places.c?.x ?? 0))
})

test('a layer of hundreds stands in columns, beside what comes before and after', () => {
  const ids = Array.from({ length: 300 }, (_, at) => `m${at}`)
  const boxes = ['first', ...ids, 'last'].map((id) => ({ id, width: 200, height: 50 }))
  const places = placeBoxes({ boxes, links: ids.flatMap((id): [string, string][] => [['first', id], [id, 'last']]) })
  const [xs, ys] = [ids.map((id) => places[id]?.x ?? 0), ids.map((id) => places[id]?.y ?? 0)]
  assert.equal(new Set(xs).size, 8)
  assert.ok(Math.max(...ys) - Math.min(...ys) < 3_000)
  assert.ok((places.first?.x ?? 0) + 200 < Math.min(...xs) && Math.max(...xs) + 200 < (places.last?.x ?? 0))
  assert.equal(new Set(ids.map((id) => `${places[id]?.x} ${places[id]?.y}`)).size, 300)
})

test('what is shown, as files', () => {
  const scene = buildScene(model, direct, { ...closed, open: new Set(['a', 'b']) })
  assert.match(writeMermaid(scene), /^flowchart LR\n[^]*n0_0 --> n1_0\n/)
  const [box] = scene.boxes
  assert.ok(box)
  const named = writeMermaid({ boxes: [{ ...box, rows: ['', '`a`|#1'].map((field) => ({ ...box.rows[0]!, key: field, field })) }], lines: [] })
  assert.match(named, /\n {4}n0_0\[" "\]\n {4}n0_1\["#96;a#96;#124;#35;1"\]\n/)
  assert.match(writeSvg(scene, { a: { x: 0, y: 0 }, b: { x: 400, y: 0 }, c: { x: 800, y: 0 } }), /^<svg [^]*<title>It could not be read\.<\/title>/)
  const rows = rowsOf(model, model.columnEdges, null)
  assert.deepEqual(rows.map(({ sourceField, targetField, kinds }) => [sourceField, targetField, kinds]), [
    ['x', 'x', 'identity'], ['y', 'x', 'filter (indirect)'], ['x', 'x', 'identity'],
  ])
  const [first] = rows
  assert.ok(first)
  const csv = writeCsv([{ ...first, expression: '=1+"a",b' }])
  assert.match(csv, /,"'=1\+""a"",b",/)
})

test('jobs that only read are rows, too, but for checks', () => {
  const job = (id: string, jobType: string): Job => ({
    id, namespace: 'n', name: `exposure.p.${id}.dev`, distance: 1, side: 'downstream', jobType: { processingType: null, integration: null, jobType },
    consumer: true, lastRun: null, file: null, description: null, owners: [],
  })
  const read = { ...answer, jobs: [job('board', 'EXPOSURE'), job('unique', 'TEST')], tableEdges: ['board', 'unique'].map((one) => ({ source: 'c', job: one, target: null })) }
  const rows = rowsOf(mergeAnswers([read]), [], null)
  assert.deepEqual(rows.map(({ source, target, kinds, reader }) => [source, target, kinds, reader]), [['db.c', 'exposure.p.board.dev', 'read by a job', true]])
})

test('JSON holds the tables that are shown alone', () => {
  const way = direct.through('b', 'z')
  const scene = buildScene(model, direct, { ...closed, way, only: true })
  const written = JSON.parse(writeJson(model, scene, rowsOf(model, model.columnEdges, way))) as { datasets: { name: string }[]; edges: object[] }
  assert.deepEqual([written.datasets.map(({ name }) => name), written.edges], [['db.b'], []])
  const all = JSON.parse(writeJson(model, buildScene(model, direct, closed), rowsOf(model, model.columnEdges, null))) as { datasets: object[]; edges: object[] }
  assert.equal(all.datasets.length, 3)
  assert.ok(all.edges.every((edge) => !('reader' in edge)))
})

test('a rough layout has each box behind what leads to it, beside none, and ends in a ring', () => {
  const box = (id: string) => ({ id, width: 100, height: 30 })
  const places = placeRoughly({ boxes: ['a', 'b', 'c', 'd'].map(box), links: [['a', 'b'], ['b', 'c'], ['a', 'c'], ['a', 'd'], ['x', 'a']] })
  const at = (id: string) => places[id] ?? { x: NaN, y: NaN }
  assert.ok(at('a').x < at('b').x && at('b').x < at('c').x)
  assert.equal(at('d').x, at('b').x)
  assert.ok(Math.abs(at('d').y - at('b').y) >= 30)
  const ring = placeRoughly({ boxes: ['a', 'b'].map(box), links: [['a', 'b'], ['b', 'a']] })
  assert.equal(Object.keys(ring).length, 2)
})
