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

/** The folder that recordings are written to; nothing is recorded without it. */
const folder = process.env['CONTRACT_RECORDINGS'];
/** Of each test, what it asks again is written once. */
const written = new Set<string>();

type Asked = Pick<Recording, 'method' | 'path' | 'isForQueueNode'> & { params: object };

/** Notes what a test has asked for, and what came of it. */
export function record({ method, path: asked, isForQueueNode, params }: Asked, body: Body | undefined): void {
  if (folder === undefined || !body) return;
  const [plain = ''] = asked.split('?');
  const path = endpointAt(method, plain)?.path ?? plain;
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

interface Body {
  result?: string;
  code?: string;
  events?: { type: string; op?: string; person?: object }[];
}

function kindsOf({ type, op, person }: NonNullable<Body['events']>[number]): string[] {
  const kind = op === undefined ? type : `${type} ${op}`;
  return person ? [kind, ...Object.keys(person).map((key) => `${kind} person.${key}`)] : [kind];
}
