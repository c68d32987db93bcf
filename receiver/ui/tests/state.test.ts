import assert from 'node:assert/strict'
import { test } from 'node:test'
import { messageIn } from '../src/panels/complaint'
import { joinParts, readRef, splitName, splitParts } from '../src/ref'
import { seen } from '../src/parts/format'
import { readState, START, writeState, type State } from '../src/state'

const ODD = 'a|b\\c=d&e#f "g" ü'

test('parts come back as they went', () => {
  for (const parts of [[''], ['a', ''], [ODD, '|', '\\', '\\|']]) assert.deepEqual(splitParts(joinParts(parts)), parts)
})

test('a reference has two parts or three', () => {
  assert.deepEqual(readRef('n|t'), { namespace: 'n', name: 't' })
  assert.deepEqual(readRef('n|t|f'), { namespace: 'n', name: 't', field: 'f' })
  assert.equal(readRef('n'), null)
  assert.equal(readRef('n|t|f|g'), null)
})

test('the address holds the whole state', () => {
  const state: State = {
    view: 'graph', target: { namespace: 'duckdb:///d/shop.duckdb', name: ODD }, targetKind: 'dataset', up: 3, down: 0,
    more: [{ ref: { namespace: 'n', name: ODD }, side: 'upstream' }], open: [{ namespace: 'n', name: 't' }, { namespace: ODD, name: 't' }],
    full: [{ namespace: ODD, name: 't' }], lock: { namespace: 'n', name: 't', field: ODD }, only: true, rows: true, at: '2026-03-02T12:00:00.000Z',
    panel: { kind: 'edge', parts: ['n', 't', 'f', ODD, 'u', ''] }, panelPages: ['c1'], table: true, which: ODD, pages: ['c1', 'c2'],
    fromRun: ODD, toRun: '0190a000-0000-7000-8000-000000000001', search: ODD,
  }
  assert.deepEqual(readState(writeState(state)), state)
  const job: State = { ...START, view: 'graph', target: { namespace: 'dbt', name: 'j' }, targetKind: 'job' }
  assert.deepEqual(readState(writeState(job)), job)
})

test('the start has no query, and what cannot be read is as at the start', () => {
  assert.equal(writeState(START), '')
  assert.deepEqual(readState(''), START)
  assert.deepEqual(readState('?view=graph&up=x&down=-1&at=never&panel=odd|x&column=x&more=y|n|t&dataset=alone'), START)
  assert.equal(readState('?dataset=n|t&up=4000').up, 100)
})

test('the last part of a name', () => {
  assert.deepEqual(splitName('shop.marts.sales'), { last: 'sales', path: 'shop.marts' })
  assert.deepEqual(splitName('/lake/raw/day=1/x.parquet'), { last: 'x.parquet', path: '/lake/raw/day=1' })
  assert.deepEqual(splitName('orders'), { last: 'orders', path: '' })
  assert.deepEqual(splitName('exposure.shop.dashboard.dev'), { last: 'dashboard.dev', path: 'exposure.shop' })
})

test('a blank name is seen', () => {
  assert.deepEqual(['id', '', ' '].map(seen), ['id', '“”', '“ ”'])
})

test('what an event says of a fault', () => {
  assert.equal(messageIn('{"run": {"facets": {"errorMessage": {"message": "division by zero"}}}}'), 'division by zero')
  for (const sent of ['{"run": {}}', '{"run": {"facets": {"errorMessage": {"message": 7}}}}', 'null', 'no JSON']) assert.equal(messageIn(sent), null)
})
