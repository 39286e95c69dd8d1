import { appendFileSync } from 'node:fs';
import { join, relative } from 'node:path';

import { expect } from 'vitest';

import { endpointAt } from './contract.ts';

/** What a test has asked and was answered, or has heard. */
export interface Recording {
  /** The file of the test and its title. */
  test: string;
  method: string;
  /** The path that the endpoint declares; that of the request where there is no such endpoint. */
  path: string;
  isForQueueNode: boolean;
  params: string[];
  /** `success`, or the code of the error. */
  outcome: string;
  /** Events, by type, op and the keys of the person whom they are about. */
  heard: string[];
}

/** A reply as it came; of replies of one shape, one is recorded. */
export interface RecordedReply {
  method: string;
  /** As in `Recording`. */
  path: string;
  status: number;
  body: unknown;
}

/** The folder that recordings are written to; nothing is recorded without it. */
const folder = process.env['CONTRACT_RECORDINGS'];
/** Of each test, what it asks again is written once. */
const written = new Set<string>();

type Asked = Pick<Recording, 'method' | 'path' | 'isForQueueNode'> & { params: object; status: number };

/** Notes what a test has asked for, and what came of it. */
export function record(
  { method, path: asked, isForQueueNode, params, status }: Asked,
  body: Body | undefined,
): void {
  if (folder === undefined || !body) return;
  const [plain = ''] = asked.split('?');
  const path = endpointAt(method, plain)?.path ?? plain;
  recordReply({ method, path, status, body }, folder);
  const outcome = body.result === 'success' ? 'success' : (body.code ?? 'error');
  const { currentTestName = '', testPath = '' } = expect.getState();
  const recording: Recording = {
    test: `${relative(process.cwd(), testPath)} > ${currentTestName}`,
    method,
    path,
    isForQueueNode,
    params: Object.keys(params),
    outcome,
    heard: [...new Set((body.events ?? []).flatMap(kindsOf))],
  };
  const line = JSON.stringify(recording);
  if (written.has(line)) return;
  written.add(line);
  appendFileSync(join(folder, `${process.pid}.jsonl`), `${line}\n`);
}

function recordReply(reply: RecordedReply, to: string): void {
  const shape = JSON.stringify([reply.method, reply.path, reply.status, shapeOf(reply.body)]);
  if (written.has(shape)) return;
  written.add(shape);
  appendFileSync(join(to, `${process.pid}.replies`), `${JSON.stringify(reply)}\n`);
}

/** What kind of thing stands where; the values of the fields that tell kinds apart stay. */
function shapeOf(value: unknown, key = ''): unknown {
  if (Array.isArray(value)) return [...new Set(value.map((item) => JSON.stringify(shapeOf(item))))].sort();
  if (typeof value !== 'object' || value === null) {
    return ['type', 'op', 'code', 'property'].includes(key) ? value : typeof value;
  }
  const fields = Object.entries(value).map(([name, item]) => [
    /^\d+$/.test(name) ? 0 : name,
    shapeOf(item, name),
  ]);
  return [...new Set(fields.map((field) => JSON.stringify(field)))].sort();
}

interface Body {
  result?: string;
  code?: string;
  events?: { type: string; op?: string; person?: object }[];
}

function kindsOf({ type, op, person }: NonNullable<Body['events']>[number]): string[] {
  const kind = op === undefined ? type : `${type} ${op}`;
  return person ? [kind, ...Object.keys(person).map((key) => `${kind} person.${key}`)] : [kind];
}
