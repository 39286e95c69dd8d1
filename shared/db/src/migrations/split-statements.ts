const token =
  /'(?:[^']|'')*'|"(?:[^"]|"")*"|\$([A-Za-z_]\w*)?\$[\s\S]*?\$\1\$|--[^\n]*|\/\*[\s\S]*?\*\/|;|[^'"$;/-]+|[\s\S]/g;

/**
 * Splits SQL into its statements, with the comments before them. Semicolons in quotes, in dollar quotes and in comments
 * end nothing.
 */
export function splitStatements(sql: string): string[] {
  const statements = [''];
  for (const [part] of sql.matchAll(token)) {
    if (part === ';') statements.push('');
    else statements[statements.length - 1] += part;
  }
  return statements
    .map((statement) => statement.trim())
    .filter((statement) => bareStatement(statement) !== '');
}

/** Returns a statement on one line, without comments. */
export function bareStatement(statement: string): string {
  const parts = [...statement.matchAll(token)].map(([part]) => (/^(?:--|\/\*)/.test(part) ? ' ' : part));
  return parts.join('').replaceAll(/\s+/g, ' ').trim();
}
