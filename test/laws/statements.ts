import { Visitor, parseSync } from 'oxc-parser';

import type { SourceFile } from './source-files.ts';

/** Statements of SQL in a file: its templates, or a file of SQL function by function. */
export function statementsOf({ path, text }: SourceFile): string[] {
  if (path.endsWith('.sql')) return text.split(';');
  const found: string[] = [];
  new Visitor({
    TemplateLiteral({ start, end }) {
      found.push(text.slice(start, end));
    },
  }).visit(parseSync(path, text).program);
  return found;
}
