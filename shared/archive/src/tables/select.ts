import { type ExportedTable, type Scope, array } from './table.ts';

/**
 * Returns SQL that reads the rows of a table that an export contains, each as JSON in `row`, with the number it has
 * drawn.
 */
export function selectRows(table: ExportedTable, scope: Scope, more = 'true'): string {
  const { name, draws, drawnIn = 'id', rows, order } = table;
  const drawn = draws === undefined ? 'null::bigint' : `t.${drawnIn}`;
  const conditions = [rows(scope.realmId), sharedCondition(table, scope), more];
  return `select ${drawn} as id, (${jsonOf(table, scope)})::text as row
    from ${name} t where ${conditions.map((one) => `(${one})`).join(' and ')} order by ${order}`;
}

function sharedCondition({ shared }: ExportedTable, scope: Scope): string {
  if (scope.consenting === null || shared === undefined) return 'true';
  return shared === 'never' ? 'false' : shared(scope);
}

function jsonOf({ omitted = [], owner, blanked, secrets }: ExportedTable, { consenting }: Scope): string {
  const whole = omitted.reduce((json, column) => `${json} - '${column}'`, 'to_jsonb(t)');
  if (consenting === null) return whole;
  const parts = [whole];
  if (owner && blanked) {
    parts.push(`case when ${owner} = any(${array(consenting)}) then '{}'::jsonb else ${object(blanked)} end`);
  }
  if (secrets) parts.push(object(secrets));
  return parts.join(' || ');
}

const object = (values: Readonly<Record<string, string>>) =>
  `jsonb_build_object(${Object.entries(values)
    .map(([column, value]) => `'${column}', ${value}`)
    .join(', ')})`;
