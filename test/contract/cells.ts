import { type Endpoint, addressOf, endpoints, errorsOf } from '@parley/api';
import { WebhookPayload } from '@parley/protocol';

import type { Recording } from '../support/recording.ts';
import { rules } from './rules.ts';
import { type Section, eventKinds, sections } from './sections.ts';

/** One thing that the contract says, and the test that holds it; null while there is none. */
export interface Cell {
  part: string;
  says: string;
  /** Where the code declares it; null while it does not. */
  route: string | null;
  test: string | null;
}

/** Tests by file, with the titles of those that passed. */
export type Passed = ReadonlyMap<string, readonly string[]>;

/** The parameters that queue nodes read themselves. */
const queueNodeParams = ['queue_id', 'last_event_id', 'dont_block'];

const endpointOf = ({ method, path }: Section): Endpoint | undefined =>
  endpoints.find((one) => one.method === method && shapeOf(addressOf(one)) === `/api/v1${shapeOf(path)}`);
const shapeOf = (path: string) => path.replaceAll(/:\w+/g, ':');

/** Everything that the contract says, held against the list of endpoints and what a run of the tests has recorded. */
export function listCells(recordings: readonly Recording[], passed: Passed): Cell[] {
  return [
    ...sections.flatMap((section) => cellsOf(section, recordings)),
    ...eventKinds.map((kind) => cell('Events', kind, kind, testThatHeard(kind, recordings))),
    ...Object.entries(rules).flatMap(([part, list]) =>
      list.map(([rule, file, title]) => cell(part, rule, rule, testThatPassed(passed, file, title))),
    ),
  ];
}

function cell(part: string, says: string, route: string | null, test: string | null): Cell {
  return { part, says, route, test };
}

function cellsOf(section: Section, recordings: readonly Recording[]): Cell[] {
  const { number, method, path, node, params, errors = [], events = [] } = section;
  const endpoint = endpointOf(section);
  const part = `${number} ${method} ${path}`;
  const route = endpoint || node ? `${method} ${path}` : null;
  const own = recordings.filter(
    (one) =>
      one.method === method &&
      shapeOf(one.path) === shapeOf(path) &&
      one.isForQueueNode === (node === 'queue'),
  );
  const testOf = (is: (recording: Recording) => boolean) => bestTest(own.filter(is));
  const declares = (name: string) => {
    if (node === 'outgoing') return name in WebhookPayload.shape;
    return node === 'queue'
      ? queueNodeParams.includes(name)
      : endpoint !== undefined && name in endpoint.params;
  };
  const mayFail = (code: string) =>
    node === 'queue' || (endpoint !== undefined && errorsOf(endpoint).some((one) => one === code));
  return [
    cell(
      part,
      'succeeds',
      route,
      testOf(({ outcome }) => outcome === 'success'),
    ),
    ...params.map((name) =>
      cell(
        part,
        name,
        declares(name) ? route : null,
        testOf((one) => one.outcome === 'success' && one.params.includes(name)),
      ),
    ),
    ...errors.map((code) =>
      cell(
        part,
        code,
        mayFail(code) ? route : null,
        testOf(({ outcome }) => outcome === code),
      ),
    ),
    ...events.map((kind) => {
      const asked = new Set(own.filter(({ outcome }) => outcome === 'success').map(({ test }) => test));
      const heard = recordings.filter(
        ({ heard, test }) => asked.has(test) && heard.some((one) => isKind(one, kind)),
      );
      return cell(part, `→ ${kind}`, route, bestTest(heard));
    }),
  ];
}

const isKind = (heard: string, kind: string) => heard === kind || heard.startsWith(`${kind} `);

const testThatHeard = (kind: string, recordings: readonly Recording[]) =>
  bestTest(recordings.filter(({ heard }) => heard.some((one) => isKind(one, kind))));

/** A test about it, before a law that walks over everything. */
function bestTest(recordings: readonly Recording[]): string | null {
  const tests = recordings.map(({ test }) => test).sort();
  return tests.find((test) => test.startsWith('test/api/')) ?? tests[0] ?? null;
}

function testThatPassed(passed: Passed, file: string, title: string): string | null {
  const found = passed.get(file)?.find((one) => one.endsWith(title) || one.includes(title));
  return found === undefined ? null : `${file} > ${found}`;
}
