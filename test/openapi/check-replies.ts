import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';

import addFormats from 'ajv-formats';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';

import type { RecordedReply } from '../support/recording.ts';

type Paths = Record<string, Record<string, { responses: Record<string, { content?: object }> }>>;

const wordsMax = 600;

/** Holds recorded replies against the document, and lists those that are not as it says. */
export async function checkReplies(
  document: object,
  folder: string,
): Promise<{ replies: number; refused: string[] }> {
  const matches = createMatcher(document);
  let replies = 0;
  const refused: string[] = [];
  for (const name of (await readdir(folder)).filter((file) => file.endsWith('.replies'))) {
    const lines = (await readFile(join(folder, name), 'utf8')).split('\n').filter(Boolean);
    for (const line of lines) {
      // Safe: the tests wrote it.
      const reply = JSON.parse(line) as RecordedReply;
      const problem = matches(reply);
      if (problem === undefined) continue;
      replies += 1;
      if (problem !== '') refused.push(problem);
    }
  }
  return { replies, refused: [...new Set(refused)] };
}

/** What is wrong with a reply; empty if nothing is, undefined for one to what is no operation. */
export function createMatcher(document: object): (reply: RecordedReply) => string | undefined {
  const { paths } = document as { paths: Paths };
  // Words such as `discriminator` are of OpenAPI, and no mistakes.
  const ajv = new Ajv2020({ strict: false, allErrors: false, validateFormats: true });
  addFormats.default(ajv);
  ajv.addSchema(document, 'document');
  const validators = new Map<string, ValidateFunction>();

  function validatorOf(path: string, method: string, status: string): ValidateFunction | undefined {
    const content = paths[path]?.[method]?.responses[status]?.content;
    if (!content) return undefined;
    const place = ['paths', path, method, 'responses', status, 'content', 'application/json', 'schema'];
    const pointer = place.map((step) => step.replaceAll('~', '~0').replaceAll('/', '~1')).join('/');
    const validator = validators.get(pointer) ?? ajv.compile({ $ref: `document#/${encodeURI(pointer)}` });
    validators.set(pointer, validator);
    return validator;
  }

  return ({ method, path: asked, status, body }) => {
    const path = asked.replaceAll(/:(\w+)/g, '{$1}');
    const isOperation = paths[path]?.[method.toLowerCase()] !== undefined;
    if (!isOperation || status === 405) return undefined;
    const validator = validatorOf(path, method.toLowerCase(), String(status));
    const what = `${method} ${asked} ${status}`;
    if (!validator) return `${what} is not in the document: ${JSON.stringify(body).slice(0, wordsMax)}`;
    if (validator(body)) return '';
    const [error] = validator.errors ?? [];
    return `${what}: ${error?.instancePath} ${error?.message} ${JSON.stringify(error?.params)}: ${JSON.stringify(body).slice(0, wordsMax)}`;
  };
}
