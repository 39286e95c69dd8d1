import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { root } from './source-files.ts';

const folder = join(root, 'shared/db/migrations');
/** Later migrations are run while nodes of the version before go on. */
const lastBefore = 41;

/** What takes away, or asks for, what a node of the version before does not know of. */
const contracting = [
  /\bdrop\s+(?:table|column|view|type|schema)\b/i,
  /\brename\b/i,
  /\balter\s+column\s+\S+\s+(?:set\s+data\s+)?type\b/i,
  /\bset\s+not\s+null\b/i,
  /\badd\s+column\s+(?:if\s+not\s+exists\s+)?\S+\s+(?![^,;]*\bdefault\b)[^,;]*\bnot\s+null\b/i,
];

/**
 * The statements of a migration that the version before does not survive. One that nothing needs any more is preceded by
 * a line `-- contract: why`.
 */
function contractions(sql: string): string[] {
  return sql.split(';').filter((statement) => {
    const isMeant = /^\s*-- contract: \S/m.test(statement);
    const bare = statement.replaceAll(/--.*$/gm, '');
    return !isMeant && contracting.some((pattern) => pattern.test(bare));
  });
}

test('migrations leave what the version before needs', () => {
  const names = readdirSync(folder).filter((name) => Number(name.slice(0, 4)) > lastBefore);
  const found = names.flatMap((name) =>
    contractions(readFileSync(join(folder, name), 'utf8')).map((statement) => `${name}: ${statement.trim()}`),
  );
  expect(found).toEqual([]);
});

test.each([
  ['alter table messages drop column content', 1],
  ['alter table messages add column colour text not null', 1],
  ['alter table messages add column colour text not null default $$red$$', 0],
  ['alter table messages add column colour text', 0],
  ['alter table messages alter column content type bytea', 1],
  ['-- contract: nothing has read it since 0042\nalter table messages drop column content', 0],
  ['-- drop table messages\ncreate index on messages (id)', 0],
])('%s', (sql, count) => {
  expect(contractions(sql)).toHaveLength(count);
});
