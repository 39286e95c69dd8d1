import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { listCommands } from '@parley/cli';
import { composeProxyConfig } from '@parley/infra';

import { nodeRows, sizeRows } from './connections.ts';
import { integrationRows } from './integrations.ts';
import { memoryRows } from './memory.ts';
import { envSample, settingRows } from './settings.ts';

/** A table that is made from the code, between two comments in a page: `<!-- name -->` and `<!-- /name -->`. */
interface MadeTable {
  page: string;
  name: string;
  head: readonly string[];
  readonly rows: () => string[][];
}

export const madeTables: readonly MadeTable[] = [
  {
    page: 'docs/configuration.md',
    name: 'settings',
    head: ['variable', 'read by', 'meaning', 'default'],
    rows: settingRows,
  },
  {
    page: 'docs/cli.md',
    name: 'commands',
    head: ['command', 'does'],
    rows: () => listCommands().map(({ name, brief }) => [`\`${name}\``, brief]),
  },
  {
    page: 'docs/integrations.md',
    name: 'integrations',
    head: ['product', 'in the address', 'events', 'signature'],
    rows: integrationRows,
  },
  {
    page: 'docs/operating.md',
    name: 'memory of a node',
    head: ['budget', 'MiB of', 'api', 'queue', 'worker'],
    rows: memoryRows,
  },
  {
    page: 'docs/scaling.md',
    name: 'connections of a node',
    head: ['role', 'Postgres', 'Redis'],
    rows: nodeRows,
  },
  {
    page: 'docs/scaling.md',
    name: 'connections of a size',
    head: [
      'size',
      'nodes',
      'Postgres',
      'Postgres, while all nodes are replaced',
      '`max_connections`',
      'Redis, while they are',
    ],
    rows: sizeRows,
  },
];

const between = (name: string) => new RegExp(`(<!-- ${name} -->\n)([\\s\\S]*?)(<!-- /${name} -->)`);

/** What a page has between the comments, as cells without the head. Empty if it has no such comments. */
export function cellsIn(text: string, name: string): string[][] {
  const [, , section = ''] = between(name).exec(text) ?? [];
  const lines = section.split('\n').filter((line) => line.startsWith('|'));
  return lines.slice(2).map((line) =>
    line
      .split(/(?<!\\)\|/)
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
}

/** A table as the formatter writes it. */
function tableText(head: readonly string[], rows: readonly string[][]): string {
  const widths = head.map((_, column) =>
    Math.max(...[head, ...rows].map((row) => [...(row[column] ?? '')].length)),
  );
  const line = (row: readonly string[]) =>
    `| ${widths.map((width, column) => (row[column] ?? '').padEnd(width)).join(' | ')} |`;
  return [line(head), line(widths.map((width) => '-'.repeat(width))), ...rows.map(line)].join('\n');
}

/** A page with other rows in a table that is made. */
export function replaceTable(
  text: string,
  name: string,
  head: readonly string[],
  rows: readonly string[][],
): string {
  if (!between(name).test(text)) throw new Error(`There is no <!-- ${name} --> … <!-- /${name} -->.`);
  const table = tableText(head, rows);
  return text.replace(between(name), (_, begin: string, __, end: string) => `${begin}\n${table}\n\n${end}`);
}

/** Files that are made from the code as a whole. */
export const madeFiles: readonly { path: string; readonly text: () => string }[] = [
  { path: '.env.sample', text: envSample },
  { path: 'infra/compose/nginx.conf', text: composeProxyConfig },
];

/** Writes the files and the tables that are made from the code. */
export function makeDocs(root: string): void {
  for (const { path, text } of madeFiles) writeFileSync(join(root, path), text());
  for (const { page, name, head, rows } of madeTables) {
    const path = join(root, page);
    writeFileSync(path, replaceTable(readFileSync(path, 'utf8'), name, head, rows()));
  }
}
